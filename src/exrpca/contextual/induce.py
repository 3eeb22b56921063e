"""From occurrences to senses: split, ask whether the parts are really different, stop if not."""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.contextual.assignment import (
    NO_SENSE,
    assignment_table,
    closeness,
    cluster_means,
    probabilities,
    scatter,
    sense_names,
)
from exrpca.contextual.centering import CenteredVectors, Floats, Integers, blocks
from exrpca.contextual.constraints import NOT_SAID, as_said, said_labels, seeds_of, with_seeds
from exrpca.contextual.corrections import Said, read_changes, said_about
from exrpca.contextual.decision import MOST_SENSES, SAMPLE, Decision
from exrpca.contextual.draw import drawn_rows
from exrpca.contextual.forms import forms_of, without_forms
from exrpca.contextual.given_labels import merge_labels
from exrpca.contextual.occurrences import NO_LABEL, Occurrences
from exrpca.contextual.strength import DEFAULT_LOST, ENOUGH, check_lost
from exrpca.contextual.workers import on_workers
from exrpca.errors import InputError
from exrpca.progress import progress_bar
from exrpca.senses import Example, SenseVectors
from exrpca.senses.metadata import InductionEntry, updated

_EXAMPLES = 5


def induce(
    occurrences: Occurrences | pd.DataFrame | str | os.PathLike[str],
    *,
    lost: float = DEFAULT_LOST,
    n_senses: Mapping[str, int] | None = None,
    corrections: str | os.PathLike[str] | None = None,
    seed: int = 0,
    client: Any = None,
    progress: bool = False,
) -> tuple[SenseVectors, pd.DataFrame]:
    """Find the senses of words from the contextual vectors of their occurrences.

    The occurrences of a word are cut in two, and the parts again, as long as a cut is strong:
    far apart, with a valley between. What is common to one form of a word, such as "banks", does
    not count. Clusters of your own, `occurrences.labels`, take the place of the cuts; they are
    merged where the difference is not strong. :doc:`/explanation/induction` has the rule and
    its results.

    Parameters
    ----------
    occurrences : Occurrences, DataFrame or path
        At least one. `Occurrences.from_table` has the columns of a table or a file. An
        occurrence labeled −1 belongs to no sense.
    lost : float, default 0.15
        The expected share of people's distinctions that are lost. A higher value gives
        fewer senses: 1 gives one sense per word, and 0 up to 6, whatever the occurrences say.
        The unit is that of `lost` in `detect` and `merge`; the expectation is that of words
        that people labeled.
    n_senses : mapping of str to int, optional
        How many senses some words have, as {"bank": 3}, whatever `lost` is.
    corrections : path-like, optional
        A file of corrections from `exrpca explore`: what a person said about some occurrences.
        They stay as they were said, whatever `lost` is, and the rest follows them.
    seed : int, default 0
        Seed for drawing the occurrences that decide. Order of rows and words has no influence.
    client : dask.distributed.Client, optional
        Judge the words on the workers of a Dask cluster, with the same result.
    progress : bool, default False
        Show a progress bar on standard error.

    Returns
    -------
    senses : SenseVectors
        Per sense its vector (the mean of its occurrences' vectors), center (the mean of what is
        compared, see `assign`), count and most typical sentences, the most frequent sense of a
        word first. Words without any occurrence, or with the label −1 only, are left out.
    assignments : DataFrame
        One row per occurrence: `word`, `sense`, `probability` of that sense among the senses
        found, and the text columns. Without a sense, −1 and NaN. With corrections, `name` of the
        sense, and whether the occurrence is `corrected`.

    Warns
    -----
    UserWarning
        If there is reason to doubt the result: few occurrences, few words, or a `lost` that
        leaves nothing to decide.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> vectors = rng.normal(size=(120, 30))
    >>> vectors[:40] += 3  # a word with two senses, and a word with one
    >>> occurrences = Occurrences.from_arrays(["bank"] * 80 + ["river"] * 40, vectors)
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # two words are few
    ...     senses, assignments = induce(occurrences)
    >>> senses
    <SenseVectors: 2 words, 3 senses, 30 dimensions, counts, centers>
    >>> assignments.groupby(["word", "sense"]).size().to_dict()
    {('bank', 0): 40, ('bank', 1): 40, ('river', 0): 40}
    """
    if not isinstance(occurrences, Occurrences):
        occurrences = Occurrences.from_table(occurrences)
    if len(occurrences) == 0:
        raise InputError("there are no occurrences to find senses in")
    check_lost(lost)
    given = occurrences.labels is not None
    wanted = _checked_numbers(occurrences, n_senses or {})
    about = {} if corrections is None else said_about(read_changes(corrections))
    if about and given:
        raise InputError("corrections are for clusters that induce finds: leave out the labels")
    said, typical = said_labels(occurrences, about)
    words = {
        # what a person said must be in the sample that decides
        word: rows[np.argsort(said[rows] == NOT_SAID, kind="stable")]
        if len(rows) > SAMPLE
        else rows
        for word, rows in drawn_rows(occurrences, seed).items()
    }
    for doubt in _doubts(words, lost, given=given):
        warnings.warn(doubt, stacklevel=2)
    centered = CenteredVectors.around_mean(occurrences.vectors, words.values())
    decision = Decision.learn(centered, words, lost=lost, seed=seed)
    forms = forms_of(occurrences)
    tasks = (
        (
            word,
            (
                word,
                centered.vectors[rows],
                None if occurrences.labels is None else occurrences.labels[rows],
                forms[rows[:SAMPLE]],
                said[rows],
                typical[rows],
                wanted.get(word),
            ),
        )
        for word, rows in words.items()
    )
    found: dict[str, _WordSenses] = {}
    done = 0
    with progress_bar("Finding senses", len(occurrences), show=progress) as report:
        for word, senses_of_word in _judged(tasks, centered.mean, decision, client):
            found[word] = replace(senses_of_word, rows=words[word])
            done += len(words[word])
            report(done, word)
    found = {word: found[word] for word in words}
    spread = _spread(found, decision.typical)
    settings: InductionEntry = {
        "mean": centered.mean.tolist(),
        "spread": spread,
        "lost": lost,
        "seed": seed,
        "occurrences": len(occurrences),
        "vectors": dict(occurrences.metadata),
    }
    names = {word: _names(about[word], said[words[word]]) for word in about}
    senses = _sense_vectors(occurrences, found, names, settings)
    assignments = _assignments(occurrences, found, spread)
    if about:
        assignments.loc[(said >= 0) & ~typical, "probability"] = 1.0
        assignments["name"] = sense_names(senses, assignments)
        assignments["corrected"] = (said != NOT_SAID) & ~typical
    return senses, assignments


def _checked_numbers(occurrences: Occurrences, n_senses: Mapping[str, int]) -> Mapping[str, int]:
    sizes = dict(zip(occurrences.words, np.bincount(occurrences.word_of), strict=False))
    for word, n in n_senses.items():
        if word not in sizes:
            raise InputError(f"n_senses names {word!r}, which has no occurrences")
        most = min(int(sizes[word]), SAMPLE)
        if not 1 <= n <= most:
            raise InputError(f"n_senses of {word!r} is {n}, expected 1 to {most}")
    return n_senses


def _names(about: Said, said: Integers) -> list[str]:
    """Return the names of the senses that were said, which are the first ones of a word."""
    return [about.names.get(int(sense), "") for sense in seeds_of(said)[0]]


def _doubts(words: Mapping[str, Integers], lost: float, *, given: bool) -> Iterator[str]:
    """Say what makes the result doubtful."""
    if lost == 1:
        yield "lost is 1: every word has one sense, whatever its occurrences say"
        return
    if lost == 0:
        what = "no clusters are merged" if given else f"words have up to {MOST_SENSES} senses"
        yield f"lost is 0: {what}, whatever the occurrences say"
    n_few = sum(len(rows) < ENOUGH for rows in words.values())
    if n_few:
        yield (
            f"{n_few:,} of {len(words):,} words have fewer than {ENOUGH} occurrences: their "
            "distances alone decide, since no valley can be seen yet"
        )
    if len(words) == 1:
        yield "there is only one word, so it serves as its own reference: add other words"


@dataclass(frozen=True)
class _WordSenses:
    """The senses of one word; occurrences are in the order of `rows`."""

    rows: Integers
    sense: Integers
    closeness: Floats
    centers: Floats
    vectors: Floats
    scatter: tuple[float, int]

    @property
    def counts(self) -> Integers:
        """How many occurrences each sense has."""
        return np.bincount(self.sense[self.sense != NO_SENSE], minlength=len(self.centers))


def _judged(
    tasks: Iterator[tuple[str, tuple[Any, ...]]],
    mean: Floats,
    decision: Decision,
    client: Any,
) -> Iterator[tuple[str, _WordSenses]]:
    """Yield each word with its senses, here or from the workers of a cluster."""
    if client is None:
        for word, task in tasks:
            yield word, _word_senses(mean, decision, *task)
        return
    # what all words need is sent once
    everywhere = client.scatter([mean, decision], broadcast=True)
    yield from on_workers(
        client, _word_senses, ((word, (*everywhere, *task)) for word, task in tasks)
    )


def _word_senses(
    mean: Floats,
    decision: Decision,
    word: str,
    vectors: NDArray[Any],
    labels: Integers | None,
    forms: Integers,
    said: Integers,
    typical: NDArray[np.bool_],
    n_senses: int | None,
) -> _WordSenses:
    centered, rows = CenteredVectors(vectors, mean), np.arange(len(vectors))
    drawn = centered.of(rows[:SAMPLE])
    if labels is None:
        split = decision.split(word, without_forms(drawn, forms), n_senses)
        split = with_seeds(drawn, split, said[:SAMPLE], typical[:SAMPLE])
        centers = cluster_means([(slice(None), drawn)], split, split.max() + 1, centered.dim)
        close = _closeness(rows, centers, centered)
        nearest = close.argmax(axis=1) if len(centers) else np.full(len(rows), NO_SENSE)
        clusters, sense = _by_size(as_said(nearest, said), len(seeds_of(said)[0]))
        centers, close = centers[clusters], close[:, clusters]
    else:
        merged = merge_labels(word, rows, labels, centered, decision, n_senses)
        clusters, sense = _by_size(merged)
        centers = cluster_means(centered.blocks(rows), sense, len(clusters), centered.dim)
        close = _closeness(rows, centers, centered)
    given = ((part, centered.vectors[rows[part]]) for part in blocks(len(rows)))
    return _WordSenses(
        rows=rows,
        sense=sense,
        closeness=close,
        centers=centers,
        vectors=cluster_means(given, sense, len(clusters), centered.dim),
        scatter=scatter(drawn, sense[:SAMPLE], centers),
    )


def _closeness(rows: Integers, centers: Floats, centered: CenteredVectors) -> Floats:
    return np.concatenate([closeness(x, centers) for _, x in centered.blocks(rows)])


def _by_size(labels: Integers, n_first: int = 0) -> tuple[Integers, Integers]:
    """Return the clusters, the largest first, and for each occurrence the place of its cluster.

    The first clusters, which a person knows by their numbers, stay in front.
    """
    clusters, place, counts = np.unique(labels, return_inverse=True, return_counts=True)
    rank = np.where(clusters < n_first, -np.inf, -counts)
    order = np.argsort(np.where(clusters == NO_SENSE, 1, rank), kind="stable")
    order = order[clusters[order] != NO_SENSE]
    places = np.full(len(clusters), NO_SENSE)
    places[order] = np.arange(len(order))
    return clusters[order], places[place]


def _spread(found: Mapping[str, _WordSenses], typical: float) -> float:
    """Return the variance of occurrences around their centers, over all words."""
    squares, freedom = np.sum([word.scatter for word in found.values()], axis=0)
    if freedom > 0 and squares > 0:
        return float(squares / freedom)
    return typical or 1.0  # parts of one occurrence each show no variance


def _sense_vectors(
    occurrences: Occurrences,
    found: Mapping[str, _WordSenses],
    names: Mapping[str, list[str]],
    settings: InductionEntry,
) -> SenseVectors:
    kept = {word: found[word] for word in occurrences.words if word in found}
    kept = {word: senses for word, senses in kept.items() if len(senses.centers)}
    if not kept:
        raise InputError(f"all occurrences are labeled {NO_LABEL}, which means no cluster")
    examples = [own for senses in kept.values() for own in _examples(occurrences, senses)]
    named = [
        [*names.get(word, []), *[""] * len(senses.centers)][: len(senses.centers)]
        for word, senses in kept.items()
    ]
    return SenseVectors(
        kept,
        np.concatenate([senses.vectors for senses in kept.values()]),
        [len(senses.centers) for senses in kept.values()],
        counts=np.concatenate([senses.counts for senses in kept.values()]),
        centers=np.concatenate([senses.centers for senses in kept.values()]),
        labels=itertools.chain.from_iterable(named) if names else None,
        examples=examples if any(examples) else None,
        metadata=updated({}, induction=settings),
    )


def _examples(occurrences: Occurrences, senses: _WordSenses) -> Iterator[tuple[Example, ...]]:
    """Yield for each sense its sentences nearest to the center, without duplicates."""
    for sense in range(len(senses.centers)):
        own = np.flatnonzero(senses.sense == sense)
        nearest = own[np.argsort(-senses.closeness[own, sense], kind="stable")]
        # some more than needed, since a text may have duplicates
        sentences = occurrences.examples(senses.rows[nearest[: 4 * _EXAMPLES]])
        yield tuple(dict.fromkeys(sentences))[:_EXAMPLES]


def _assignments(
    occurrences: Occurrences, found: Mapping[str, _WordSenses], spread: float
) -> pd.DataFrame:
    sense = np.full(len(occurrences), NO_SENSE)
    probability = np.full(len(occurrences), np.nan)
    for senses in found.values():
        has_sense = np.flatnonzero(senses.sense != NO_SENSE)
        if len(has_sense):
            rows, own = senses.rows[has_sense], senses.sense[has_sense]
            shares = probabilities(senses.closeness[has_sense], spread)
            sense[rows], probability[rows] = own, shares[np.arange(len(own)), own]
    return assignment_table(occurrences, sense, probability)

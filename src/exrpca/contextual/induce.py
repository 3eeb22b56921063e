"""From occurrences to senses: split, ask whether the parts are really different, stop if not."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from exrpca.contextual.assignment import (
    NO_SENSE,
    assignment_table,
    closeness,
    cluster_means,
    probabilities,
    scatter,
)
from exrpca.contextual.centering import CenteredVectors, Floats, Integers, blocks
from exrpca.contextual.decision import MOST_SENSES, SAMPLE, Decision
from exrpca.contextual.draw import drawn_rows
from exrpca.contextual.given_labels import merge_labels
from exrpca.contextual.occurrences import NO_LABEL, Occurrences
from exrpca.contextual.shared_component import FEWEST_WORDS
from exrpca.contextual.strength import DEFAULT_LOST, ENOUGH, check_lost
from exrpca.errors import InputError
from exrpca.progress import progress_bar
from exrpca.senses import Example, SenseVectors
from exrpca.senses.metadata import InductionEntry, updated

_EXAMPLES = 5


def induce(
    occurrences: Occurrences | pd.DataFrame | str | os.PathLike[str],
    *,
    lost: float = DEFAULT_LOST,
    seed: int = 0,
    progress: bool = False,
) -> tuple[SenseVectors, pd.DataFrame]:
    """Find the senses of words from the contextual vectors of their occurrences.

    The occurrences of a word are cut in two, and the parts again, as long as a cut is strong:
    far apart, with a valley between, and not along the direction that the cuts of all words
    share. Clusters of your own, `occurrences.labels`, take the place of the cuts; they are
    merged where the difference is not strong. :doc:`/explanation/induction` has the rule and
    its results.

    Parameters
    ----------
    occurrences : Occurrences, DataFrame or path
        At least one. `Occurrences.from_table` has the columns of a table or a file. An
        occurrence labeled −1 belongs to no sense.
    lost : float, default 0.25
        The expected share of the cuts people would make that is not made. A higher value gives
        fewer senses: 1 gives one sense per word, and 0 up to 6, whatever the occurrences say.
        The unit is that of `lost` in `detect` and `merge`; the expectation is that of words
        that people labeled.
    seed : int, default 0
        Seed for drawing the occurrences that decide. Order of rows and words has no influence.
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
        found, and the text columns. Without a sense, −1 and NaN.

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
    words = drawn_rows(occurrences, seed)
    for doubt in _doubts(words, lost, given=given):
        warnings.warn(doubt, stacklevel=2)
    centered = CenteredVectors.around_mean(occurrences.vectors, words.values())
    decision = Decision.learn(centered, words, lost=lost, seed=seed, cut=not given)
    found, done = {}, 0
    with progress_bar("Finding senses", len(occurrences), show=progress) as report:
        for word, rows in words.items():
            labels = None if occurrences.labels is None else occurrences.labels[rows]
            found[word] = _word_senses(word, rows, labels, centered, decision)
            done += len(rows)
            report(done, word)
    spread = _spread(found, decision.typical)
    settings: InductionEntry = {
        "mean": centered.mean.tolist(),
        "spread": spread,
        "lost": lost,
        "seed": seed,
        "occurrences": len(occurrences),
        "vectors": dict(occurrences.metadata),
    }
    senses = _sense_vectors(occurrences, found, settings)
    return senses, _assignments(occurrences, found, spread)


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
    elif not given and len(words) - n_few < FEWEST_WORDS:
        yield (
            f"fewer than {FEWEST_WORDS} words have {ENOUGH} occurrences: differences that all "
            "words share cannot be told from senses"
        )


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


def _word_senses(
    word: str,
    rows: Integers,
    labels: Integers | None,
    centered: CenteredVectors,
    decision: Decision,
) -> _WordSenses:
    drawn = centered.of(rows[:SAMPLE])
    if labels is None:
        split = decision.split(word, drawn)
        centers = cluster_means([(slice(None), drawn)], split, split.max() + 1, centered.dim)
        close = _closeness(rows, centers, centered)
        clusters, sense = _by_size(close.argmax(axis=1))
        centers, close = centers[clusters], close[:, clusters]
    else:
        merged = merge_labels(word, rows, labels, centered, decision)
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


def _by_size(labels: Integers) -> tuple[Integers, Integers]:
    """Return the clusters, the largest first, and for each occurrence the place of its cluster."""
    clusters, place, counts = np.unique(labels, return_inverse=True, return_counts=True)
    order = np.argsort(np.where(clusters == NO_SENSE, 1, -counts), kind="stable")
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
    occurrences: Occurrences, found: Mapping[str, _WordSenses], settings: InductionEntry
) -> SenseVectors:
    kept = {word: found[word] for word in occurrences.words if word in found}
    kept = {word: senses for word, senses in kept.items() if len(senses.centers)}
    if not kept:
        raise InputError(f"all occurrences are labeled {NO_LABEL}, which means no cluster")
    examples = [own for senses in kept.values() for own in _examples(occurrences, senses)]
    return SenseVectors(
        kept,
        np.concatenate([senses.vectors for senses in kept.values()]),
        [len(senses.centers) for senses in kept.values()],
        counts=np.concatenate([senses.counts for senses in kept.values()]),
        centers=np.concatenate([senses.centers for senses in kept.values()]),
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

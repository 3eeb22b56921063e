"""Scores of clusterings on a data set of word sense induction, and of the senses of vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from exrpca.errors import InputError
from exrpca.evaluation.wsi.data import WsiData
from exrpca.evaluation.wsi.measures import WSI_MEASURES, word_measures
from exrpca.senses import Example, SenseVectors
from exrpca.senses.metadata import encoding_entry
from exrpca.text.choice import sense_cosines
from exrpca.text.context import ContextSettings
from exrpca.text.in_context import numbered
from exrpca.text.lookup import NO_WORD, Lookup
from exrpca.text.sense_encoder import SenseEncoder, best_senses, check_encoder, encoder_window
from exrpca.text.tokens import DEFAULT_TOKENIZER, Tokenizer

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

ONE_CLUSTER = "one cluster"
ONE_PER_OCCURRENCE = "one per occurrence"


def evaluate_wsi(
    senses: SenseVectors,
    data: WsiData,
    *,
    window: int | None = None,
    encoder: SenseEncoder | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Score the senses that vectors choose in context against people's labels.

    Parameters
    ----------
    senses : SenseVectors
        With centers and global vectors, or from `induce`.
    data : WsiData
        See `read_wsi`.
    window : int, optional
        How many tokens on each side of a word are its context.
    encoder : exrpca.contextual.Encoder, optional
        Chooses among senses from `induce`.
    n_resamples, seed
        As for `score_clusterings`.

    Returns
    -------
    DataFrame
        As from `score_clusterings`. The clustering by the vectors is named "senses".

    See Also
    --------
    sense_clusters : The chosen senses themselves.
    score_clusterings : To compare several vectors.

    Examples
    --------
    >>> from exrpca import bundled
    >>> table = pd.DataFrame({
    ...     "word": "plant", "lemma": "plant", "target": "plants",
    ...     "left": ["flowers and other", "engines built in", "seeds of wild"],
    ...     "right": ["grow in the garden", "owned by the company", "and trees"],
    ...     "gold": ["flora", "factory", "flora"],
    ... })
    >>> scores = evaluate_wsi(bundled(), WsiData("plants", table))
    >>> scores[scores["measure"] == "ari"][["clustering", "value"]]
                clustering  value
    0               senses    1.0
    10         one cluster    0.0
    20  one per occurrence    0.0
    """
    clusters = sense_clusters(senses, data, window=window, encoder=encoder)
    return score_clusterings(data, {"senses": clusters}, n_resamples=n_resamples, seed=seed)


def sense_clusters(
    senses: SenseVectors,
    data: WsiData,
    *,
    window: int | None = None,
    encoder: SenseEncoder | None = None,
) -> NDArray[np.int64]:
    """Return the sense that vectors choose for each occurrence.

    Parameters
    ----------
    senses : SenseVectors
        With centers and global vectors, or from `induce`.
    data : WsiData
        An occurrence is looked up by its lemma, so that all forms of a word share its senses.
    window : int, optional
        How many tokens on each side of a word are its context. Tokens that are not in the
        vocabulary take a place but add nothing.
    encoder : exrpca.contextual.Encoder, optional
        Chooses among senses from `induce`, which need the encoder that they were made with.

    Returns
    -------
    ndarray of int
        The row of `senses.vectors`; −1 where the lemma is not in the vocabulary, so that such a
        word has one cluster.

    Examples
    --------
    >>> senses = SenseVectors(
    ...     ["bank", "river", "money"], np.eye(4), [2, 1, 1],
    ...     centers=[[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]],
    ...     globals=[[1, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]],
    ... )
    >>> table = pd.DataFrame({
    ...     "word": ["bank", "bank", "tree"], "lemma": ["bank", "bank", "tree"],
    ...     "left": ["money in the", "the River and its", "a"], "target": ["bank", "Banks", "tree"],
    ...     "right": "", "gold": ["money", "shore", "plant"],
    ... })
    >>> sense_clusters(senses, WsiData("banks", table))
    array([ 1,  0, -1])
    """
    lookup = Lookup(senses)
    words = np.array([lookup[lemma] for lemma in data.table["lemma"]], dtype=np.int64)
    known = np.flatnonzero(words != NO_WORD)
    clusters = np.full(len(words), NO_WORD)
    table, words = data.table.iloc[known], words[known]
    if encoder is None:
        chosen = _by_windows(senses, lookup, words, table, window)
    else:
        chosen = _by_encoder(senses, words, table, encoder, window)
    clusters[known] = senses.offsets[words] + chosen
    return clusters


def _by_windows(
    senses: SenseVectors, lookup: Lookup, words: Integers, table: pd.DataFrame, window: int | None
) -> Integers:
    settings = ContextSettings.of(senses, window)
    tokens = Tokenizer().tokens
    sides = ((tokens(text, lookup.knows) for text in table[side]) for side in ("left", "right"))
    places = numbered(lookup, words.tolist(), *sides)
    return sense_cosines(senses, *places, settings).best()


def _by_encoder(
    senses: SenseVectors,
    words: Integers,
    table: pd.DataFrame,
    encoder: SenseEncoder,
    window: int | None,
) -> Integers:
    check_encoder(encoder, senses)
    reach = encoder_window(senses, window)
    # contexts are cut as they were for the centers
    tokens = Tokenizer(encoding_entry(senses.metadata).get("tokenizer", DEFAULT_TOKENIZER)).tokens
    sentences = []
    for left, target, right in table[["left", "target", "right"]].itertuples(index=False):
        before, after = tokens(f"{left} "), tokens(f" {right}")
        sentences.append(Example(before.before(len(before), reach), target, after.after(0, reach)))
    return best_senses(senses, words, sentences, encoder)


def score_clusterings(
    data: WsiData,
    clusterings: Mapping[str, ArrayLike],
    *,
    memberships: Mapping[str, ArrayLike] | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Score clusterings of the same occurrences, along with two baselines.

    Parameters
    ----------
    data : WsiData
    clusterings : mapping of str to array-like
        The cluster of each occurrence, for each clustering; see `word_measures`. The others
        are compared with the first one.
    memberships : mapping of str to array-like, optional
        For some of the clusterings, how much each occurrence belongs to each cluster.
    n_resamples : int, default 1000
        Bootstrap resamples of the words, for the 95% intervals.
    seed : int, default 0

    Returns
    -------
    DataFrame
        One row per clustering and measure: `dataset`, `clustering`, `measure`, its mean over
        words (`value`) with its 95% interval from `low` to `high`, the `difference` from the
        first clustering with the interval of the paired difference (`difference_low`,
        `difference_high`), and over how many `words` the mean is. As in the official scorers,
        two measures come from means over words: `avg` is the geometric mean of V-measure and
        paired F, `fuzzy_b3` the harmonic mean of fuzzy B³ precision and recall. The last two
        clusterings are the baselines "one cluster" (per word) and "one per occurrence".

    Examples
    --------
    >>> table = pd.DataFrame({
    ...     "word": "bank", "lemma": "bank", "left": "", "target": "bank", "right": "",
    ...     "gold": ["shore", "shore", "money", "money"],
    ... })
    >>> scores = score_clusterings(
    ...     WsiData("banks", table), {"perfect": [0, 0, 1, 1], "crossed": [0, 1, 0, 1]}
    ... )
    >>> scores[scores["measure"] == "b3"][["clustering", "value", "difference"]].round(2)
                clustering  value  difference
    1              perfect   1.00        0.00
    11             crossed   0.50       -0.50
    21         one cluster   0.67       -0.33
    31  one per occurrence   0.67       -0.33
    """
    if taken := {ONE_CLUSTER, ONE_PER_OCCURRENCE} & set(clusterings):
        raise InputError(f"{taken.pop()!r} is the name of a baseline: choose another name")
    if n_resamples < 1:
        raise InputError(f"n_resamples={n_resamples} must be at least 1")
    graded = memberships or {}
    measured = {
        name: word_measures(data, labels, graded.get(name)) for name, labels in clusterings.items()
    }
    measured[ONE_CLUSTER] = word_measures(data, np.zeros(len(data)))
    measured[ONE_PER_OCCURRENCE] = word_measures(data, np.arange(len(data)))
    first = next(iter(measured.values()))
    bootstrap = _WordBootstrap(n_resamples, seed)
    return pd.DataFrame(
        {"dataset": data.name, "clustering": name, **row}
        for name, table in measured.items()
        for row in _rows(table, first, bootstrap)
    )


def _rows(
    table: pd.DataFrame, first: pd.DataFrame, bootstrap: _WordBootstrap
) -> Iterator[dict[str, Any]]:
    for measure in WSI_MEASURES:
        value, words = bootstrap.of(measure, table)
        other, _ = bootstrap.of(measure, first)
        yield {
            "measure": measure,
            **_with_interval("value", "low", "high", value),
            **_with_interval("difference", "difference_low", "difference_high", value - other),
            "words": words,
        }


def _with_interval(name: str, low: str, high: str, values: Floats) -> dict[str, float]:
    ends = np.percentile(values[1:], [2.5, 97.5])
    return {name: float(values[0]), low: float(ends[0]), high: float(ends[1])}


# What is computed from means over words, and from which.
_OF_MEANS: Mapping[str, tuple[str, str, Callable[[Floats, Floats], Floats]]] = {
    "avg": ("v_measure", "paired_f", lambda v, f: np.sqrt(v * f)),
    "fuzzy_b3": (
        "fuzzy_b3_precision",
        "fuzzy_b3_recall",
        lambda p, r: 2 * p * r / np.maximum(p + r, np.finfo(float).tiny),
    ),
}


class _WordBootstrap:
    """Means over words and over resamples of them; the same resamples for the same words."""

    def __init__(self, n_resamples: int, seed: int) -> None:
        self._n_resamples = n_resamples
        self._seed = seed
        self._shares: dict[int, Floats] = {}

    def of(self, measure: str, table: pd.DataFrame) -> tuple[Floats, int]:
        """Return a measure of all words and of each resample, and how many words have it."""
        if measure in _OF_MEANS:
            first, second, combined = _OF_MEANS[measure]
            (a, words), (b, _) = self.of(first, table), self.of(second, table)
            return combined(a, b), words
        values = table[measure].dropna().to_numpy(np.float64)
        if len(values) == 0:
            return np.full(self._n_resamples + 1, np.nan), 0
        return np.concatenate([[values.mean()], self._resamples(len(values)) @ values]), len(values)

    def _resamples(self, n: int) -> Floats:
        """Return the share of each of n words in each resample."""
        if n not in self._shares:
            rng = np.random.default_rng(self._seed)
            draws = rng.multinomial(n, np.full(n, 1 / n), size=self._n_resamples)
            self._shares[n] = draws / n
        return self._shares[n]

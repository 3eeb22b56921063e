"""How clusters of occurrences agree with people's labels, for each word.

All measures come from the table of a word that counts how many occurrences each cluster shares
with each gold sense. The tables of all words are kept as one list of their nonzero cells.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from exrpca.errors import InputError
from exrpca.evaluation.wsi.data import WsiData
from exrpca.evaluation.wsi.fuzzy import fuzzy_b_cubed, fuzzy_nmi

WsiMeasure = Literal[
    "ari",
    "b3",
    "b3_precision",
    "b3_recall",
    "v_measure",
    "paired_f",
    "avg",
    "fuzzy_b3",
    "fuzzy_nmi",
    "clusters",
]
WSI_MEASURES: tuple[WsiMeasure, ...] = get_args(WsiMeasure)

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

# Entropies below this are 0 up to rounding.
_ZERO_ENTROPY = 1e-12


def word_measures(
    data: WsiData, clusters: ArrayLike, memberships: ArrayLike | None = None
) -> pd.DataFrame:
    """Score a clustering of the occurrences of each word.

    Parameters
    ----------
    data : WsiData
    clusters : array-like of shape (n_occurrences,)
        The cluster of each occurrence, numbers or strings. Clusters of different words are
        different, whatever their labels.
    memberships : array-like of shape (n_occurrences, n_clusters), optional
        How much each occurrence belongs to each cluster of its word, for the fuzzy measures; 0
        where it does not. By default, it belongs to its cluster alone.

    Returns
    -------
    DataFrame
        One row per word, indexed by the word in sorted order: `occurrences`, `senses` (gold
        ones) and the measures:

        - `ari`: adjusted Rand index; NaN for words with one gold sense, where it says nothing;
        - `b3`, `b3_precision`, `b3_recall`: B³, the share of an occurrence's cluster that has
          its gold sense and the share of its gold sense that is in its cluster, averaged over
          occurrences, and their harmonic mean;
        - `v_measure`: harmonic mean of homogeneity and completeness;
        - `paired_f`: F₁ over the pairs of occurrences that are in the same cluster and in the
          same gold sense; 1 where there is no such pair on either side;
        - `fuzzy_b3_precision`, `fuzzy_b3_recall`, `fuzzy_nmi`: SemEval-2013's, see
          `fuzzy_b_cubed` and `fuzzy_nmi`;
        - `clusters`: how many there are.

    Examples
    --------
    >>> table = pd.DataFrame({
    ...     "word": "bank", "lemma": "bank", "left": "", "target": "bank", "right": "",
    ...     "gold": ["shore", "shore", "money", "money"],
    ... })
    >>> word_measures(WsiData("banks", table), [0, 0, 0, 1]).round(3).T
    word                 bank
    occurrences         4.000
    senses              2.000
    ari                 0.000
    b3                  0.706
    b3_precision        0.667
    b3_recall           0.750
    v_measure           0.344
    paired_f            0.400
    fuzzy_b3_precision  0.250
    fuzzy_b3_recall     0.500
    fuzzy_nmi           0.311
    clusters            2.000
    """
    labels = np.asarray(clusters)
    if labels.shape != (len(data),):
        raise InputError(
            f"clusters have shape {labels.shape}, expected one for each of the {len(data)} "
            f"occurrences of {data.name}"
        )
    if (missing := pd.isna(labels)).any():
        raise InputError(f"occurrence {missing.argmax()} of {data.name} has no cluster")
    word, words = pd.factorize(data.table["word"], sort=True)
    gold = _groups(word, data.table["gold"].to_numpy(dtype=object))
    found = _groups(word, labels)
    cells = _cells(found, gold)
    n = np.bincount(word).astype(np.float64)
    precision, recall = _b_cubed(cells, found, gold, n)
    fuzzy = _fuzzy(word, gold, found, memberships)
    pairs = _pairs(cells, found, gold, len(n))
    n_gold = np.bincount(gold.word)
    return pd.DataFrame(
        {
            "occurrences": n.astype(np.int64),
            "senses": n_gold,
            "ari": np.where(n_gold > 1, _adjusted_rand(pairs, n), np.nan),
            "b3": _harmonic(precision, recall),
            "b3_precision": precision,
            "b3_recall": recall,
            "v_measure": _v_measure(cells, found, gold, n),
            "paired_f": _paired_f(pairs),
            "fuzzy_b3_precision": fuzzy[:, 0],
            "fuzzy_b3_recall": fuzzy[:, 1],
            "fuzzy_nmi": fuzzy[:, 2],
            "clusters": np.bincount(found.word),
        },
        index=pd.Index(words, name="word"),
    )


class _Groups(NamedTuple):
    """Clusters or gold senses, numbered over all words, those of the first word first."""

    of: Integers  # the group of each occurrence
    word: Integers  # the word of each group
    size: Floats


def _groups(word: Integers, labels: NDArray[Any]) -> _Groups:
    code, values = pd.factorize(labels)
    n_codes = len(values)
    key, of, size = np.unique(word * n_codes + code, return_inverse=True, return_counts=True)
    return _Groups(of, key // n_codes, size.astype(np.float64))


class _Cells(NamedTuple):
    """The nonzero cells of the contingency tables."""

    cluster: Integers
    sense: Integers
    word: Integers
    size: Floats


def _cells(found: _Groups, gold: _Groups) -> _Cells:
    n_senses = len(gold.size)
    key, size = np.unique(found.of * n_senses + gold.of, return_counts=True)
    cluster, sense = np.divmod(key, n_senses)
    return _Cells(cluster, sense, found.word[cluster], size.astype(np.float64))


def _b_cubed(cells: _Cells, found: _Groups, gold: _Groups, n: Floats) -> tuple[Floats, Floats]:
    squared = cells.size**2
    precision = _sums(cells.word, squared / found.size[cells.cluster], len(n)) / n
    recall = _sums(cells.word, squared / gold.size[cells.sense], len(n)) / n
    return precision, recall


class _Pairs(NamedTuple):
    """For each word, its pairs of occurrences that are together in both, or in one."""

    both: Floats
    in_cluster: Floats
    in_sense: Floats


def _pairs(cells: _Cells, found: _Groups, gold: _Groups, n_words: int) -> _Pairs:
    parts = (cells, found, gold)
    return _Pairs(*(_sums(part.word, _n_pairs(part.size), n_words) for part in parts))


def _adjusted_rand(pairs: _Pairs, n: Floats) -> Floats:
    total = np.maximum(_n_pairs(n), 1)  # a single occurrence has no pairs
    expected = pairs.in_cluster * pairs.in_sense / total
    highest = (pairs.in_cluster + pairs.in_sense) / 2
    # both clusterings are trivial, and the same, where nothing can exceed chance
    return _ratio(pairs.both - expected, highest - expected, otherwise=1)


def _paired_f(pairs: _Pairs) -> Floats:
    return _ratio(2 * pairs.both, pairs.in_cluster + pairs.in_sense, otherwise=1)


def _v_measure(cells: _Cells, found: _Groups, gold: _Groups, n: Floats) -> Floats:
    of_sense, of_cluster, of_both = (
        _entropy(part.word, part.size, n) for part in (gold, found, cells)
    )
    information = np.maximum(of_sense + of_cluster - of_both, 0)
    homogeneity = _ratio(information, of_sense, otherwise=1)
    completeness = _ratio(information, of_cluster, otherwise=1)
    return _harmonic(homogeneity, completeness)


def _fuzzy(word: Integers, gold: _Groups, found: _Groups, memberships: ArrayLike | None) -> Floats:
    """Return fuzzy B³ precision and recall and fuzzy NMI of each word."""
    weights = None if memberships is None else np.asarray(memberships, dtype=np.float64)
    if weights is not None and (weights.ndim != 2 or len(weights) != len(word)):
        raise InputError(
            f"memberships have shape {weights.shape}, expected one row for each of the "
            f"{len(word)} occurrences"
        )
    rows = []
    for own in np.split(np.argsort(word, kind="stable"), np.cumsum(np.bincount(word))[:-1]):
        senses = _one_hot(gold.of[own])
        clusters = _one_hot(found.of[own]) if weights is None else weights[own]
        rows.append([*fuzzy_b_cubed(senses, clusters), fuzzy_nmi(senses, clusters)])
    return np.array(rows)


def _one_hot(groups: Integers) -> Floats:
    return np.asarray(groups[:, None] == np.unique(groups), dtype=np.float64)


def _entropy(word: Integers, size: Floats, n: Floats) -> Floats:
    share = size / n[word]
    entropy = _sums(word, -share * np.log(share), len(n))
    entropy[entropy < _ZERO_ENTROPY] = 0
    return entropy


def _sums(word: Integers, values: Floats, n_words: int) -> Floats:
    return np.bincount(word, values, minlength=n_words).astype(np.float64, copy=False)


def _n_pairs(n: Floats) -> Floats:
    return n * (n - 1) / 2


def _harmonic(a: Floats, b: Floats) -> Floats:
    return _ratio(2 * a * b, a + b, otherwise=0)


def _ratio(a: Floats, b: Floats, *, otherwise: float) -> Floats:
    """Return a / b, and `otherwise` where b is 0."""
    return np.divide(a, b, out=np.full_like(a, otherwise), where=b != 0)

"""Merging: the pseudo senses of a word become one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import csr_array

from exrpca.errors import InputError
from exrpca.senses import SenseVectors

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

_JOINED_BELOW = 0.5


def merge(senses: SenseVectors, pairs: pd.DataFrame) -> tuple[SenseVectors, pd.DataFrame]:
    """Join the senses of each word that are pseudo senses of each other.

    Within a word, average linkage joins the two nearest groups of senses as long as the pairs
    between them are pseudo on average. The distance of two senses is the mean of the verdict
    (0 pseudo, 1 real) and the probability that they are real, so a word with two senses
    follows the verdict. Groups nearer than ½ are joined. A merged vector is the mean of its
    senses, weighted by their counts if there are any; so is a merged center. Global vectors stay.

    Parameters
    ----------
    senses : SenseVectors
    pairs : DataFrame
        Columns `word`, `sense_a`, `sense_b` and `verdict` ("real" or "pseudo"), with all pairs
        of each word in it, as `detect` returns; `probability` is used if there is one. Other
        words stay as they are.

    Returns
    -------
    merged : SenseVectors
        Senses numbered from 0 in the order of their first old sense.
    mapping : DataFrame
        Columns `word`, `old_sense` and `new_sense`: one row for each sense of `senses`.

    Examples
    --------
    >>> senses = SenseVectors(["bank"], [[1, 0], [0, 1], [0, 3]], [3], counts=[5, 3, 1])
    >>> pairs = pd.DataFrame({
    ...     "word": "bank", "sense_a": [0, 0, 1], "sense_b": [1, 2, 2],
    ...     "verdict": ["real", "real", "pseudo"],
    ... })
    >>> merged, mapping = merge(senses, pairs)
    >>> merged["bank"]
    array([[1. , 0. ],
           [0. , 1.5]], dtype=float32)
    >>> mapping
       word  old_sense  new_sense
    0  bank          0          0
    1  bank          1          1
    2  bank          2          1
    """
    if len(pairs) == 0:
        return senses, _mapping(senses, np.arange(len(senses.vectors)))
    first_rows, distances = _distances(senses, pairs)
    group = np.arange(len(senses.vectors))
    words = senses.word_of_row[first_rows]
    starts = np.flatnonzero(np.diff(words, prepend=-1))
    for begin, end in zip(starts, [*starts[1:], len(words)], strict=True):
        row = first_rows[begin]
        labels = _average_linkage(distances[begin:end])
        group[row : row + len(labels)] = row + labels
    # a group's label is its first row: sorting the labels puts the groups in order
    kept, new_row = np.unique(group, return_inverse=True)
    return _joined(senses, kept, new_row), _mapping(senses, new_row)


def _distances(senses: SenseVectors, pairs: pd.DataFrame) -> tuple[Integers, Floats]:
    """Return the first row and the distance of each pair, word after word, in condensed order."""
    _check_columns(pairs)
    verdict = (pairs["verdict"] == "real").to_numpy(dtype=np.float64)
    certainty = pairs["probability"].to_numpy() if "probability" in pairs else verdict
    position = {word: senses.index(word) for word in pairs["word"].unique()}
    words = pairs["word"].map(position).to_numpy(dtype=np.int64)
    sense = np.sort(pairs[["sense_a", "sense_b"]].to_numpy(dtype=np.int64), axis=1)
    bad = (sense[:, 0] < 0) | (sense[:, 1] >= senses.n_senses[words])
    if bad.any():
        word, a, b = pairs[["word", "sense_a", "sense_b"]].iloc[int(bad.argmax())]
        raise InputError(f"{word!r} has no pair of senses {a} and {b}")
    rows = senses.offsets[words][:, None] + sense
    order = np.lexsort((rows[:, 1], rows[:, 0]))
    _check_complete(senses, rows[order], words)
    return rows[order, 0], ((verdict + certainty) / 2)[order]


def _check_columns(pairs: pd.DataFrame) -> None:
    missing = [c for c in ("word", "sense_a", "sense_b", "verdict") if c not in pairs]
    if missing:
        raise InputError(f"pairs has no column {', '.join(missing)}; `detect` returns them all")
    unknown = set(pairs["verdict"]) - {"real", "pseudo"}
    if unknown:
        raise InputError(f"the verdict {unknown.pop()!r} must be real or pseudo")
    if "probability" in pairs:
        _check_probability(pairs["probability"])


def _check_probability(probability: pd.Series[Any]) -> None:
    if not pd.api.types.is_numeric_dtype(probability):
        raise InputError(f"the probabilities are {probability.dtype}, expected numbers")
    bad = ~probability.between(0, 1).to_numpy(dtype=bool, na_value=False)
    if bad.any():
        raise InputError(f"the probability {probability[bad].iloc[0]} must be between 0 and 1")


def _check_complete(senses: SenseVectors, rows: Integers, words: Integers) -> None:
    twice = (rows[:, 0] == rows[:, 1]) | (np.diff(rows, axis=0, prepend=-1) == 0).all(axis=1)
    if twice.any():
        word = senses.words[int(senses.word_of_row[rows[int(twice.argmax()), 0]])]
        raise InputError(f"a pair of {word!r} appears twice, or pairs a sense with itself")
    named, n_pairs = np.unique(words, return_counts=True)
    expected = senses.n_senses[named] * (senses.n_senses[named] - 1) // 2
    if (n_pairs != expected).any():
        at = int((n_pairs != expected).argmax())
        word = senses.words[int(named[at])]
        raise InputError(f"{n_pairs[at]} pairs of {word!r}, expected all {expected[at]}")


def _average_linkage(distances: Floats) -> Integers:
    """Return for each sense the first sense of its group, from condensed distances."""
    apart = distances >= _JOINED_BELOW
    n_senses = (1 + math.isqrt(1 + 8 * len(distances))) // 2
    if not apart.any():  # most words, which need no tree
        return np.zeros(n_senses, dtype=np.int64)
    if apart.all():
        return np.arange(n_senses)
    tree = linkage(distances, method="average")
    # fcluster joins at distances up to and including t
    label = fcluster(tree, t=np.nextafter(_JOINED_BELOW, 0), criterion="distance")
    _, first, group = np.unique(label, return_index=True, return_inverse=True)
    return np.asarray(first[group], dtype=np.int64)


def _mapping(senses: SenseVectors, new_row: Integers) -> pd.DataFrame:
    words = senses.word_of_row
    first = senses.offsets[words]
    return pd.DataFrame(
        {
            "word": np.array(senses.words, dtype=object)[words],
            "old_sense": np.arange(len(words)) - first,
            "new_sense": new_row - new_row[first],
        }
    )


def _joined(senses: SenseVectors, kept: Integers, new_row: Integers) -> SenseVectors:
    n_old, n_new = len(new_row), len(kept)
    counts = np.ones(n_old) if senses.counts is None else senses.counts.astype(np.float64)
    total = np.bincount(new_row, counts)
    # senses without any tokens have equal weights
    weights = np.where(total[new_row] > 0, counts, 1.0)
    weights /= np.bincount(new_row, weights)[new_row]
    mean = csr_array((weights.astype(np.float32), (new_row, np.arange(n_old))), (n_new, n_old))
    return SenseVectors(
        senses.words,
        mean @ senses.vectors,
        np.bincount(senses.word_of_row[kept]),
        counts=None if senses.counts is None else total.astype(np.int64),
        centers=None if senses.centers is None else mean @ senses.centers,
        globals=senses.globals,
        metadata={**senses.metadata, "merged": {"senses_before": n_old}},
    )

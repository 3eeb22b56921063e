"""The verdict on each pair of senses, and the neighbors that are the reason for it."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.cleaning import SenseDecomposition, detect
from exrpca.senses import SenseVectors
from exrpca.senses.cosine import unit_vectors
from exrpca.senses.metadata import is_induced

# How many neighbors of each sense are compared, but not more than this share of all words: 100 of
# 200 words would be shared by chance.
_NEIGHBORS = 100
_LARGEST_SHARE = 0.1
_NAMED = 4  # of those shared
_BLOCK = 128


def judged_pairs(decomposition: SenseDecomposition) -> tuple[pd.DataFrame, str]:
    """Return the pairs of `detect`, and why they are to be doubted, if they are.

    Those of induced senses keep the verdict of `induce`, which compared the occurrences
    themselves and kept the senses apart: they are real.
    """
    senses = decomposition.senses
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        pairs = detect(decomposition)
    doubts = [str(each.message) for each in caught if each.category is UserWarning]
    if "shared" not in pairs:
        pairs = with_shared_neighbors(senses, pairs)
    if is_induced(senses.metadata):
        pairs = pairs.assign(verdict="real", probability=np.nan)
    return pairs, "; ".join(doubts)


def n_neighbors(senses: SenseVectors) -> int:
    """Return how many neighbors of each sense are compared."""
    return max(1, min(_NEIGHBORS, int(_LARGEST_SHARE * len(senses))))


def with_shared_neighbors(senses: SenseVectors, pairs: pd.DataFrame) -> pd.DataFrame:
    """Add how many of their nearest words two senses share, some of these, and the cosine."""
    first = senses.offsets[[senses.index(word) for word in pairs["word"]]]
    rows_a, rows_b = first + pairs["sense_a"].to_numpy(), first + pairs["sense_b"].to_numpy()
    near = _nearest_words(senses)
    found = [
        near[a][np.isin(near[a], near[b], assume_unique=True)]
        for a, b in zip(rows_a, rows_b, strict=True)
    ]
    unit = unit_vectors(senses.vectors)
    named = [tuple(senses.words[i] for i in words[:_NAMED]) for words in found]
    return pairs.assign(
        shared=[len(words) for words in found],
        examples=pd.Series(named, index=pairs.index, dtype=object),
        cosine=np.einsum("nd,nd->n", unit[rows_a], unit[rows_b]),
    )


def _nearest_words(senses: SenseVectors) -> NDArray[np.int64]:
    """Return for each sense its nearest words, the nearest first, without its own."""
    unit = unit_vectors(senses.vectors)
    n = n_neighbors(senses)
    nearest = np.empty((len(unit), n), dtype=np.int64)
    for start in range(0, len(unit), _BLOCK):
        own = np.arange(start, min(start + _BLOCK, len(unit)))
        cosines = np.maximum.reduceat(unit[own] @ unit.T, senses.offsets[:-1], axis=1)
        cosines[np.arange(len(own)), senses.word_of_row[own]] = -2
        best = np.argpartition(-cosines, n - 1, axis=1)[:, :n] if n else cosines[:, :0].astype(int)
        order = np.argsort(-np.take_along_axis(cosines, best, axis=1), axis=1, kind="stable")
        nearest[own] = np.take_along_axis(best, order, axis=1)
    return nearest

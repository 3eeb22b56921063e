"""A linear map that draws the senses of pseudo pairs together, given a score for pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.senses import DifferenceMatrix, SenseVectors

Integers = NDArray[np.int64]
Floats = NDArray[Any]
# Scores how alike the senses in one set of rows are to those in another, pair by pair.
PairScore = Callable[[Integers, Integers], Floats]
# Turns the neighbors of senses, one row of word positions per sense, into rows to multiply.
Profiles = Callable[[Integers], Any]

# A pair is pseudo when two senses of unrelated words score as high in one case of twenty.
_NULL_QUANTILE = 0.95
# The weight of staying as it was, as a share of the mean variance of the vectors.
_RIDGE = 0.01
_N_NEIGHBORS = 20
_NEIGHBOR_BLOCK = 128


def join_pseudo_senses(
    senses: SenseVectors, profiles: Profiles, *, n_pairs: int, seed: int
) -> SenseVectors:
    """Map the senses of pseudo pairs to their mean; the neighbors of senses tell which are.

    Parameters
    ----------
    senses : SenseVectors
    profiles : callable
        Turns the words of each sense's nearest neighbors into a row; the product of two
        rows is the score of a pair.
    n_pairs : int
        How many pairs, drawn at random, the map is fitted to.
    seed : int
    """
    differences = DifferenceMatrix(senses)
    chosen = np.random.default_rng(seed).permutation(len(differences))[:n_pairs]
    rows_a, rows_b = differences.rows_a[chosen], differences.rows_b[chosen]
    rows = np.unique(np.concatenate([rows_a, rows_b]))
    profile = profiles(nearest_words(senses, rows, _N_NEIGHBORS))

    def score(first: Integers, second: Integers) -> Floats:
        a, b = (profile[np.searchsorted(rows, side)] for side in (first, second))
        return np.asarray((a * b).sum(axis=1))

    return map_pseudo_pairs(senses, score, rows_a, rows_b, seed)


def map_pseudo_pairs(
    senses: SenseVectors, score: PairScore, rows_a: Integers, rows_b: Integers, seed: int
) -> SenseVectors:
    """Map all sense vectors so that the two members of pseudo pairs go to their mean.

    A pair is pseudo when its score is above the 95th percentile of the scores of senses of
    different words, drawn by pairing the same rows again. With V the members of pseudo pairs
    and M the means of their pairs, both in rows, the map A minimizes
    ‖V A − M‖² + α ‖A − I‖², α a hundredth of the mean variance along a dimension.
    """
    shuffled = np.random.default_rng(seed).permutation(rows_b)
    different = senses.word_of_row[rows_a] != senses.word_of_row[shuffled]
    if not different.any():
        raise InputError("pseudo pairs cannot be found with only one multi-sense word")
    limit = np.quantile(score(rows_a[different], shuffled[different]), _NULL_QUANTILE)
    pseudo = score(rows_a, rows_b) > limit
    if not pseudo.any():
        return senses
    a, b = senses.vectors[rows_a[pseudo]], senses.vectors[rows_b[pseudo]]
    return senses.replace(vectors=senses.vectors @ _ridge_map(a, b).astype(np.float32))


def nearest_words(senses: SenseVectors, rows: Integers, n: int) -> Integers:
    """Return the words of the `n` senses nearest to each row by cosine, other words' only."""
    unit = senses.vectors / np.maximum(senses.norms, np.finfo(np.float32).tiny)[:, None]
    words = senses.word_of_row
    n = min(n, len(unit) - int(senses.n_senses.max()))
    if n < 1:
        raise InputError("there are no other words that could be neighbors")
    nearest = np.empty((len(rows), n), dtype=np.int64)
    for start in range(0, len(rows), _NEIGHBOR_BLOCK):
        block = rows[start : start + _NEIGHBOR_BLOCK]
        cosine = unit[block] @ unit.T
        for i, row in enumerate(block):
            own = words[row]
            cosine[i, senses.offsets[own] : senses.offsets[own + 1]] = -np.inf
        nearest[start : start + len(block)] = np.argpartition(cosine, -n, axis=1)[:, -n:]
    return np.asarray(words[nearest])


def _ridge_map(a: Floats, b: Floats) -> Floats:
    members = np.concatenate([a, b]).astype(np.float64)
    means = np.tile((a + b) / 2, (2, 1)).astype(np.float64)
    gram = members.T @ members
    ridge = _RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram))
    return np.linalg.solve(gram + ridge, members.T @ means + ridge)

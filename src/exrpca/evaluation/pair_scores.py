"""Scores of sense pairs to compare the default of `detect` with; the higher, the more they differ.

They are too slow, or need too much besides the vectors, to be offered by name in `detect`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.cleaning.projector import Projector
from exrpca.errors import InputError
from exrpca.evaluation.baselines.pseudo_map import nearest_words
from exrpca.evaluation.baselines.wordnet_map import wordnet_profiles
from exrpca.senses import DifferenceMatrix

Floats = NDArray[Any]
Rows = NDArray[np.int64]

_N_NEIGHBORS = 20


def neighbor_overlap(differences: DifferenceMatrix, rows: Rows) -> Floats:
    """Return how many of the 20 nearest words of one sense are not among those of the other.

    References
    ----------
    Shi, Wang, Sun, Hu (2018). Constructing High Quality Sense-specific Corpus and Word
    Embedding via Unsupervised Elimination of Pseudo Multi-sense. LREC 2018.
    """
    a, b = _neighbors(differences, rows)
    shared = (a[:, :, None] == b[:, None, :]).any(axis=2).sum(axis=1)
    return np.asarray(_N_NEIGHBORS - shared, dtype=np.float64)


def wordnet_distance(differences: DifferenceMatrix, rows: Rows) -> Floats:
    """Return 1 − cos of what WordNet says of the 20 nearest words of either sense."""
    a, b = _neighbors(differences, rows)
    profiles = wordnet_profiles(differences.senses, np.concatenate([a, b]))
    first, second = profiles[: len(rows)], profiles[len(rows) :]
    return 1 - np.asarray(first.multiply(second).sum(axis=1))


def outlier_pursuit(differences: DifferenceMatrix, rank: int, *, rounds: int = 10) -> Floats:
    """Return how far each difference is from components fitted without outlying rows.

    ‖S_p‖ sets single elements aside; this sets whole rows aside: those farther from the
    components than three times the median distance.
    """
    X = differences[:]
    kept = np.ones(len(X), dtype=bool)
    for _ in range(rounds):
        gram = X[kept].T @ X[kept]
        components = np.linalg.eigh(gram.astype(np.float64))[1][:, -rank:].T
        distance = np.linalg.norm(Projector(components.astype(X.dtype)).apply(X), axis=1)
        near = distance <= 3 * np.median(distance)
        if (near == kept).all():
            break
        kept = near
    return np.asarray(distance)


def null_model(differences: DifferenceMatrix) -> Floats:
    """Return how much longer each difference is than chance makes it at the senses' counts.

    The squared length that chance makes is taken as c₀ + c₁ (1/n_a + 1/n_b), fitted to the
    medians of pairs of like counts.
    """
    counts = differences.senses.counts
    if counts is None:
        raise InputError("the null model needs counts; there are none")
    n = np.maximum(counts, 1)
    chance = 1 / n[differences.rows_a] + 1 / n[differences.rows_b]
    blocks = differences.blocks()
    squares = np.concatenate([np.einsum("nd,nd->n", block, block) for block in blocks])
    edges = np.quantile(chance, np.linspace(0, 1, 21)[1:-1])
    bins = np.searchsorted(edges, chance)
    found = np.unique(bins)
    medians = np.array([np.median(squares[bins == i]) for i in found])
    middle = np.array([np.median(chance[bins == i]) for i in found])
    slope, constant = np.polyfit(middle, medians, 1)
    expected = np.maximum(constant + slope * chance, 0.1 * np.median(squares))
    return np.asarray(squares / expected)


def _neighbors(differences: DifferenceMatrix, rows: Rows) -> tuple[Rows, Rows]:
    wanted = np.concatenate([differences.rows_a[rows], differences.rows_b[rows]])
    senses, place = np.unique(wanted, return_inverse=True)
    nearest = nearest_words(differences.senses, senses, _N_NEIGHBORS)[place]
    return nearest[: len(rows)], nearest[len(rows) :]

"""Pseudo pairs by the global vectors of their neighbors, and a map that joins them."""

from __future__ import annotations

import numpy as np

from exrpca.errors import InputError
from exrpca.evaluation.baselines.pseudo_map import Floats, Integers, join_pseudo_senses
from exrpca.senses import SenseVectors
from exrpca.senses.cosine import unit_vectors


def neighbor_map(senses: SenseVectors, *, n_pairs: int = 5000, seed: int = 0) -> SenseVectors:
    """Map the senses of pseudo pairs to their mean; neighbors decide which are pseudo.

    A pair's score is the mean cosine between the global vectors of the 20 nearest
    neighbors of one sense and those of the other. `map_pseudo_pairs` says what follows.

    Parameters
    ----------
    senses : SenseVectors
        With global vectors.
    n_pairs : int, default 5000
        How many pairs, drawn at random, the map is fitted to.
    seed : int, default 0

    Returns
    -------
    SenseVectors

    References
    ----------
    Shi, Wang, Sun, Hu (2018). Constructing High Quality Sense-specific Corpus and Word
    Embedding via Unsupervised Elimination of Pseudo Multi-sense. LREC 2018.
    """
    if senses.globals is None:
        raise InputError("the baseline 'neighbors' needs globals; there are none")
    unit = unit_vectors(senses.globals)

    def profiles(neighbors: Integers) -> Floats:
        # the product of two means of unit vectors is the mean of all cosines between them
        return np.asarray(unit[neighbors].mean(axis=1))

    return join_pseudo_senses(senses, profiles, n_pairs=n_pairs, seed=seed)

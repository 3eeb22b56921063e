"""The directions that pseudo senses share, and which of them are worth removing.

A direction is worth removing if it says little about the word: along it, two senses of one word
that are not really different have coordinates that hardly correlate. A direction in which they
agree tells words apart, and removing it would lose that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from exrpca.cleaning.decompositions import DECOMPOSITIONS, check_method
from exrpca.cleaning.detect import detect
from exrpca.cleaning.pair_geometry import Floats
from exrpca.senses import DifferenceMatrix, SenseVectors

# Directions are removed up to this correlation. Chosen on five files, between 0.11 and 0.29.
_MOST_CORRELATED = 0.25
_MOST_DIRECTIONS = 5
# Each direction needs so many pairs.
_PAIRS_PER_DIRECTION = 20
_SAMPLE = 20_000
_SEED = 0


@dataclass(frozen=True)
class SharedDirections:
    """The leading directions in which senses that are not really different differ.

    Attributes
    ----------
    components : ndarray of shape (n_directions, dim)
        Orthonormal rows, the largest first.
    explained : ndarray of shape (n_directions,)
        The share of the variance of these differences along each.
    correlations : ndarray of shape (n_directions,)
        Along each, the correlation of the coordinates of two such senses of one word.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> find_shared_directions(make_senses(n_components=2).senses).rank
    2
    """

    components: Floats
    explained: Floats
    correlations: Floats

    @property
    def rank(self) -> int:
        """How many of the leading directions are worth removing."""
        stays = np.append(self.correlations > _MOST_CORRELATED, True)
        return int(stays.argmax())


def find_shared_directions(
    senses: SenseVectors, pairs: pd.DataFrame | None = None, *, method: str = "exrpca"
) -> SharedDirections:
    """Find the directions that pseudo pairs share.

    Real pairs would distort them, so only the more alike half of the pairs that are not called
    real is used: many real pairs are undecided.

    Parameters
    ----------
    senses : SenseVectors
        At least one word must have two senses.
    pairs : DataFrame, optional
        From `detect(senses)`, which is called if it is not given.
    method : {"exrpca", "pca", "rpca", "convex"}, default "exrpca"
        How the directions are found.

    Returns
    -------
    SharedDirections
        At most 5, and none where there are fewer than 20 such pairs.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> directions = find_shared_directions(make_senses(n_components=2).senses)
    >>> (directions.correlations < 0.25).tolist()
    [True, True, False, False, False]
    """
    check_method(method)
    differences = DifferenceMatrix(senses)
    pairs = detect(senses) if pairs is None else pairs
    alike = pairs["score"][pairs["verdict"] != "real"]
    usable = np.flatnonzero((pairs["verdict"] != "real") & (pairs["score"] <= alike.median()))
    n_directions = min(_MOST_DIRECTIONS, len(usable) // _PAIRS_PER_DIRECTION, senses.dim - 1)
    if n_directions < 1:
        return SharedDirections(np.empty((0, senses.dim)), np.empty(0), np.empty(0))
    rng = np.random.default_rng(_SEED)
    some = np.sort(rng.choice(usable, min(_SAMPLE, len(usable)), replace=False))
    fitted = DECOMPOSITIONS[method](n_directions).fit(differences[some])
    a, b = (
        senses.vectors[rows[some]] @ fitted.components_.T
        for rows in (differences.rows_a, differences.rows_b)
    )
    shared, apart = (a * b).mean(axis=0), ((a - b) ** 2).mean(axis=0) / 2
    return SharedDirections(
        fitted.components_,
        fitted.explained_variance_ratio_,
        shared / np.maximum(shared + apart, 1e-30),
    )

"""Cleaning: the directions in which pseudo senses differ are removed by projection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.cleaning.detect import judge_by_neighbors
from exrpca.cleaning.projector import Projector
from exrpca.cleaning.sense_decomposition import (
    DECOMPOSITIONS,
    DEFAULT_METHOD,
    SenseDecomposition,
    check_method,
    cleaned_by,
)
from exrpca.errors import InputError
from exrpca.senses import DifferenceMatrix, SenseVectors

Rank = int | Literal["auto"]
Floats = NDArray[Any]

# Directions are removed up to this correlation. Chosen between those of planted directions, up to
# 0.13, and of the bundled vectors, 0.21 and more: no removal has helped these.
_MOST_CORRELATED = 0.17
_MOST_DIRECTIONS = 5
# Each direction needs this many pairs.
_PAIRS_PER_DIRECTION = 20
# The pairs that directions are found from.
_SAMPLE = 20_000
_SEED = 0


def clean(
    senses: SenseVectors | SenseDecomposition, *, method: str | None = None, rank: Rank = "auto"
) -> SenseVectors:
    """Remove the directions of pseudo senses from all sense vectors.

    The directions are the components of the matrix of differences between the senses of
    each word. Centers and global vectors, which choose the sense in context, stay.

    Parameters
    ----------
    senses : SenseVectors or SenseDecomposition
        Vectors, with at least one word that has two senses, or their fitted decomposition, whose
        components are removed.
    method : {"exrpca", "pca", "rpca", "convex"}, optional
        How the components are found; "exrpca" by default. Not with a decomposition.
    rank : int or "auto", default "auto"
        How many components are removed, 1 to dim − 1. "auto" finds them from the pairs that
        `detect` does not call real, and removes the leading ones that say little about the word:
        along them, the correlation of two senses of one word is at most 0.17. There may be none.
        Not with a decomposition.

    Returns
    -------
    SenseVectors
        The cleaned ones; `metadata["cleaned"]` says how, with the rank.

    References
    ----------
    H. Shi, Y. Sun, J. Hu. Understanding and Improving Multi-Sense Word Embeddings via
    Extended Robust Principal Component Analysis. 2018.

    Examples
    --------
    >>> from exrpca import clean, make_senses
    >>> planted = make_senses(n_words=500, dim=20, n_components=2, seed=0)
    >>> cleaned = clean(planted.senses)
    >>> cleaned.metadata["cleaned"]
    {'method': 'exrpca', 'rank': 2}
    >>> bool(abs(cleaned.vectors @ planted.components.T).max() < 0.2)
    True
    """
    if isinstance(senses, SenseDecomposition):
        if method is not None or rank != "auto":
            raise InputError("a SenseDecomposition is already fitted: leave out method and rank")
        return senses.cleaned
    method = method or DEFAULT_METHOD
    if rank == "auto":
        directions = find_shared_directions(senses, method=method)
        return cleaned_by(Projector(directions.components[: directions.rank]), senses, method)
    decomposition = SenseDecomposition.fit(senses, method=method, rank=rank)
    if decomposition.rank < rank:
        raise InputError(
            f"method={method!r} found {decomposition.rank} components, fewer than rank={rank}"
        )
    return decomposition.cleaned


@dataclass(frozen=True)
class SharedDirections:
    """The leading directions in which senses that are not really different differ.

    A direction is worth removing if it says little about the word: along it, two such senses of
    one word have coordinates that hardly correlate. A direction in which they agree tells words
    apart, and removing it would lose that.

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
    senses: SenseVectors, pairs: pd.DataFrame | None = None, *, method: str = DEFAULT_METHOD
) -> SharedDirections:
    """Find the directions that pseudo pairs share.

    Real pairs would distort them, so only pairs that are not called real are used.

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
    >>> (directions.correlations < 0.17).tolist()
    [True, True, False, False, False]
    """
    check_method(method)
    differences = DifferenceMatrix(senses)
    pairs = judge_by_neighbors(differences)[0] if pairs is None else pairs
    usable = np.flatnonzero(pairs["verdict"] != "real")
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

"""How much the differences between senses vary along each direction."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.cleaning import SenseDecomposition

Floats = NDArray[Any]


def spectrum(decomposition: SenseDecomposition) -> tuple[Floats, Floats]:
    """Return the directions of X − S, and the variance along each.

    Parameters
    ----------
    decomposition : SenseDecomposition

    Returns
    -------
    variances : ndarray of shape (dim,)
        Sums of squares over all pairs, largest first.
    directions : ndarray of shape (dim, dim)
        Orthonormal rows; the first ones are the components.
    """
    dim = decomposition.senses.dim
    gram = np.zeros((dim, dim))
    for _, kept in decomposition.blocks():
        gram += kept.T @ kept
    values, vectors = np.linalg.eigh(gram)
    return values[::-1], vectors[:, ::-1].T

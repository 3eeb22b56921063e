"""Cosines: one vector with many, and vectors of length 1, whose products are cosines."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# Rows multiplied at a time: bounds memory, keeps BLAS busy.
_BLOCK = 65_536


def cosines(vectors: Floats, norms: Floats, vector: Floats) -> Floats:
    """Return the cosine of one vector with every row of `vectors`; 0 where either is 0.

    Parameters
    ----------
    vectors : ndarray of shape (n_rows, dim)
    norms : ndarray of shape (n_rows,)
        The lengths of the rows.
    vector : ndarray of shape (dim,)
    """
    dots = np.empty(len(vectors), dtype=np.float32)
    for start in range(0, len(dots), _BLOCK):
        block = slice(start, start + _BLOCK)
        np.dot(vectors[block], vector, out=dots[block])
    lengths = norms * np.linalg.norm(vector)
    return np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)


def unit_vectors(vectors: NDArray[Any]) -> NDArray[Any]:
    """Return vectors, along the last axis, at length 1; those of length 0 stay 0."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1))

"""Distances between the two rows of each pair, some thousand pairs at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Rows = NDArray[np.int64]

# Pairs read at a time: intermediate results stay small compared with the vectors.
_BLOCK = 8192

# Rows may be equal. The shortest length that has a logarithm, as a share of the median length.
_SHORTEST = 0.01


def lengths(vectors: Floats, rows_a: Rows, rows_b: Rows) -> NDArray[np.float64]:
    """Return the length of the difference of the two rows of each pair.

    Examples
    --------
    >>> lengths(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([0]), np.array([1]))
    array([5.])
    """
    found = np.empty(len(rows_a))
    for block in _blocks(len(rows_a)):
        found[block] = np.linalg.norm(vectors[rows_a[block]] - vectors[rows_b[block]], axis=1)
    return found


def log_lengths(vectors: Floats, rows_a: Rows, rows_b: Rows) -> NDArray[np.float64]:
    """Return the logarithm of the length of the difference of the two rows of each pair.

    Examples
    --------
    >>> log_lengths(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([0]), np.array([1])).round(2)
    array([1.61])
    """
    found = lengths(vectors, rows_a, rows_b)
    shortest = max(_SHORTEST * float(np.median(found)), float(np.finfo(np.float32).tiny))
    return np.asarray(np.log(np.maximum(found, shortest)))


def cosine_distances(vectors: Floats, rows_a: Rows, rows_b: Rows) -> NDArray[np.float64]:
    """Return 1 − cos of the two rows of each pair; 1 where either row is 0.

    Examples
    --------
    >>> cosine_distances(np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([0, 0]), np.array([1, 0]))
    array([1., 0.])
    """
    norms = np.linalg.norm(vectors, axis=1).astype(np.float64)
    dots = np.empty(len(rows_a))
    for block in _blocks(len(rows_a)):
        dots[block] = np.einsum("nd,nd->n", vectors[rows_a[block]], vectors[rows_b[block]])
    scale = norms[rows_a] * norms[rows_b]
    return np.asarray(1 - np.divide(dots, scale, out=np.zeros_like(dots), where=scale > 0))


def _blocks(n: int) -> Iterator[slice]:
    return (slice(start, start + _BLOCK) for start in range(0, n, _BLOCK))

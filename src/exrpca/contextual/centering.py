"""Occurrence vectors as they are compared: around the mean of all, at length 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

# Vectors in memory at a time as float32.
_BLOCK = 4096

# Of a vector of length 1, what is shorter than this is rounding: it has no direction.
_ROUNDING = 1e-5


@dataclass(frozen=True)
class CenteredVectors:
    """Vectors at length 1, minus the mean over all occurrences, at length 1 again.

    They are made when asked for, block by block, so that only the given vectors are in memory.

    Parameters
    ----------
    vectors : ndarray of shape (n, dim)
        As given.
    mean : ndarray of shape (dim,)
        The mean of the vectors at length 1.

    Examples
    --------
    >>> centered = CenteredVectors(np.array([[0.0, 4.0], [5.0, 0.0]]), np.array([0.5, 0.0]))
    >>> centered.of(np.array([1]))
    array([[1., 0.]], dtype=float32)
    """

    vectors: NDArray[Any]
    mean: Floats

    @classmethod
    def around_mean(cls, vectors: NDArray[Any], rows: Iterable[Integers]) -> CenteredVectors:
        """Return the vectors around the mean of the given rows, summed in the order given."""
        total, n = np.zeros(vectors.shape[1]), 0
        for group in rows:
            for part in blocks(len(group)):
                total += at_length_1(vectors[group[part]]).sum(axis=0, dtype=np.float64)
            n += len(group)
        return cls(vectors, (total / max(n, 1)).astype(np.float32))

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return len(self.mean)

    def of(self, rows: Integers) -> Floats:
        """Return some rows, centered."""
        return at_length_1(at_length_1(self.vectors[rows]) - self.mean)

    def blocks(self, rows: Integers) -> Iterator[tuple[slice, Floats]]:
        """Yield some rows in blocks: which of them, and their vectors, centered."""
        for part in blocks(len(rows)):
            yield part, self.of(rows[part])


def blocks(n: int) -> Iterator[slice]:
    """Yield n rows in blocks whose vectors fit into memory."""
    for start in range(0, n, _BLOCK):
        yield slice(start, start + _BLOCK)


def at_length_1(vectors: NDArray[Any]) -> Floats:
    """Return the rows at length 1; a row without a direction becomes 0."""
    values = vectors.astype(np.float32)
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    values /= np.where(lengths > _ROUNDING, lengths, np.inf)
    return values

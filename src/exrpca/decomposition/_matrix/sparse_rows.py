"""The sparse part S of a block of rows, and the rows without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from exrpca.compiling import cached_njit
from exrpca.decomposition._matrix import Floats


@dataclass(frozen=True)
class SparseRows:
    """The sparse part of one block of rows, in the arrays of a CSR matrix."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: Floats

    @classmethod
    def empty(cls, n_rows: int, dtype: np.dtype[Any]) -> SparseRows:
        """Return a sparse part with nothing in it."""
        return cls(np.zeros(n_rows + 1, np.int64), np.empty(0, np.int32), np.empty(0, dtype))

    @classmethod
    def of(cls, dense: Floats) -> SparseRows:
        """Return the elements of an array that are not 0."""
        mask = dense != 0
        return cls.marked(mask, dense[mask])

    @classmethod
    def marked(cls, mask: NDArray[np.bool_], values: Floats) -> SparseRows:
        """Return the marked elements, whose values are given row by row."""
        indptr = np.concatenate([[0], mask.sum(axis=1).cumsum()])
        return cls(indptr, np.nonzero(mask)[1].astype(np.int32), values)

    def cut(self, n_rows: int) -> list[SparseRows]:
        """Return the sparse parts of blocks of `n_rows` rows."""
        stop = len(self.indptr) - 1
        return [self.between(a, min(a + n_rows, stop)) for a in range(0, stop, n_rows)]

    def between(self, start: int, stop: int) -> SparseRows:
        """Return the sparse part of some of the rows."""
        indptr = self.indptr[start : stop + 1]
        elements = slice(indptr[0], indptr[-1])
        return SparseRows(indptr - indptr[0], self.indices[elements], self.values[elements])

    def of_rows(self, chosen: NDArray[Any]) -> SparseRows:
        """Return the sparse part of chosen rows, by a mask or in an order of its own."""
        numbers = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        counts = np.diff(self.indptr)[numbers]
        indptr = np.concatenate([[0], counts.cumsum()])
        places = np.repeat(self.indptr[numbers] - indptr[:-1], counts) + np.arange(indptr[-1])
        return SparseRows(indptr, self.indices[places], self.values[places])

    @property
    def rows(self) -> NDArray[np.intp]:
        """The row of each element."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats]:
        """The three arrays, as the compiled functions take them."""
        return self.indptr, self.indices, self.values


def stacked(parts: list[SparseRows], n_features: int) -> scipy.sparse.csr_array:
    """Return the sparse parts of all blocks as one matrix, and empty the list on the way.

    For a large matrix, holding the parts and the whole at once would be the peak of memory.
    """
    counts = np.concatenate([np.diff(part.indptr) for part in parts])
    indptr = np.concatenate([[0], counts.cumsum()])
    indices = np.empty(indptr[-1], np.int32)
    values = np.empty(indptr[-1], parts[0].values.dtype)
    if indptr[-1] <= np.iinfo(np.int32).max:  # with 64 bits here, SciPy would widen `indices` too
        indptr = indptr.astype(np.int32)
    parts.reverse()
    end = 0
    while parts:
        part = parts.pop()
        begin, end = end, end + len(part.indices)
        indices[begin:end] = part.indices
        values[begin:end] = part.values
    return scipy.sparse.csr_array((values, indices, indptr), shape=(len(counts), n_features))


def joined(first: SparseRows, second: SparseRows) -> SparseRows:
    """Return the rows of one sparse part, followed by those of another."""
    return SparseRows(
        np.concatenate([first.indptr, first.indptr[-1] + second.indptr[1:]]),
        np.concatenate([first.indices, second.indices]),
        np.concatenate([first.values, second.values]),
    )


def only_observed(x: Floats, outlying: SparseRows) -> SparseRows:
    """Return the sparse part without the missing values of `x`."""
    observed = ~np.isnan(x[outlying.rows, outlying.indices])
    counts = np.bincount(outlying.rows[observed], minlength=len(x))
    indptr = np.concatenate([[0], counts.cumsum()])
    return SparseRows(indptr, outlying.indices[observed], outlying.values[observed])


def without(x: Floats, shift: Floats, outlying: SparseRows, *, fill_nan: bool) -> Floats:
    """Return the dense rows x − shift − S."""
    z: Floats = x - shift
    if fill_nan:
        z[np.isnan(z)] = 0
    subtract(z, *outlying.arrays)
    return z


@cached_njit(nogil=True)
def subtract(z, indptr, indices, values):  # type: ignore[no-untyped-def]
    """Subtract sparse rows from dense ones."""
    for i in range(z.shape[0]):
        for p in range(indptr[i], indptr[i + 1]):
            z[i, indices[p]] -= values[p]

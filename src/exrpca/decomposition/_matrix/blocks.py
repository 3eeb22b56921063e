"""The one way to read a matrix: block by block of rows. A function is called on each block.

A matrix is anything with `shape`, `dtype` and `X[a:b]` that gives a NumPy array: an array, a memory
map, an HDF5 or Zarr dataset, a lazy difference matrix. It is never copied or changed. Dask arrays
go through `dask_blocks`, which has the same interface.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numba
import numpy as np
from numpy.typing import NDArray

from exrpca.blas import blas_on_one_thread
from exrpca.decomposition._matrix.sparse_rows import SparseRows

# Takes a block of rows, the state of that block and further arguments. Returns numbers or arrays,
# which are summed over the blocks, and the new state of the block.
Step = Callable[..., tuple[tuple[Any, ...], Any]]

# Elements per block: few enough to stay in the processor's cache during a step, and many enough
# for the sums of a block (n_features² numbers) to cost little in comparison.
_BLOCK_ELEMENTS = 2**20
_STRIP_ROWS = 16


class Blocks(Protocol):
    """A matrix in blocks of rows."""

    shape: tuple[int, int]
    dtype: np.dtype[Any]

    def run(
        self, step: Step, states: list[Any] | None, *arguments: Any
    ) -> tuple[list[Any], list[Any]]:
        """Call `step(block, state, *arguments)` on every block; return the sums and the states.

        The old states are consumed: each is released as soon as its block has a new one.
        """
        ...

    def collect(self, states: list[Any]) -> list[Any]:
        """Return the states themselves, wherever they are kept."""
        ...

    def cut(self, sparse: SparseRows) -> list[Any]:
        """Return a sparse part of the whole matrix as the states of the blocks."""
        ...

    def sample(self, n_rows: int) -> Blocks:
        """Return about `n_rows` of the rows, or all of them if there are not many more."""
        ...

    def divided(self, scale: NDArray[Any]) -> Blocks:
        """Return the matrix with its columns divided by `scale`, block by block."""
        ...


@dataclass(frozen=True)
class Strips:
    """A sample of rows: strips of a few rows at equal distances.

    The sample does not depend on how the matrix is cut into blocks. The other rows are not read.
    """

    period: int

    @classmethod
    def about(cls, n_rows: int, of: int) -> Strips | None:
        """Return strips that hold about `n_rows` rows out of `of`, or None to take all."""
        return None if 2 * n_rows > of else cls(_STRIP_ROWS * of // n_rows)

    def within(self, start: int, stop: int) -> list[tuple[int, int]]:
        """Return the ranges of rows between `start` and `stop` that belong to the sample."""
        first = start - start % self.period
        ranges = ((a, a + _STRIP_ROWS) for a in range(first, stop, self.period))
        cut = ((max(a, start), min(b, stop)) for a, b in ranges)
        return [(a, b) for a, b in cut if a < b]


class LocalBlocks:
    """Blocks of a matrix in this process, by default on as many threads as Numba uses.

    Parameters
    ----------
    X : matrix
        Anything with `shape`, `dtype` and `X[a:b]`.
    strips : Strips, optional
        Which rows to use; all by default.
    offset : int, default=0
        The number of X's first row in the matrix that X is a part of.
    n_threads : int, optional
        How many blocks to work on at the same time.
    scale : array of shape (n_features,), optional
        What columns are divided by.
    """

    def __init__(
        self,
        X: Any,
        *,
        strips: Strips | None = None,
        offset: int = 0,
        n_threads: int | None = None,
        scale: NDArray[Any] | None = None,
    ) -> None:
        n, d = X.shape
        self._X, self._scale = X, scale
        self._n_threads = n_threads or numba.get_num_threads()
        self._pieces = _pieces(n, rows_per_block(d), offset, strips)
        self.shape = (sum(b - a for pieces in self._pieces for a, b in pieces), d)
        self.dtype = working_dtype(X.dtype)

    def _block(self, number: int) -> NDArray[Any]:
        pieces = [self._X[a:b] for a, b in self._pieces[number]]
        rows = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
        rows = np.ascontiguousarray(rows, dtype=self.dtype)
        return rows if self._scale is None else rows / self._scale.astype(self.dtype)

    def run(
        self, step: Step, states: list[Any] | None, *arguments: Any
    ) -> tuple[list[Any], list[Any]]:
        """Call `step(block, state, *arguments)` on every block; return the sums and the states."""

        def call(number: int) -> tuple[tuple[Any, ...], Any]:
            state = None
            if states is not None:
                state, states[number] = states[number], None
            return step(self._block(number), state, *arguments)

        totals: list[Any] = []
        new_states = []
        # The blocks run in parallel: BLAS threads inside them would compete for the same cores.
        with (
            blas_on_one_thread(),
            ThreadPoolExecutor(self._n_threads) as threads,
        ):
            for parts, state in threads.map(call, range(len(self._pieces))):
                add_to(totals, parts)
                new_states.append(state)
        return totals, new_states

    def collect(self, states: list[Any]) -> list[Any]:
        """Return the states, which are in this process."""
        return states

    def cut(self, sparse: SparseRows) -> list[SparseRows]:
        """Return a sparse part of the matrix as the states of the blocks."""
        return sparse.cut(rows_per_block(self.shape[1]))

    def sample(self, n_rows: int) -> LocalBlocks:
        """Return about `n_rows` of the rows, or all of them if there are not many more."""
        strips = Strips.about(n_rows, of=self.shape[0])
        return LocalBlocks(self._X, strips=strips, n_threads=self._n_threads, scale=self._scale)

    def divided(self, scale: NDArray[Any]) -> LocalBlocks:
        """Return the matrix with its columns divided by `scale`, block by block."""
        return LocalBlocks(self._X, n_threads=self._n_threads, scale=scale)


def rows_per_block(n_features: int) -> int:
    """Return the largest number of rows that a block has."""
    return max(_BLOCK_ELEMENTS // n_features, n_features, 1)


def _pieces(n: int, n_rows: int, offset: int, strips: Strips | None) -> list[list[tuple[int, int]]]:
    """Return the ranges of rows in each block of about `n_rows` rows."""
    if strips is None:
        return [[(a, min(a + n_rows, n))] for a in range(0, n, n_rows)]
    ranges = [(a - offset, b - offset) for a, b in strips.within(offset, offset + n)]
    n_ranges = max(n_rows // _STRIP_ROWS, 1)
    return [ranges[i : i + n_ranges] for i in range(0, len(ranges), n_ranges)]


def add_to(totals: list[Any], parts: Sequence[Any]) -> None:
    """Add the results of one block, in float64 whatever its own precision."""
    if not totals:
        totals.extend(np.asarray(part, dtype=np.float64).copy() for part in parts)
        return
    for total, part in zip(totals, parts, strict=True):
        total += part


def working_dtype(dtype: Any) -> np.dtype[Any]:
    """Return the precision to compute in: single for half and single, double for the rest."""
    return np.dtype(np.float32 if dtype in (np.float32, np.float16) else np.float64)


def blocks_of(X: Any) -> Blocks:
    """Return the blocks of any supported matrix."""
    if hasattr(X, "dask"):
        from exrpca.decomposition._matrix.dask_blocks import DaskBlocks

        blocks: Blocks = DaskBlocks(X)
        # A matrix with more columns than rows is small enough for this process to hold it.
        wide = blocks.shape[0] < blocks.shape[1]
        return LocalBlocks(X.compute()) if wide else blocks
    return LocalBlocks(X)


# Within these, squares and their sums are neither 0 nor infinite in single precision.
_LEAST, _MOST = 1e-12, 1e12
_ROWS_TO_LOOK_AT = 1000


def without_mask(X: Any) -> Any:
    """Return a masked array as a plain one, with NaN where it is masked; others as they are."""
    if not isinstance(X, np.ma.MaskedArray):
        return X
    dtype = X.dtype if X.dtype.kind == "f" else np.float64
    return np.where(np.ma.getmaskarray(X), np.nan, np.ma.getdata(X)).astype(dtype)


def in_range(X: Any) -> Any:
    """Return X in double precision if its squares are out of the range of single precision."""
    if X.dtype not in (np.float32, np.float16) or not hasattr(X, "astype"):
        return X
    sizes = np.abs(np.asarray(X[:_ROWS_TO_LOOK_AT], dtype=np.float32))
    half = np.count_nonzero(np.isfinite(sizes) & (sizes > 0)) / 2
    # the median is in range if fewer than half are out on either side; counting needs no sorting
    n_small = np.count_nonzero((sizes > 0) & (sizes <= _LEAST))
    n_large = np.count_nonzero((sizes >= _MOST) & (sizes < np.inf))
    return X if half == 0 or max(n_small, n_large) < half else X.astype(np.float64)

"""The one way to read a matrix: in blocks of rows, each met by a function, the results summed.

A matrix is anything with `shape`, `dtype` and `X[a:b]` that gives a NumPy array: an array, a memory
map, an HDF5 or Zarr data set, a lazy difference matrix. It is never copied or changed. A Dask array
goes through `dask_blocks`, which offers the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numba
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

# Takes a block of rows, that block's state and further arguments; returns
# numbers or arrays that are summed over the blocks, and the block's new state.
Step = Callable[..., tuple[tuple[Any, ...], Any]]

# Elements of a block: few enough to stay in a processor's cache while a step works on it,
# enough for the sums of a block (n_features² numbers) to cost little beside it.
_BLOCK_ELEMENTS = 2**20


class Blocks(Protocol):
    """A matrix in blocks of rows."""

    shape: tuple[int, int]
    dtype: np.dtype[Any]
    n_blocks: int

    def run(
        self, step: Step, states: Sequence[Any] | None, *arguments: Any
    ) -> tuple[list[Any], list[Any]]:
        """Call `step(block, state, *arguments)` on every block; return the sums and the states."""
        ...

    def collect(self, states: Sequence[Any]) -> list[Any]:
        """Return the states themselves, from wherever they are kept."""
        ...

    def sample(self, n_rows: int) -> Blocks:
        """Return about `n_rows` of the rows, the first of every block, or all if fewer."""
        ...


class LocalBlocks:
    """Blocks of a matrix in this process's reach; they run on as many threads as Numba may use."""

    def __init__(self, X: Any, ranges: Sequence[tuple[int, int]] | None = None) -> None:
        n, d = X.shape
        if ranges is None:
            rows = max(_BLOCK_ELEMENTS // d, d, 1)
            ranges = [(start, min(start + rows, n)) for start in range(0, n, rows)]
        self._X = X
        self._ranges = ranges
        self.shape = (sum(stop - start for start, stop in ranges), d)
        self.dtype = working_dtype(X.dtype)
        self.n_blocks = len(ranges)

    def _block(self, number: int) -> NDArray[Any]:
        start, stop = self._ranges[number]
        return np.ascontiguousarray(self._X[start:stop], dtype=self.dtype)

    def run(
        self, step: Step, states: Sequence[Any] | None, *arguments: Any
    ) -> tuple[list[Any], list[Any]]:
        """Call `step(block, state, *arguments)` on every block; return the sums and the states."""

        def call(number: int) -> tuple[tuple[Any, ...], Any]:
            state = None if states is None else states[number]
            return step(self._block(number), state, *arguments)

        totals: list[Any] = []
        new_states = []
        # The blocks are the parallel part: BLAS threads inside them would fight for the same cores.
        with (
            threadpool_limits(1, user_api="blas"),
            ThreadPoolExecutor(numba.get_num_threads()) as threads,
        ):
            for parts, state in threads.map(call, range(self.n_blocks)):
                add_to(totals, parts)
                new_states.append(state)
        return totals, new_states

    def collect(self, states: Sequence[Any]) -> list[Any]:
        """Return the states, which are at hand."""
        return list(states)

    def sample(self, n_rows: int) -> LocalBlocks:
        """Return about `n_rows` of the rows, the first of every block, or all if fewer."""
        share = min(n_rows / self.shape[0], 1.0)
        ranges = [(a, a + math.ceil(share * (b - a))) for a, b in self._ranges]
        return LocalBlocks(self._X, ranges)


def add_to(totals: list[Any], parts: Sequence[Any]) -> None:
    """Add one block's results, in float64 whatever the block was computed in."""
    if not totals:
        totals.extend(np.asarray(part, dtype=np.float64).copy() for part in parts)
        return
    for total, part in zip(totals, parts, strict=True):
        total += part


def working_dtype(dtype: Any) -> np.dtype[Any]:
    """Return the precision to compute in: single stays single, everything else is double."""
    return np.dtype(np.float32 if dtype in (np.float32, np.float16) else np.float64)


def blocks_of(X: Any) -> Blocks:
    """Return the blocks of any supported matrix."""
    if hasattr(X, "dask"):
        from exrpca.decomposition.dask_blocks import DaskBlocks

        return DaskBlocks(X)
    return LocalBlocks(X)

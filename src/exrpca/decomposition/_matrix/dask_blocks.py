"""A Dask array in blocks of rows: each chunk is processed where it is stored.

Dask keeps the state of a chunk (its sparse part) next to the chunk. Only the model and the sums
travel: matrices of at most n_features × n_features. If a worker dies, Dask recomputes its part.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from dask.base import compute, persist
from dask.delayed import delayed
from numpy.typing import NDArray

from exrpca.decomposition._matrix.blocks import (
    LocalBlocks,
    Step,
    Strips,
    add_to,
    rows_per_block,
    working_dtype,
)
from exrpca.decomposition._matrix.sparse_rows import SparseRows

# The sums of this many chunks are added at a time, so that no machine has to hold all of them.
_SUMMED_AT_ONCE = 8


class DaskBlocks:
    """Blocks of a Dask array. They run on the cluster of the current client, or on threads."""

    def __init__(self, X: Any, strips: Strips | None = None) -> None:
        if np.isnan(X.shape[0]):
            X = X.compute_chunk_sizes()
        self._X = X.rechunk({1: -1})
        self._strips = strips
        n, d = X.shape
        n_rows = n if strips is None else sum(b - a for a, b in strips.within(0, n))
        self.shape = (n_rows, d)
        self.dtype = working_dtype(X.dtype)

    def run(
        self, step: Step, states: list[Any] | None, *arguments: Any
    ) -> tuple[list[Any], list[Any]]:
        """Call `step(block, state, *arguments)` on every chunk; return the sums and the states."""
        on_chunk = delayed(_on_chunk, pure=False)
        pick = delayed(operator.getitem, pure=False)
        chunks = self._X.to_delayed().ravel()
        offsets = np.cumsum((0, *self._X.chunks[0][:-1])).tolist()
        pairs = [
            on_chunk(chunk, n_rows, self._strips, offset, step, state, *arguments)
            for chunk, n_rows, offset, state in zip(
                chunks, self._X.chunks[0], offsets, states or [None] * len(chunks), strict=True
            )
        ]
        sums = [pick(pair, 0) for pair in pairs]
        while len(sums) > 1:
            groups = [sums[i : i + _SUMMED_AT_ONCE] for i in range(0, len(sums), _SUMMED_AT_ONCE)]
            sums = [delayed(_added, pure=False)(group) for group in groups]
        total, *new_states = persist(sums[0], *(pick(pair, 1) for pair in pairs))
        return total.compute(), new_states

    def collect(self, states: list[Any]) -> list[Any]:
        """Fetch the states from the cluster."""
        return [state for of_chunk in compute(*states) for state in of_chunk]

    def cut(self, sparse: SparseRows) -> list[Any]:
        """Return a sparse part of the matrix as the states of the chunks."""
        ends = np.cumsum((0, *self._X.chunks[0])).tolist()
        n_rows = rows_per_block(self.shape[1])
        return [sparse.between(a, b).cut(n_rows) for a, b in itertools.pairwise(ends)]

    def sample(self, n_rows: int) -> DaskBlocks:
        """Return about `n_rows` of the rows, or all of them if there are not many more."""
        return DaskBlocks(self._X, Strips.about(n_rows, of=self.shape[0]))

    def divided(self, scale: NDArray[Any]) -> DaskBlocks:
        """Return the matrix with its columns divided by `scale`, chunk by chunk."""
        return DaskBlocks(self._X / scale.astype(self.dtype))


def _on_chunk(
    chunk: NDArray[Any],
    n_rows: int,
    strips: Strips | None,
    offset: int,
    step: Step,
    states: Any,
    *arguments: Any,
) -> tuple[list[Any], list[Any]]:
    """Run one step on a chunk, which is cut into smaller blocks."""
    if len(chunk) != n_rows:
        raise ValueError(
            f"a chunk has {len(chunk)} rows, but the Dask array says {n_rows}: "
            "call compute_chunk_sizes() on it first"
        )
    blocks = LocalBlocks(np.asarray(chunk), strips=strips, offset=offset, n_threads=1)
    # A new list: Dask keeps the old states, which it needs if a worker dies.
    return blocks.run(step, None if states is None else list(states), *arguments)


def _added(parts: Sequence[Sequence[Any]]) -> list[Any]:
    totals: list[Any] = []
    for part in parts:
        if part:  # a chunk between two strips of a sample adds nothing
            add_to(totals, part)
    return totals

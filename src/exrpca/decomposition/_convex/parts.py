"""X − L taken apart into the noise E and the outliers S."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from exrpca.decomposition._convex.problem import Solution
from exrpca.decomposition._convex.shrinkage import Shrinkage
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.shift import shifted, sums_of
from exrpca.decomposition._matrix.sparse_rows import SparseRows, stacked
from exrpca.decomposition._matrix.types import Floats


@dataclass(frozen=True)
class Parts:
    """S, and sums over what it leaves."""

    sparse: scipy.sparse.csr_array
    gram: Floats  # of the rows of X − S, which are relative to the shift
    sums: Floats  # of these rows
    noise_scale: float  # the standard deviation of E outside S


def take_apart(
    blocks: Blocks, shift: Floats, solution: Solution, cut: float, *, soft: bool
) -> Parts:
    """Take X − L apart: elements outside ±cut belong to S, see `outside`."""
    n, d = blocks.shape
    totals, sparse = blocks.run(
        _take_apart, solution.states, shift, solution.rows_of, solution.low_rank, cut, soft
    )
    gram, sums, squares, count = totals
    noise_scale = float(np.sqrt(max(squares, 0.0) / max(n * d - float(count), 1.0)))
    return Parts(stacked(blocks.collect(sparse), d), gram, sums, noise_scale)


def _take_apart(
    x: Floats,
    state: Any,
    shift: Floats,
    rows_of: Callable[[Any, Shrinkage], Floats],
    low_rank: Shrinkage,
    cut: float,
    soft: bool,
) -> tuple[tuple[Any, ...], SparseRows]:
    x = shifted(x, shift)
    residual = x - rows_of(state, low_rank)
    sparse = outside(residual, cut, soft=soft)
    rows = SparseRows.of(sparse)
    # Elements of S have the noise ±cut (soft) or none, which says nothing about its scale.
    noise = residual - sparse
    squares = float(np.vdot(noise, noise)) - soft * len(rows.indices) * cut**2
    return (*sums_of(x - sparse), squares, len(rows.indices)), rows


def outside(residual: Floats, cut: float, *, soft: bool) -> Floats:
    """Return the elements outside ±cut, reduced by the cut (soft) or whole; the others are 0."""
    size = residual.dtype.type(cut)
    if soft:
        return residual - np.clip(residual, -size, size)
    return np.where(np.abs(residual) > size, residual, residual.dtype.type(0))

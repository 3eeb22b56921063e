"""X − L taken apart into the noise E and the outliers S."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from exrpca.decomposition._convex.problem import Solution
from exrpca.decomposition._convex.shrinkage import Shrinkage, moments_of
from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.first_look import shifted
from exrpca.decomposition._matrix.sparse_rows import SparseRows, stacked


@dataclass(frozen=True)
class Parts:
    """S, and sums over what it leaves."""

    sparse: scipy.sparse.csr_array
    moments: Floats  # of the rows of X − S, which are relative to the shift
    sums: Floats  # of these rows
    noise_scale: float  # the standard deviation of E outside S
    has_gaps: bool


def take_apart(
    blocks: Blocks, shift: Floats, solution: Solution, cut: float | Floats, *, soft: bool
) -> Parts:
    """Take X − L apart: elements outside ±cut belong to S, see `outside`.

    `cut` may differ between features, unless it is soft.
    """
    n, d = blocks.shape
    totals, sparse = blocks.run(
        _take_apart, solution.states, shift, solution.rows_of, solution.low_rank, cut, soft, n < d
    )
    moments, sums, squares, count, gaps = totals
    n_noisy = max(n * d - float(count) - float(gaps), 1.0)
    noise_scale = float(np.sqrt(max(squares, 0.0) / n_noisy))
    return Parts(stacked(blocks.collect(sparse), d), moments, sums, noise_scale, gaps > 0)


def _take_apart(
    x: Floats,
    state: Any,
    shift: Floats,
    rows_of: Callable[[Any, Shrinkage], Floats],
    low_rank: Shrinkage,
    cut: float | Floats,
    soft: bool,
    wide: bool,
) -> tuple[tuple[Any, ...], SparseRows]:
    x = shifted(x, shift)
    rows_of_low_rank = rows_of(state, low_rank)
    gaps = np.isnan(x)
    x = np.where(gaps, rows_of_low_rank, x)
    residual = x - rows_of_low_rank
    sparse = outside(residual, cut, soft=soft)
    rows = SparseRows.of(sparse)
    # Elements of S have the noise ±cut (soft) or none, which says nothing about its scale.
    noise = residual - sparse
    squares = float(np.vdot(noise, noise))
    if soft:
        squares -= len(rows.indices) * float(cut) ** 2
    totals = (squares, len(rows.indices), int(gaps.sum()))
    return (*moments_of(x - sparse, wide=wide), *totals), rows


def outside(residual: Floats, cut: float | Floats, *, soft: bool) -> Floats:
    """Return the elements outside ±cut, reduced by the cut (soft) or whole; the others are 0."""
    size = np.asarray(cut, residual.dtype)
    if soft:
        rest: Floats = residual - np.clip(residual, -size, size)
        return rest
    return np.where(np.abs(residual) > size, residual, residual.dtype.type(0))

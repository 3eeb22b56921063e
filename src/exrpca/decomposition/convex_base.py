"""What the two convex estimators share once their problem is solved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from exrpca.decomposition.base import Callback, Floats, RobustDecomposition
from exrpca.decomposition.blocks import Blocks
from exrpca.decomposition.convex_problem import Solution, Stopping
from exrpca.decomposition.gram import signed
from exrpca.decomposition.lowrank import Shrinkage
from exrpca.decomposition.shift import FirstLook, shifted, sums_of
from exrpca.decomposition.sparse_rows import SparseRows, stacked

# Splitting rows under a fitted model is an iteration of its own. It converges geometrically: this
# is far more than it needs to come this much nearer than the fit did.
ROW_ITERATIONS = 2000
ROW_TOL = 1e-2


class ConvexDecomposition(RobustDecomposition):
    """What the two convex estimators share: one problem, solved and kept."""

    n_components: int | None
    center: bool
    tol: float
    max_iter: int
    callback: Callback | None
    rank_: int
    objective_: float

    def _prepare(self, X: Any) -> tuple[Blocks, Floats]:
        """Check the input and the parameters that both have; return the blocks and their centre."""
        blocks = self._blocks(X, center=self.center)
        if self.n_components is not None:
            self._check_integer("n_components", most=blocks.shape[1])
        self._check_integer("max_iter")
        return blocks, FirstLook.at(blocks, center=self.center).shift

    def _stopping(self) -> Stopping:
        return Stopping(self.tol, self.max_iter, self.callback)

    def _keep(self, blocks: Blocks, shift: Floats, solution: Solution) -> None:
        """Set the fitted attributes."""
        n, d = blocks.shape
        low_rank = solution.low_rank
        assert low_rank is not None  # noqa: S101 - a solver iterates at least once
        totals, sparse = blocks.run(
            _sparse_part, solution.states, shift, solution.rows_of, low_rank, self._cut, self._soft
        )
        gram, sums, noise, aside = totals
        center = low_rank.mean + shift
        k = low_rank.rank if self.n_components is None else self.n_components
        squares = low_rank.values[:k] ** 2
        whole = float(np.trace(gram)) - (float(sums @ sums) / n if self.center else 0.0)
        dtype = blocks.dtype
        self.components_ = signed(low_rank.basis.T[:k]).astype(dtype)
        self.mean_ = center.astype(dtype)
        self.explained_variance_ = (squares / max(n - int(self.center), 1)).astype(dtype)
        self.explained_variance_ratio_ = (squares / max(whole, np.finfo(float).tiny)).astype(dtype)
        self.noise_scale_ = float(np.sqrt(max(noise, 0.0) / max(n * d - float(aside), 1.0)))
        self.sparse_ = stacked(blocks.collect(sparse), d)
        self.rank_ = low_rank.rank
        self.objective_ = float(solution.objective)
        self.n_iter_ = solution.n_iter
        self.converged_ = solution.converged
        self._shift = shift
        self._shrinkage = self._row_map(gram, sums, n, low_rank)

    def _row_map(self, gram: Floats, sums: Floats, n_rows: int, low_rank: Shrinkage) -> Shrinkage:
        """Return the map that `decompose` applies to X − S, whose sums are given."""
        raise NotImplementedError

    # Elements off L by more than the cut go to S: what exceeds it (soft), or whole.
    _cut: float
    _soft: bool


def _sparse_part(
    x: Floats,
    state: Any,
    shift: Floats,
    rows_of: Callable[[Any, Shrinkage], Floats],
    low_rank: Shrinkage,
    cut: float,
    soft: bool,
) -> tuple[tuple[Any, ...], SparseRows]:
    """Return what the noise leaves of X − L."""
    x = shifted(x, shift)
    residual = x - rows_of(state, low_rank)
    sparse = outside(residual, cut, soft=soft)
    rows = SparseRows.of(sparse)
    # Elements of S have the noise ±cut (soft) or none, and do not count for its scale.
    noise = residual - sparse
    squares = float(np.vdot(noise, noise)) - soft * len(rows.indices) * cut**2
    return (*sums_of(x - sparse), squares, len(rows.indices)), rows


def outside(residual: Floats, cut: float, *, soft: bool) -> Floats:
    """Return the elements outside ±cut, by what exceeds it (soft) or whole; the others are 0."""
    size = residual.dtype.type(cut)
    if soft:
        return residual - np.clip(residual, -size, size)
    return np.where(np.abs(residual) > size, residual, residual.dtype.type(0))

"""RobustPCA: principal component pursuit, the baseline without dense noise."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import scipy.sparse

from exrpca.decomposition.alm import solve_alm
from exrpca.decomposition.base import Callback, Floats
from exrpca.decomposition.convex_base import (
    ROW_ITERATIONS,
    ROW_TOL,
    ConvexDecomposition,
    outside,
)
from exrpca.decomposition.convex_problem import Problem
from exrpca.decomposition.lowrank import Shrinkage
from exrpca.decomposition.sparse_rows import SparseRows, stacked


class RobustPCA(ConvexDecomposition):
    """Principal component pursuit: min ‖L‖_* + λ‖S‖₁ with X = L + S [1]_.

    There is no dense noise in the model: whatever L does not take is in S, and on noisy data the
    rank of L is far above that of the signal. `ExRPCA` is made for those.

    Parameters
    ----------
    n_components : int, optional
        How many of L's leading components to keep in `components_` and to transform to, if L has
        as many; by default all of them. L itself, as `decompose` returns it, keeps its rank.
    lambda_ : float or "auto", default="auto"
        The weight of the outliers; "auto" is 1/√max(n, d), with which the parts are recovered
        exactly under the conditions of [1]_.
    center : bool, default=True
        Let the rows of L lie around a free mean.
    tol : float, default=5e-3
        Stop when an iteration leaves less than this of X unexplained and changes S by less,
        relatively. Elements of X − L below this share of a typical element count as rounding: they
        are in E.
    max_iter : int, default=500
        The largest number of iterations.
    callback : callable, optional
        Called with an `Iteration` after each; `callback=print` shows the progress.

    Attributes
    ----------
    components_, mean_, explained_variance_, explained_variance_ratio_, sparse_, n_iter_, converged_
        As those of `ExRPCA`.
    rank_ : int
        The rank of L.
    noise_scale_ : float
        The standard deviation of what counts as rounding.
    objective_ : float
        The lowest value of the objective seen, which is that of L and S = X − L.

    References
    ----------
    .. [1] Wright, Ganesh, Rao, Peng and Ma (2009), "Robust Principal Component Analysis: Exact
       Recovery of Corrupted Low-Rank Matrices by Convex Optimization".

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 2)) @ rng.normal(size=(2, 30))
    >>> X[7, 3] += 25
    >>> model = RobustPCA(center=False).fit(X)
    >>> model.rank_
    2
    >>> bool(24.5 < model.sparse_[7, 3] < 25.5)
    True
    """

    _soft = False

    def __init__(
        self,
        n_components: int | None = None,
        *,
        lambda_: float | Literal["auto"] = "auto",
        center: bool = True,
        tol: float = 5e-3,
        max_iter: int = 500,
        callback: Callback | None = None,
    ) -> None:
        self.n_components = n_components
        self.lambda_ = lambda_
        self.center = center
        self.tol = tol
        self.max_iter = max_iter
        self.callback = callback

    def _fit(self, X: Any) -> None:
        blocks, shift = self._prepare(X)
        weight = 1 / np.sqrt(max(blocks.shape)) if self.lambda_ == "auto" else self.lambda_
        if isinstance(weight, str) or not weight > 0:
            raise ValueError(f"lambda_={self.lambda_!r} must be positive or 'auto'")
        self._weight = float(weight)
        problem = Problem(np.inf, self._weight, self.center)
        solution = solve_alm(blocks, shift, problem, self._stopping())
        self._cut = self.tol * solution.typical_element
        self._keep(blocks, shift, solution)

    def _row_map(self, gram: Floats, sums: Floats, n_rows: int, low_rank: Shrinkage) -> Shrinkage:
        return low_rank  # X − S is L, so that nothing is left to shrink

    def _split(self, X: Floats) -> tuple[Floats, scipy.sparse.csr_array]:
        # The iteration of the fit with its last shrinkage and μ held: under those a row's problem
        # is convex too, and the rows fitted on have their L and S as its solution.
        step = self._shrinkage
        bound = X.dtype.type(self._weight * step.tau)
        shift = self._shift.astype(X.dtype)
        x = X - shift
        low_rank, multiplier = step.applied_to(x), np.zeros_like(x)
        for _ in range(ROW_ITERATIONS):
            before, multiplier = multiplier, np.clip(x - low_rank + multiplier, -bound, bound)
            # X − S + D
            last, low_rank = low_rank, step.applied_to(low_rank - before + 2 * multiplier)
            if np.linalg.norm(low_rank - last) <= ROW_TOL * self.tol * np.linalg.norm(low_rank):
                break
        rows = SparseRows.of(outside(x - low_rank, self._cut, soft=False))
        return low_rank + shift, stacked([rows], X.shape[1])

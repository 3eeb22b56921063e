"""ConvexExRPCA: low rank + dense noise + sparse outliers as a convex problem."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import scipy.sparse

from exrpca.decomposition.alm import solve_alm
from exrpca.decomposition.base import Callback, Floats
from exrpca.decomposition.blocks import Blocks
from exrpca.decomposition.convex_base import (
    ROW_ITERATIONS,
    ROW_TOL,
    ConvexDecomposition,
    outside,
)
from exrpca.decomposition.convex_problem import Problem
from exrpca.decomposition.exrpca import ExRPCA
from exrpca.decomposition.fista import solve_fista
from exrpca.decomposition.lowrank import Shrinkage
from exrpca.decomposition.noise import noise_scale_of_sample, penalties
from exrpca.decomposition.sparse_rows import SparseRows, stacked


class ConvexExRPCA(ConvexDecomposition):
    """Extended robust PCA as a convex problem: min ‖L‖_* + λ₁‖E‖² + λ₂‖S‖₁ with X = L + E + S.

    The rank follows from the weights. At the optimum the singular values of L are smaller than
    those of the data by 1/(2λ₁); a refit takes that shrinkage away.

    Parameters
    ----------
    n_components : int, optional
        How many of L's leading components to keep in `components_` and to transform to, if L has
        as many; by default all of them. L itself, as `decompose` returns it, keeps its rank.
    lambda1 : float or "auto", default="auto"
        The weight of the dense noise. "auto" is 1/(4b) with b = σ(√n + √d), the largest singular
        value to expect of noise alone.
    lambda2 : float, "auto" or "pcp", default="auto"
        The weight of the outliers. "auto" is 6σλ₁, by which an element may stand 3σ off L; "pcp" is
        the 1/√max(n, d) of principal component pursuit.
    noise_scale : float, optional
        σ, if it is known; otherwise it is estimated where "auto" needs it.
    solver : {"fista", "ialm"}, default="fista"
        "ialm" is the paper's scheme with its updates corrected; it takes the same L to the same
        optimum, in more iterations and with three more matrices of the size of X in memory.
    refit : bool or "auto", default="auto"
        Keep the rank that was found, and let `ExRPCA` fit L and S anew at that rank. "auto" does
        so where lambda1 is "auto" as well: there the aim is the truth behind the data, while
        weights that are given state a problem whose optimum is wanted.
    center : bool, default=True
        Let the rows of L lie around a free mean.
    tol : float, default=1e-4
        Stop when an iteration changes L ("ialm": S, and X − L − E − S) by less, relatively.
    max_iter : int, default=1000
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
        The standard deviation of E outside S.
    lambda1_, lambda2_ : float
        The weights used.
    objective_ : float
        The lowest value of the objective seen, which is that of L before a refit.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 2)) @ rng.normal(size=(2, 10)) + 0.1 * rng.normal(size=(500, 10))
    >>> X[7, 3] += 25
    >>> model = ConvexExRPCA().fit(X)
    >>> model.rank_
    2
    >>> bool(model.sparse_[7, 3] > 20)
    True
    """

    _soft = True

    def __init__(
        self,
        n_components: int | None = None,
        *,
        lambda1: float | Literal["auto"] = "auto",
        lambda2: float | Literal["auto", "pcp"] = "auto",
        noise_scale: float | None = None,
        solver: Literal["fista", "ialm"] = "fista",
        refit: bool | Literal["auto"] = "auto",
        center: bool = True,
        tol: float = 1e-4,
        max_iter: int = 1000,
        callback: Callback | None = None,
    ) -> None:
        self.n_components = n_components
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.noise_scale = noise_scale
        self.solver = solver
        self.refit = refit
        self.center = center
        self.tol = tol
        self.max_iter = max_iter
        self.callback = callback

    def _fit(self, X: Any) -> None:
        solvers = {"fista": solve_fista, "ialm": solve_alm}
        if self.solver not in solvers:
            raise ValueError(f"solver={self.solver!r} must be one of {tuple(solvers)}")
        if self.refit not in (True, False, "auto"):
            raise ValueError(f"refit={self.refit!r} must be True, False or 'auto'")
        blocks, shift = self._prepare(X)
        self.lambda1_, self.lambda2_ = self._weights(blocks, shift)
        problem = Problem(self.lambda1_, self.lambda2_, self.center)
        self._cut = problem.delta
        solution = solvers[self.solver](blocks, shift, problem, self._stopping())
        self._keep(blocks, shift, solution)
        refit = self.lambda1 == "auto" if self.refit == "auto" else self.refit
        self._refitted = self._refit(X) if refit and self.rank_ > 0 else None

    def _refit(self, X: Any) -> ExRPCA:
        """Fit at the rank that was found, and take over what was fitted."""
        model = ExRPCA(self.rank_, center=self.center).fit(X)
        k = len(self.components_)
        self.components_ = model.components_[:k]
        self.explained_variance_ = model.explained_variance_[:k]
        self.explained_variance_ratio_ = model.explained_variance_ratio_[:k]
        self.mean_, self.sparse_ = model.mean_, model.sparse_
        self.noise_scale_ = model.noise_scale_
        return model

    def _weights(self, blocks: Blocks, shift: Floats) -> tuple[float, float]:
        """Return λ₁ and λ₂, estimating the noise where they depend on it."""
        lambda1, lambda2 = self.lambda1, self.lambda2
        tau = delta = 1.0
        if lambda1 == "auto" or lambda2 == "auto":
            scale = self.noise_scale
            if scale is None:
                scale = noise_scale_of_sample(blocks, shift, center=self.center)
            elif not scale > 0:
                raise ValueError(f"noise_scale={scale} must be positive or None")
            tau, delta = penalties(scale, *blocks.shape)
        if lambda1 == "auto":
            lambda1 = 1 / (2 * tau)
        if lambda2 == "auto":
            lambda2 = 2 * float(lambda1) * delta
        elif lambda2 == "pcp":
            lambda2 = 1 / np.sqrt(max(blocks.shape))
        for name, value in (("lambda1", lambda1), ("lambda2", lambda2)):
            if isinstance(value, str) or not value > 0:
                raise ValueError(f"{name}={value!r} must be positive or 'auto'")
        return float(lambda1), float(lambda2)

    def _row_map(self, gram: Floats, sums: Floats, n_rows: int, low_rank: Shrinkage) -> Shrinkage:
        # At the optimum L is X − S with its singular values shrunk by 1/(2λ₁).
        mean = sums if self.center else None
        return Shrinkage.of(gram, mean, n_rows, 1 / (2 * self.lambda1_))

    def _split(self, X: Floats) -> tuple[Floats, scipy.sparse.csr_array]:
        if self._refitted is not None:
            return self._refitted._split(X)
        # Under the fitted shrinkage a row's problem is convex too, and the rows fitted on have
        # their L and S as its solution: alternate the two until they settle.
        cut = X.dtype.type(self._cut)
        shift = self._shift.astype(X.dtype)
        X = np.asarray(X - shift)
        low_rank: Floats = X
        for _ in range(ROW_ITERATIONS):
            inside = low_rank + np.clip(X - low_rank, -cut, cut)
            last, low_rank = low_rank, self._shrinkage.applied_to(inside)
            if np.linalg.norm(low_rank - last) <= ROW_TOL * self.tol * np.linalg.norm(low_rank):
                break
        sparse = SparseRows.of(outside(X - low_rank, self._cut, soft=True))
        return low_rank + shift, stacked([sparse], X.shape[1])

"""ConvexExRPCA: low rank + dense noise + sparse outliers as a convex problem."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
import scipy.sparse

from exrpca.decomposition._convex.alm import solve_alm
from exrpca.decomposition._convex.estimator import ConvexDecomposition
from exrpca.decomposition._convex.fista import solve_fista
from exrpca.decomposition._convex.parts import take_apart
from exrpca.decomposition._convex.rows import HuberRows
from exrpca.decomposition._convex.shrinkage import Shrinkage, moments_of
from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.first_look import (
    NORMAL_OVER_MAD,
    FirstLook,
    refuse_unusable,
    sampled_rows,
)
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition.base import Callback, RobustFitWarning
from exrpca.decomposition.exrpca import ExRPCA

_SOLVERS = {"fista": solve_fista, "ialm": solve_alm}


class ConvexExRPCA(ConvexDecomposition):
    """Extended robust PCA as a convex problem: min ‖L‖_* + λ₁‖E‖² + λ₂‖S‖₁ with X = L + E + S.

    The rank follows from the weights. At the optimum the singular values of L are smaller than
    those of the data by 1/(2λ₁); a refit removes that shrinkage.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=None
        How many of L's leading components to keep in `components_` and to transform to. A number
        between 0 and 1 is the share of L's variance to keep; None keeps all. L itself, as
        `decompose` returns it, keeps its rank. If L has fewer, a refit gives it as many; without a
        refit, there is a warning. "auto" is as many as `ExRPCA("auto")` finds; with a refit it is
        the rank of L, too.
    lambda1 : float or "auto", default="auto"
        The weight of the dense noise. "auto" is 1/(4b) with b = σ(√n + √d), the largest singular
        value to expect of noise alone.
    lambda2 : float, "auto" or "pcp", default="auto"
        The weight of the outliers. "auto" is 6σλ₁, with which an element may be 3σ away from L;
        "pcp" is the 1/√max(n, d) of principal component pursuit.
    noise_scale : float, optional
        σ, if it is known; otherwise it is estimated where "auto" needs it.
    solver : {"fista", "ialm"}, default="fista"
        "ialm" is the paper's scheme with its updates corrected. It reaches the same optimum in more
        iterations, with three more matrices of the size of X in memory.
    refit : bool or "auto", default="auto"
        Keep the rank that was found, and let `ExRPCA` fit L and S again at that rank. "auto" does
        so if lambda1 is "auto". If you pass weights, they define a problem, and you get its
        optimum.
    center : bool, default=True
        Let the rows of L lie around a free mean.
    missing : {"error", "impute"}, default="error"
        "impute" treats NaN as a gap, which L fills.
    scores : {"robust", "linear"}, default="robust"
        How `transform` treats outlying elements. "robust" leaves S out before it projects a row;
        "linear" is the plain projection.
    tol : float, default=1e-4
        Stop when an iteration changes L ("ialm": S, and X − L − E − S) by less, relatively.
    max_iter : int, default=1000
        The largest number of iterations.
    callback : callable, optional
        Called with an `Iteration` after each iteration; `callback=print` shows the progress.

    Attributes
    ----------
    components_, mean_, explained_variance_, explained_variance_ratio_, sparse_, n_iter_, converged_
        As in `ExRPCA`.
    n_components_, singular_values_, noise_variance_
        As in `ExRPCA`.
    rank_ : int
        The rank of L.
    noise_scale_ : float
        The standard deviation of E outside S.
    lambda1_, lambda2_ : float
        The weights that were used.
    objective_ : float
        The lowest value of the objective, which is that of L before a refit.

    Examples
    --------
    >>> from exrpca.decomposition import make_low_rank
    >>> X = make_low_rank(500, 10, n_components=2, outlier_share=0).matrix
    >>> X[7, 3] += 25
    >>> model = ConvexExRPCA().fit(X)
    >>> model.rank_
    2
    >>> bool(model.sparse_[7, 3] > 20)
    True
    """

    def __init__(
        self,
        n_components: int | float | Literal["auto"] | None = None,
        *,
        lambda1: float | Literal["auto"] = "auto",
        lambda2: float | Literal["auto", "pcp"] = "auto",
        noise_scale: float | None = None,
        solver: Literal["fista", "ialm"] = "fista",
        refit: bool | Literal["auto"] = "auto",
        center: bool = True,
        missing: Literal["error", "impute"] = "error",
        scores: Literal["robust", "linear"] = "robust",
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
        self.missing = missing
        self.scores = scores
        self.tol = tol
        self.max_iter = max_iter
        self.callback = callback

    def _fit(self, X: Any) -> None:
        blocks = self._blocks(X, center=self.center)
        self._check_parameters(blocks.shape)
        shift = FirstLook.at(blocks, center=self.center).shift
        self.lambda1_, self.lambda2_ = self._weights(blocks, shift)
        problem = self._problem(blocks, self.lambda1_, self.lambda2_)
        solution = _SOLVERS[self.solver](blocks, shift, problem, self._stopping())
        parts = take_apart(blocks, shift, solution, problem.delta, soft=True)
        self._keep(blocks, shift, solution, parts)
        # At the optimum L is X − S with its singular values shrunk by 1/(2λ₁).
        tau = 1 / (2 * self.lambda1_)
        shrinkage = problem.shrinkage((parts.moments, parts.sums), blocks.shape[0], tau)
        self._rows = HuberRows(shift, shrinkage, problem.delta)
        refit = self.lambda1 == "auto" if self.refit == "auto" else self.refit
        if refit and (self.n_components == "auto" or self.rank_ < self._n_wanted):
            self.rank_ = self.n_components_ = self._n_wanted
        self._refitted = self._refit(X) if refit and self.rank_ > 0 else None
        self._warn_of_rank(blocks.shape)

    def _check_parameters(self, shape: tuple[int, int]) -> None:
        super()._check_parameters(shape)
        self._check_choices(solver=tuple(_SOLVERS), refit=(True, False, "auto"))

    def _warn_of_rank(self, shape: tuple[int, int]) -> None:
        most = min(shape[0] - int(self.center), shape[1])
        if self.rank_ == 0 and self.noise_scale_ > 0:
            found, advice = "no component", "smaller"
        elif self.rank_ < self._n_wanted and self.noise_scale_ > 0:
            found, advice = f"rank {self.rank_} instead of {self._n_wanted}", "smaller"
        elif 1 < most <= self.rank_ and self.noise_scale_ > 0:
            found, advice = f"the full rank {most}", "larger"
        else:
            return
        warnings.warn(
            f"found {found}: the weights do not suit this matrix; pass a {advice} noise_scale, "
            "or choose the rank with ExRPCA('auto')",
            RobustFitWarning,
            stacklevel=4,
        )

    def _refit(self, X: Any) -> ExRPCA:
        """Fit `ExRPCA` at the rank that was found, and adopt its attributes."""
        model = ExRPCA(self.rank_, center=self.center, missing=self.missing).fit(X)
        k = self.n_components_
        self.components_ = model.components_[:k]
        self.singular_values_ = model.singular_values_[:k]
        self.explained_variance_ = model.explained_variance_[:k]
        self.explained_variance_ratio_ = model.explained_variance_ratio_[:k]
        self.mean_, self.sparse_ = model.mean_, model.sparse_
        self.noise_scale_, self.noise_variance_ = model.noise_scale_, model.noise_variance_
        return model

    def _weights(self, blocks: Blocks, shift: Floats) -> tuple[float, float]:
        """Return λ₁ and λ₂; estimate the noise if they depend on it."""
        lambda1, lambda2 = self.lambda1, self.lambda2
        tau = delta = 1.0
        if lambda1 == "auto" or lambda2 == "auto":
            scale = self.noise_scale
            if scale is None:
                scale = noise_scale_of_sample(
                    blocks, shift, center=self.center, impute=self._accepts_nan()
                )
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

    def _split(self, X: Floats) -> tuple[Floats, scipy.sparse.csr_array]:
        return self._solved(X)

    def _solved(self, X: Floats) -> tuple[Floats, scipy.sparse.csr_array]:
        if self._refitted is not None:
            return self._refitted._split(X)
        return self._rows.split(X, self.tol)

    def _fitted_model(self) -> Model:
        if self._refitted is not None and self.n_components_ == self.rank_:
            return self._refitted._fitted_model()
        return super()._fitted_model()


_ROWS_PER_FEATURE = 16
_ITERATIONS = 100


def penalties(scale: float, n_rows: int, n_features: int) -> tuple[float, float]:
    """Return how far to shrink singular values (τ), and the largest noise of an element (δ).

    Noise alone has singular values up to b = σ(√n + √d). Shrinking by twice that leaves the right
    rank where noise and outliers meet. An element outside 3σ is hardly noise.
    """
    return 2 * scale * (np.sqrt(n_rows) + np.sqrt(n_features)), 3 * scale


def noise_scale_of_sample(blocks: Blocks, shift: Floats, *, center: bool, impute: bool) -> float:
    """Estimate the standard deviation of the noise on a sample of the rows.

    Steps of the convex problem alternate with estimates from the median of |X − L|, which a few
    large outliers do not move, until the estimate settles.
    """
    rows = sampled_rows(blocks, _ROWS_PER_FEATURE * blocks.shape[1], shift)
    x = rows.astype(np.float64)
    refuse_unusable(x, blocks, allow_nan=impute)
    low_rank: Floats = np.nanmedian(x, axis=0) * np.ones_like(x) if center else np.zeros_like(x)
    scale = NORMAL_OVER_MAD * float(np.nanmedian(np.abs(x - low_rank)))
    for _ in range(_ITERATIONS):
        tau, delta = penalties(scale, *x.shape)
        point = low_rank + np.clip(np.nan_to_num(x - low_rank), -delta, delta)
        moments, sums = moments_of(point, wide=len(x) < x.shape[1])
        step = Shrinkage.of(moments, sums if center else None, len(x), tau)
        if 2 * step.rank > min(x.shape):
            # So many components would leave ever less to call noise, down to nothing.
            break
        # Without the shrinkage, which would look like noise.
        low_rank = step.mean + (point - step.mean) @ step.basis @ step.basis.T
        last, scale = scale, NORMAL_OVER_MAD * float(np.nanmedian(np.abs(x - low_rank)))
        if abs(scale - last) <= 1e-3 * last:
            break
    # If there is no noise, use weights for noise at the level of rounding.
    rounding = float(np.sqrt(np.finfo(blocks.dtype).eps * np.nanmean(x**2)))
    return max(scale, rounding) or 1.0

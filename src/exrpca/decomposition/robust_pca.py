"""RobustPCA: principal component pursuit, the baseline without dense noise."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import scipy.sparse

from exrpca.decomposition._convex.alm import solve_alm
from exrpca.decomposition._convex.estimator import THRESHOLD, ConvexDecomposition
from exrpca.decomposition._convex.parts import take_apart
from exrpca.decomposition._convex.problem import Solution
from exrpca.decomposition._convex.rows import PursuitRows
from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.first_look import FirstLook
from exrpca.decomposition._matrix.gram import leading, leading_of_wide
from exrpca.decomposition.base import MOST_IN_S, Callback, RobustFitWarning


class RobustPCA(ConvexDecomposition):
    """Principal component pursuit: min ‖L‖_* + λ‖S‖₁ with X = L + S [1]_.

    The model has no dense noise: whatever is not in L is in S, and on noisy data the rank of L is
    far above that of the signal. `ExRPCA` is made for noisy data.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=None
        How many of L's leading components to keep in `components_` and to transform to, if L has
        that many. A number between 0 and 1 is the share of L's variance to keep; "auto" keeps as
        many as `ExRPCA("auto")` finds; None keeps all. L itself, as `decompose` returns it, keeps
        its rank.
    lambda_ : float or "auto", default="auto"
        The weight of the outliers. "auto" is 1/√max(n, d), which recovers the parts exactly under
        the conditions of [1]_.
    center : bool, default=True
        Let the rows of L lie around a free mean.
    missing : {"error", "impute"}, default="error"
        "impute" treats NaN as a gap, which L fills: with `n_components`, by what these components
        predict from the elements of the row near them. They are then fitted again, to X with its
        gaps filled and without elements far from L.
    scores : {"robust", "linear"}, default="robust"
        How `transform` treats outlying elements. "robust" takes them out, as `ExRPCA` does; if
        `n_components` is None, it leaves S out before it projects a row. "linear" is the plain
        projection.
    tol : float, default=5e-3
        Stop when less than this share of X is unexplained and an iteration changes S by less,
        relatively. Elements of X − L below this share of a typical element count as rounding: they
        are in E.
    max_iter : int, default=500
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
        The standard deviation of what counts as rounding.
    objective_ : float
        The lowest value of the objective, which is that of L and S = X − L.

    References
    ----------
    .. [1] Wright, Ganesh, Rao, Peng and Ma (2009), "Robust Principal Component Analysis: Exact
       Recovery of Corrupted Low-Rank Matrices by Convex Optimization".

    Examples
    --------
    >>> from exrpca.decomposition import make_low_rank
    >>> X = make_low_rank(500, 30, n_components=2, noise=0, outlier_share=0).matrix
    >>> X[7, 3] += 25
    >>> model = RobustPCA(center=False).fit(X)
    >>> model.rank_
    2
    >>> bool(24.5 < model.sparse_[7, 3] < 25.5)
    True
    """

    def __init__(
        self,
        n_components: int | float | Literal["auto"] | None = None,
        *,
        lambda_: float | Literal["auto"] = "auto",
        center: bool = True,
        missing: Literal["error", "impute"] = "error",
        scores: Literal["robust", "linear"] = "robust",
        tol: float = 5e-3,
        max_iter: int = 500,
        callback: Callback | None = None,
    ) -> None:
        self.n_components = n_components
        self.lambda_ = lambda_
        self.center = center
        self.missing = missing
        self.scores = scores
        self.tol = tol
        self.max_iter = max_iter
        self.callback = callback

    def _fit(self, X: Any) -> None:
        blocks = self._blocks(X, center=self.center)
        self._check_parameters(blocks.shape)
        weight = self._weight(blocks.shape)
        shift = FirstLook.at(blocks, center=self.center).shift
        problem = self._problem(blocks, np.inf, weight)
        solution = solve_alm(blocks, shift, problem, self._stopping())
        rounding = self.tol * solution.typical_element
        refit = self._accepts_nan() and self.n_components is not None
        kept = list(solution.states) if refit else []  # taking apart consumes them
        parts = take_apart(blocks, shift, solution, rounding, soft=False)
        self._keep(blocks, shift, solution, parts)
        self._rows = PursuitRows(shift, solution.low_rank, weight, rounding)
        if parts.has_gaps and refit:
            self._refit(blocks, shift, replace(solution, states=kept))
        if self.n_components is None:
            self._warn_of_noise()

    def _refit(self, blocks: Blocks, shift: Floats, solution: Solution) -> None:
        """Fit the components again, to X without far elements and with L in its gaps.

        In gaps the nuclear norm has nothing against it, and shrinks what the components predict.
        """
        cut = THRESHOLD * self._fitted_model().unit
        parts = take_apart(blocks, shift, solution, cut, soft=False)
        n, d = blocks.shape
        known = n - parts.sparse.astype(bool).sum(axis=0).astype(np.float64)
        if n < d:
            found = leading_of_wide(parts.moments, self.n_components_, known, center=self.center)
        else:
            sums = parts.sums if self.center else None
            found = leading(parts.moments, sums, n, self.n_components_, known, blocks.dtype)
        self._keep_spectrum(blocks, shift, found, n)
        self._keep_rows(blocks)

    def _warn_of_noise(self) -> None:
        share = self._outlier_share()
        if share > MOST_IN_S:
            warnings.warn(
                f"{share:.0%} of the elements are in S: X has dense noise, which pursuit takes for "
                "outliers and components; use ExRPCA, or pass n_components",
                RobustFitWarning,
                stacklevel=4,
            )

    def _weight(self, shape: tuple[int, int]) -> float:
        """Return λ."""
        weight = 1 / np.sqrt(max(shape)) if self.lambda_ == "auto" else self.lambda_
        if isinstance(weight, str) or not weight > 0:
            raise ValueError(f"lambda_={self.lambda_!r} must be positive or 'auto'")
        return float(weight)

    def _scores(self, X: Floats) -> Floats:
        if self.scores == "linear" or self.n_components is None:
            return super()._scores(X)
        return self._scored(X)[0]

    def _split(self, X: Floats) -> tuple[Floats, scipy.sparse.csr_array]:
        L, S = self._solved(X)
        gaps = np.isnan(X)
        if gaps.any() and self.n_components is not None:
            L = np.where(gaps, self._scored(X)[1], L)
        return L, S

    def _solved(self, X: Floats) -> tuple[Floats, scipy.sparse.csr_array]:
        return self._rows.split(X, self.tol)

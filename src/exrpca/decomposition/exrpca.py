"""ExRPCA: low rank + dense noise + sparse outliers at a chosen rank, as fast as a few PCAs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse

from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.finite import refuse_non_finite
from exrpca.decomposition._matrix.gram import Spectrum, leading
from exrpca.decomposition._matrix.shift import FirstLook
from exrpca.decomposition._matrix.sparse_rows import only_observed, stacked, without
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.outliers import Model, set_aside
from exrpca.decomposition._rounds.steps import first_round, leave_out_missing, next_round
from exrpca.decomposition.base import RobustDecomposition
from exrpca.decomposition.iteration import Callback, Iteration

# The rounds of "recompute" begin with a sample of this many rows per feature. It places the
# components well enough for the whole matrix to need only a few rounds.
_SAMPLE_ROWS_PER_FEATURE = 16
_SAMPLE_TOL = 1e-2

# An element this many times the median one is never needed to see where the rows lie.
_GIGANTIC = 20.0


class ExRPCA(RobustDecomposition):
    """Extended robust PCA with a fixed rank: X = L + E + S.

    L has rank `n_components` (around `mean_`), E is dense noise, and S holds the elements that are
    farther from L than `threshold` standard deviations of E. Rounds of PCA and of setting elements
    aside alternate until S no longer changes. A round costs one pass over the matrix: the Gram
    matrix is computed once and then updated.

    Parameters
    ----------
    n_components : int, default=2
        The rank of L.
    threshold : float, default=3.0
        How many standard deviations of E an element may be away from L.
    update : {"recompute", "accumulate"}, default="recompute"
        "recompute" judges every element of X anew in each round, so that one set aside by mistake
        in an early round comes back, and measures the noise on the elements that are not set
        aside. "accumulate" is Algorithm 1 of [1]_: what is set aside stays, and the noise is
        measured on all elements.
    center : bool, default=True
        Subtract the mean of X − S. Use False for data whose origin has a meaning, such as
        differences.
    missing : {"error", "impute"}, default="error"
        "impute" treats NaN as set aside; L fills it.
    tol : float, default=2e-3
        Stop when a round changes S by at most `tol` · ‖X − S‖, in the Frobenius norm.
    max_iter : int, default=100
        The largest number of rounds.
    callback : callable, optional
        Called with an `Iteration` after each round; `callback=print` shows the progress.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Orthonormal directions of L, by decreasing variance.
    mean_ : ndarray of shape (n_features,)
        The mean of X − S, or 0 without centering.
    explained_variance_, explained_variance_ratio_ : ndarray of shape (n_components,)
        The variance of X − S along each component, and its share of the total.
    sparse_ : scipy.sparse.csr_array of shape (n_samples, n_features)
        S.
    noise_scale_ : float
        The standard deviation of E.
    n_iter_ : int
        The number of rounds.
    converged_ : bool
        Whether the rounds stopped because of `tol`.

    References
    ----------
    .. [1] Shi, Sun and Hu (2018), "Understanding and Improving Multi-Sense Word Embeddings via
       Extended Robust Principal Component Analysis".

    Examples
    --------
    >>> import numpy as np
    >>> from exrpca.decomposition import make_low_rank
    >>> X = make_low_rank(500, 10, n_components=2, outlier_share=0).matrix
    >>> X[7, 3] += 25
    >>> model = ExRPCA(2).fit(X)
    >>> bool(24 < model.sparse_[7, 3] < 26)
    True
    >>> L, E, S = model.decompose(X)
    >>> np.allclose(L + E + S, X)
    True
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        threshold: float = 3.0,
        update: Literal["recompute", "accumulate"] = "recompute",
        center: bool = True,
        missing: Literal["error", "impute"] = "error",
        tol: float = 2e-3,
        max_iter: int = 100,
        callback: Callback | None = None,
    ) -> None:
        self.n_components = n_components
        self.threshold = threshold
        self.update = update
        self.center = center
        self.missing = missing
        self.tol = tol
        self.max_iter = max_iter
        self.callback = callback

    def _fit(self, X: Any) -> None:
        blocks = self._blocks(X, center=self.center)
        self._check_parameters(blocks.shape)
        look = FirstLook.at(blocks, center=self.center)
        if self.update == "recompute":
            start = self._start_from_sample(blocks, look)
        else:
            start = Model.blank(blocks.shape[1])
        result = self._alternate(blocks, look.shift, start, self.tol, self.callback)
        self._keep(blocks, look.shift, result)

    def _check_parameters(self, shape: tuple[int, int]) -> None:
        n, d = shape
        self._check_integer("n_components")
        if self.n_components > min(n, d):
            raise ValueError(
                f"n_components={self.n_components} must be between 1 and "
                f"min(n_samples={n}, n_features={d})"
            )
        self._check_integer("max_iter")
        if not self.threshold > 0:
            raise ValueError(f"threshold={self.threshold} must be positive")
        for name, allowed in (
            ("update", ("recompute", "accumulate")),
            ("missing", ("error", "impute")),
        ):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name}={getattr(self, name)!r} must be one of {allowed}")

    def _start_from_sample(self, blocks: Blocks, look: FirstLook) -> Model:
        """Return the model of some of the rows."""
        sample = blocks.sample(_SAMPLE_ROWS_PER_FEATURE * blocks.shape[1])
        # A few gigantic elements would turn into components. What is set aside here by mistake
        # comes back in the rounds.
        gigantic = _GIGANTIC * look.spread if look.spread > 0 else np.inf
        start = Model.blank(blocks.shape[1], threshold=gigantic)
        return self._model(self._alternate(sample, look.shift, start, _SAMPLE_TOL, None).spectrum)

    def _alternate(
        self,
        blocks: Blocks,
        shift: Floats,
        start: Model,
        tol: float,
        callback: Callback | None,
    ) -> _Result:
        """Alternate PCA and setting aside, beginning with what stands out from `start`."""
        impute, accumulate = self.missing == "impute", self.update == "accumulate"
        (gram, sums, aside), states = blocks.run(first_round, None, shift, start, impute)
        if not np.isfinite(gram).all():
            refuse_non_finite(blocks, allow_nan=impute)
        spectrum = self._spectrum(blocks, gram, sums, aside)
        converged = False
        number = 0
        while number < self.max_iter and not converged:
            number += 1
            if spectrum.noise_scale == 0:
                converged = True
                break
            model = self._model(spectrum)
            totals, states = blocks.run(next_round, states, shift, model, accumulate)
            half, sums_change, squares, aside = totals
            gram -= half + half.T
            sums += sums_change
            spectrum = self._spectrum(blocks, gram, sums, aside)
            change = float(np.sqrt(squares / max(np.trace(gram), np.finfo(float).tiny)))
            converged = change <= tol
            if callback is not None:
                share = float(aside) / (blocks.shape[0] * blocks.shape[1])
                callback(Iteration(number, spectrum.noise_energy, self.n_components, share, change))
        return _Result(spectrum, states, number, converged)

    def _spectrum(self, blocks: Blocks, gram: Floats, sums: Floats, aside: Floats) -> Spectrum:
        n, d = blocks.shape
        n_noisy = n * d - (float(aside) if self.update == "recompute" else 0.0)
        return leading(
            gram, sums if self.center else None, n, self.n_components, n_noisy, blocks.dtype
        )

    def _model(self, spectrum: Spectrum) -> Model:
        return Model(spectrum.mean, spectrum.components, self.threshold * spectrum.noise_scale)

    def _keep(self, blocks: Blocks, shift: Floats, result: _Result) -> None:
        """Set the fitted attributes."""
        states = result.states
        if self.missing == "impute":
            _, states = blocks.run(leave_out_missing, states)
        spectrum = result.spectrum
        self.components_ = spectrum.components.astype(blocks.dtype)
        self.mean_ = (spectrum.mean + shift).astype(blocks.dtype)
        degrees = max(blocks.shape[0] - int(self.center), 1)
        self.explained_variance_ = (spectrum.values / degrees).astype(blocks.dtype)
        self.explained_variance_ratio_ = spectrum.ratios.astype(blocks.dtype)
        self.noise_scale_ = spectrum.noise_scale
        self.sparse_ = stacked(blocks.collect(states), blocks.shape[1])
        self.n_iter_ = result.n_iter
        self.converged_ = result.converged

    def _split(self, X: Floats) -> tuple[Floats, scipy.sparse.csr_array]:
        # Where the fit found no noise, rounding must not count as outliers.
        typical = np.sqrt(float(self.explained_variance_.sum()) / X.shape[1])
        rounding = 10 * np.sqrt(np.finfo(self.components_.dtype).eps) * typical
        threshold = max(self.threshold * self.noise_scale_, float(rounding))
        model = Model(self.mean_, self.components_, threshold)
        shift = np.zeros(X.shape[1], X.dtype)
        aside = set_aside(X, shift, None, model)
        z = without(X, shift, *aside.arrays, True)
        mean, u = self.mean_.astype(X.dtype), self.components_.astype(X.dtype)
        return (z - mean) @ u.T @ u + mean, stacked([only_observed(X, aside)], X.shape[1])

    def _accepts_nan(self) -> bool:
        return self.missing == "impute"


@dataclass(frozen=True)
class _Result:
    """Where the rounds ended; `states` holds S, block by block."""

    spectrum: Spectrum
    states: list[Any]
    n_iter: int
    converged: bool

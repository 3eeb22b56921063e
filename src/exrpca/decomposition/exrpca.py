"""ExRPCA: low rank + dense noise + sparse outliers at a chosen rank, as fast as a few PCAs."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal

import numpy as np
import scipy.sparse
from sklearn.utils import check_scalar

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.first_look import (
    NORMAL_OVER_MAD,
    FirstLook,
    column_quantiles,
    is_standardized,
    refuse_unusable,
    sampled_rows,
)
from exrpca.decomposition._matrix.gram import Spectrum
from exrpca.decomposition._matrix.sparse_rows import SparseRows, stacked
from exrpca.decomposition._rounds.all_columns import (
    most_rows_of_wide,
    on_all_columns,
    sampled_columns,
)
from exrpca.decomposition._rounds.alternation import (
    Alternation,
    Settings,
    Start,
    begin,
    whole_sparse_part,
)
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.rank import MOST_COMPONENTS, above_noise, choose_rank, holding
from exrpca.decomposition._rounds.robust_scores import robust_scores
from exrpca.decomposition._rounds.row_weights import RowLimits
from exrpca.decomposition._rounds.start import (
    fit_sample,
    inner_spread,
    spread_without_extremes,
)
from exrpca.decomposition.base import (
    MOST_IN_S,
    Callback,
    Iteration,
    RobustDecomposition,
    RobustFitWarning,
)
from exrpca.decomposition.partial_fit import PartialFit

# The rounds of "recompute" begin with a sample of this many rows per feature. It places the
# components well enough for the whole matrix to need only one or two rounds.
_SAMPLE_ROWS_PER_FEATURE = {"feature": 32, "global": 16}
_SAMPLE_TOL = 1e-2

# Before that, pursuit takes a sample of its own, which needs fewer rows and costs more. It gets at
# least the first number of elements, which is all of a small table, and at most the second, which
# bounds its memory.
_PURSUIT_ROWS_PER_FEATURE = 2
_LEAST_PURSUIT_ELEMENTS = 2**17
_MOST_PURSUIT_ELEMENTS = 2**22
# The rank is chosen on at least this number of elements: fewer rows hide weak components.
_LEAST_RANK_ELEMENTS = 2**19
# A matrix with 64 times these rows goes on with a larger sample, and needs only this share.
_LARGE = 64
_SHARE_IF_LARGE = 1 / 4

# The default thresholds. One σ for all features is the paper's, and 3 its threshold. With a σ per
# feature the residuals of real data have longer tails than the normal distribution: 4 to 6 give the
# same components, and at 3 cells that are only far out in the tail are taken out.
_THRESHOLDS = {"feature": 5.0, "global": 3.0}

# Whether noise is normal is judged by about this number of elements.
_JUDGED_ELEMENTS = 2**17

# The units of the features are measured on about this number of rows.
_ROWS_FOR_UNITS = 2000

# Noise below this share of a feature's spread is next to none: its shape does not matter.
_NEXT_TO_NO_NOISE = 1e-4

# An element this many times the median one is never needed to see where the rows lie.
_GIGANTIC = 20.0

# Features that differ by more than this factor under one σ deserve a warning,
_EQUAL_SPREADS = 10.0
# and noise whose standard deviation is more than twice what its median says.
_LONG_TAILS = 2.0

# From the functions here to the line that calls `fit` of an `ExRPCA`.
_STACK_LEVEL = 4


class ExRPCA(RobustDecomposition, PartialFit):
    """Extended robust PCA with a fixed rank: X = L + E + S, for broken cells and broken rows.

    L has rank `n_components` (around `mean_`), E is dense noise, and S holds the elements that are
    farther from L than `threshold` standard deviations of E. Rounds of PCA and of taking elements
    out alternate until S no longer changes. A round costs one pass over the matrix: the Gram
    matrix is computed once and then updated. Rows that are shifted as a whole and would bend the
    components get weight 0 (`case_weights_`).

    Parameters
    ----------
    n_components : int, float or "auto", default=2
        The rank of L. A number between 0 and 1 is the share of the variance of X − S to keep.
        "auto" keeps the components that stand out from noise by the test of [2]_, applied to
        X − S in units of each feature's noise. Both are chosen on a sample of the rows.
    threshold : float or "auto", default="auto"
        How many standard deviations of E an element may be away from L. "auto" is 5 for
        `scale="feature"`, since the residuals of real features have longer tails than the normal
        distribution, and the paper's 3 for `scale="global"`.
    scale : {"feature", "global"}, default="feature"
        "feature" measures E feature by feature, so S hardly depends on the unit of a feature. The
        rounds begin with principal component pursuit of a sample of the rows. Residuals of real
        tables have long tails that carry structure, so the noise of a feature counts as at least
        half of its spread, unless some hidden cells of the sample are predicted clearly better
        without that. If a plane through the rows that agree leaves far less of them than the plane
        through all rows, the others get weight 0.
        "global" measures E by one standard deviation for all features, as in [1]_. Use it for
        features that have the same noise, such as differences of vectors. All rows count.
    update : {"recompute", "accumulate"}, default="recompute"
        "recompute" judges every element of X again in each round, so that one taken out by mistake
        in an early round comes back, and measures the noise on the elements that are not set
        outlying. "accumulate" is Algorithm 1 of [1]_: what is taken out stays, and the noise is
        measured on all elements.
    center : bool, default=True
        Subtract the mean of X − S. Use False for data whose origin has a meaning, such as
        differences.
    missing : {"error", "impute"}, default="error"
        "impute" treats NaN as taken out; L fills it.
    scores : {"robust", "linear"}, default="robust"
        How `transform` treats outlying elements. "robust" takes them out, as `decompose` does, so
        that one element cannot move the scores of its row far. "linear" is the plain projection.
    units : {"auto", "given", "robust"}, default="auto"
        "robust" divides each feature by its spread (`scale_`) before the fit, measured so that
        outliers do not change it: like `RobustScaler` before the fit, for features in different
        units. `components_`, `mean_`, `sparse_` and the variances are then in these units.
        Rows that come in and go out (`inverse_transform`, `decompose`) are in the units given.
        "auto" does something like that where every feature has the mean 0 and the standard
        deviation 1, as after `StandardScaler`: outliers had a part in that, and a few typos in a
        feature make all that is right in it next to nothing. So each feature is divided by its
        standard deviation without extreme values. Otherwise "auto" is "given".
    contamination : float or "auto", default="auto"
        Which rows `predict` calls outlying: this share of the rows that were fitted, or those
        beyond the cutoffs of `row_distances`, which about 1% of the rows that fit are.
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
        The mean of X − S; 0 without centering.
    explained_variance_, explained_variance_ratio_ : ndarray of shape (n_components,)
        The variance of X − S along each component, and its share of the total. Rows of weight 0
        have no part in them.
    case_weights_ : ndarray of shape (n_samples,)
        1 for the rows that count, 0 for those that would bend the components.
    scale_ : ndarray of shape (n_features,)
        What features were divided by, see `units`; 1 by default.
    sparse_ : scipy.sparse.csr_array of shape (n_samples, n_features)
        S.
    n_components_ : int
        The rank of L.
    singular_values_ : ndarray of shape (n_components,)
        The singular values of X − S (centered) along the components.
    noise_variance_ : float
        The mean variance of X − S along the directions left out, as in probabilistic PCA.
    noise_scale_ : float
        The standard deviation of E.
    noise_scales_ : ndarray of shape (n_features,)
        The standard deviation of E for each feature.
    n_iter_ : int
        The number of rounds.
    converged_ : bool
        Whether the rounds stopped because of `tol`.

    Notes
    -----
    Rows get weight 0 in memory, on Dask, with gaps and in wide matrices. In a stream this holds for
    the first batch; of later ones only cells are taken out. With `scale="global"` and
    `update="accumulate"`, which are the paper's, every row counts.

    References
    ----------
    .. [1] Shi, Sun and Hu (2018), "Understanding and Improving Multi-Sense Word Embeddings via
       Extended Robust Principal Component Analysis".
    .. [2] Kritchman and Nadler (2009), "Non-Parametric Detection of the Number of Signals:
       Hypothesis Testing and Random Matrix Theory".

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
        n_components: int | float | Literal["auto"] = 2,
        *,
        threshold: float | Literal["auto"] = "auto",
        scale: Literal["feature", "global"] = "feature",
        update: Literal["recompute", "accumulate"] = "recompute",
        center: bool = True,
        missing: Literal["error", "impute"] = "error",
        scores: Literal["robust", "linear"] = "robust",
        units: Literal["auto", "given", "robust"] = "auto",
        contamination: float | Literal["auto"] = "auto",
        tol: float = 2e-3,
        max_iter: int = 100,
        callback: Callback | None = None,
    ) -> None:
        self.n_components = n_components
        self.threshold = threshold
        self.scale = scale
        self.update = update
        self.center = center
        self.missing = missing
        self.scores = scores
        self.units = units
        self.contamination = contamination
        self.tol = tol
        self.max_iter = max_iter
        self.callback = callback

    def _fit(self, X: Any) -> None:
        blocks = self._blocks(X, center=self.center)
        self._check_parameters(blocks.shape)
        self._choose_units(blocks)
        if (self.scale_ != 1).any():
            blocks = blocks.divided(self.scale_)
        look = FirstLook.at(blocks, center=self.center)
        self.n_components_ = self._rank(blocks, look.shift)
        if self.update == "accumulate":
            start = Start(Model.blank(blocks.shape[1]))
        elif self.scale == "feature":
            start = self._start_from_pursuit(blocks, look.shift)
        else:
            start = self._start_from_sample(blocks, look.shift, self._start_from_nothing(look))
        if self.scale == "global":
            warn_of_unequal_features(look.spreads)
        result = self._alternate(blocks, look.shift, start, self.tol, self.callback)
        self._keep(blocks, look.shift, result, start.least_noise)
        self._least_noise = start.least_noise * result.rounds.spectrum.spreads
        self._stream = None
        self._keep_rows(blocks)
        if start.limits is not None:
            self._keep_rows_that_count(start.limits)
        warn_of_many_outliers(self._outlier_share(), self.n_components_, self._threshold)
        warn_of_long_tails(self._tails())

    def _check_parameters(self, shape: tuple[int, int]) -> None:
        self._check_rank(shape)
        self._check_integer("max_iter")
        if self.threshold != "auto":
            check_scalar(self.threshold, "threshold", Real, min_val=0, include_boundaries="neither")
        if self.contamination != "auto":
            check_scalar(
                self.contamination, "contamination", Real, min_val=0, max_val=0.5,
                include_boundaries="right",
            )  # fmt: skip
        self._check_choices(
            scale=("feature", "global"),
            update=("recompute", "accumulate"),
            missing=("error", "impute"),
            scores=("robust", "linear"),
            units=("auto", "given", "robust"),
        )

    @property
    def _threshold(self) -> float:
        return _THRESHOLDS[self.scale] if self.threshold == "auto" else float(self.threshold)

    def _choose_units(self, blocks: Blocks) -> None:
        """Set `scale_`."""
        if self.units == "robust":
            rows = sampled_rows(blocks, _ROWS_FOR_UNITS)
            self.scale_ = inner_spread(rows, center=self.center).astype(np.float64)
        elif self.units == "auto" and self.scale == "feature" and is_standardized(blocks):
            rows = sampled_rows(blocks, _ROWS_FOR_UNITS)
            self.scale_ = spread_without_extremes(rows, center=self.center).astype(np.float64)

    def _rank(self, blocks: Blocks, shift: Floats) -> int:
        """Return the number of components, which some of the rows show if it is not given."""
        if isinstance(self.n_components, int | np.integer):
            return int(self.n_components)
        auto = self.n_components == "auto"
        rows = self._pursuit_rows(blocks, shift, _LEAST_RANK_ELEMENTS // blocks.shape[1])
        rank = choose_rank(
            rows[:, sampled_columns(rows.shape, MOST_COMPONENTS)],
            above_noise if auto else holding(float(self.n_components)),
            self._threshold,
            center=self.center,
            in_units=auto,
        )
        if rank == 0:
            warnings.warn(
                "no component stands out from the noise; n_components='auto' keeps one",
                RobustFitWarning,
                stacklevel=5,
            )
        return max(rank, 1)

    def _start_from_pursuit(self, blocks: Blocks, shift: Floats) -> Start:
        """Return the model of some of the rows, found without a start of its own."""
        rows = self._pursuit_rows(blocks, shift, 2 * self.n_components_, for_start=True)
        columns = sampled_columns(rows.shape, self.n_components_)
        fit = fit_sample(rows[:, columns], self.n_components_, self._threshold, center=self.center)
        if len(columns) < rows.shape[1]:
            fit = on_all_columns(fit, rows, center=self.center)
        start = Start(fit.model, None, fit.least_noise, fit.limits)
        if len(rows) < blocks.shape[0]:
            return self._start_from_sample(blocks, shift, start)
        if fit.kept is not None:
            return start
        values = np.nan_to_num(rows[fit.outlying]) - fit.low_rank[fit.outlying]
        sparse = SparseRows.marked(fit.outlying, values.astype(blocks.dtype))
        return replace(start, sparse=blocks.cut(sparse))

    def _pursuit_rows(
        self, blocks: Blocks, shift: Floats, at_least: int, *, for_start: bool = False
    ) -> Floats:
        """Return the rows to begin with, or to choose the rank on."""
        n_features = blocks.shape[1]
        wanted = max(_PURSUIT_ROWS_PER_FEATURE * n_features, _LEAST_PURSUIT_ELEMENTS // n_features)
        if for_start and blocks.shape[0] > _LARGE * wanted:
            wanted = max(int(_SHARE_IF_LARGE * wanted), 4 * self.n_components_)
        most = _MOST_PURSUIT_ELEMENTS // n_features
        if for_start and blocks.shape[0] < n_features:
            most = max(most, most_rows_of_wide())
        n_rows = max(min(wanted, most), at_least, 2)
        rows = sampled_rows(blocks, n_rows, shift)
        refuse_unusable(rows, blocks, allow_nan=self.missing == "impute")
        return rows

    def _start_from_nothing(self, look: FirstLook) -> Start:
        """Return the start that takes out what is gigantic.

        A few gigantic elements would turn into components. What is taken out here by mistake comes
        back in the rounds.
        """
        gigantic = _GIGANTIC * look.spread or np.inf
        return Start(Model.blank(len(look.shift), threshold=gigantic))

    def _start_from_sample(self, blocks: Blocks, shift: Floats, start: Start) -> Start:
        """Return the model of some of the rows, found from `start`."""
        n_rows = _SAMPLE_ROWS_PER_FEATURE[self.scale] * blocks.shape[1]
        if self.scale == "feature":
            n_rows = max(n_rows, _LEAST_PURSUIT_ELEMENTS // blocks.shape[1])
        sample = blocks.sample(n_rows)
        if sample.shape == blocks.shape and self.scale == "feature":
            return start
        result = self._alternate(sample, shift, start, _SAMPLE_TOL, None)
        model = self._model(result.rounds.spectrum, start.least_noise)
        return replace(start, model=model)

    def _alternate(
        self,
        blocks: Blocks,
        shift: Floats,
        start: Start,
        tol: float,
        callback: Callback | None,
    ) -> _Result:
        """Alternate PCA and taking out, beginning with what stands out from `start`."""
        settings = self._settings(start)
        rounds = begin(blocks, shift, start, settings)
        converged = False
        number = 0
        while number < self.max_iter and not converged:
            number += 1
            if rounds.spectrum.noise_scale == 0 and self.scale == "global":
                converged = True
                break
            change = rounds.next(self._model(rounds.spectrum, start.least_noise))
            converged = change <= tol
            if callback is not None:
                noise, share = rounds.spectrum.noise_energy, rounds.outlying.sum()
                share /= rounds.n_rows * blocks.shape[1]
                callback(Iteration(number, noise, self.n_components_, float(share), change))
        return _Result(rounds, settings, number, converged)

    def _settings(self, start: Start) -> Settings:
        model = start.model
        return Settings(
            n_components=self.n_components_,
            center=self.center,
            impute=self.missing == "impute",
            accumulate=self.update == "accumulate",
            robust=self.scale == "feature" and len(model.components) > 0,
        )

    def _model(self, spectrum: Spectrum, least_noise: float) -> Model:
        if self.scale == "global":
            unit = np.ones_like(spectrum.mean)
            threshold = self._threshold * spectrum.noise_scale
        else:
            unit = np.maximum(spectrum.noise_scales, least_noise * spectrum.spreads)
            threshold = self._threshold
        return Model(spectrum.mean, spectrum.components, threshold, unit, spectrum.variances)

    def _keep(self, blocks: Blocks, shift: Floats, result: _Result, least_noise: float) -> None:
        """Set the fitted attributes."""
        spectrum = result.rounds.spectrum
        self._keep_spectrum(blocks, shift, spectrum, result.rounds.n_rows)
        states = result.rounds.states
        if self.missing == "impute" or result.rounds.n_rows < blocks.shape[0]:
            model = self._model(spectrum, least_noise)
            _, states = blocks.run(whole_sparse_part, states, shift, model, result.settings)
        sparse, weights = zip(*blocks.collect(states), strict=True)
        self.sparse_ = stacked(list(sparse), blocks.shape[1])
        self.case_weights_ = np.ones(blocks.shape[0])
        if result.rounds.n_rows < blocks.shape[0]:
            self.case_weights_ = np.concatenate(weights).astype(np.float64)
        self.noise_scale_ = spectrum.noise_scale
        self.noise_scales_ = spectrum.noise_scales.astype(blocks.dtype)
        self.n_iter_ = result.n_iter
        self.converged_ = result.converged

    def _scores(self, X: Floats) -> Floats:
        if self.scores == "linear":
            return super()._scores(X)
        return robust_scores(X, np.zeros(X.shape[1]), self._fitted_model())[0]

    def _split(self, X: Floats) -> tuple[Floats, scipy.sparse.csr_array]:
        return self._scored(X)[1:]

    def _fitted_model(self) -> Model:
        # Where the fit found no noise, rounding must not count as outliers.
        unit = (
            np.full(len(self.mean_), max(self.noise_scale_, self._rounding()))
            if self.scale == "global"
            else np.maximum(self.noise_scales_, self._least_noise.astype(self.noise_scales_.dtype))
        )
        return Model(self.mean_, self.components_, self._threshold, unit, self.explained_variance_)

    def _keep_rows_that_count(self, limits: RowLimits) -> None:
        """Leave out the rows beyond the limits from those that cutoffs come from."""
        rows, nowhere = self._fitted_rows.rows, np.zeros(len(self.mean_))
        model = self._fitted_model()
        counting = limits.kept(rows, nowhere, *robust_scores(rows, nowhere, model), model)
        self._fitted_rows.rows = rows[counting]

    def _noise_units(self) -> Floats:
        return np.maximum(self.noise_scales_, self._rounding())

    def _rounding(self) -> float:
        """Return the noise that rounding alone may have where the fit found none."""
        typical = np.sqrt(float(self.explained_variance_.sum()) / len(self.mean_))
        return float(np.sqrt(np.finfo(self.components_.dtype).eps) * typical)

    def _cell_threshold(self) -> float:
        return self._threshold

    def _tails(self) -> float:
        """Return how long the tails of the noise are, see `tails_of`; 1 where there is no noise."""
        rows = self._fitted_rows.rows
        rows = rows[:: max(rows.size // _JUDGED_ELEMENTS, 1)]
        spreads = np.maximum(np.nanstd(rows, axis=0), np.finfo(rows.dtype).tiny)
        if np.median(self.noise_scales_ / spreads) < _NEXT_TO_NO_NOISE:
            return 1.0
        if self.scale == "global":  # robust scores would have to be compiled for this alone
            noise = rows - self.mean_
            noise -= noise @ self.components_.T @ self.components_
            outlying = ~(np.abs(noise) <= self._threshold * self.noise_scale_)
        else:
            _, L, S = self._scored(rows)
            noise, outlying = rows - L, S.toarray() != 0
        return tails_of(np.where(outlying, np.nan, noise), self.noise_scales_)


def tails_of(noise: Floats, deviations: Floats) -> float:
    """Return the standard deviation of a typical feature's noise over what its median says.

    It is 1 for normal noise, and more if tails are long. NaN is what is taken out.
    """
    medians = NORMAL_OVER_MAD * column_quantiles(np.abs(noise), 0.5)
    return float(np.median(deviations / np.maximum(medians, np.finfo(noise.dtype).tiny)))


@dataclass(frozen=True)
class _Result:
    """Where the rounds ended."""

    rounds: Alternation
    settings: Settings
    n_iter: int
    converged: bool


def warn_of_unequal_features(spreads: Floats) -> None:
    """Warn if one σ measures the noise of features that differ in scale."""
    spreads = spreads[spreads > 0]
    if len(spreads) > 1 and spreads.max() > _EQUAL_SPREADS * np.median(spreads):
        warnings.warn(
            f"one feature has {spreads.max() / np.median(spreads):.3g} times the spread of a "
            "typical one, and scale='global' measures the noise of all by one number: use "
            "scale='feature', or standardize the features",
            RobustFitWarning,
            stacklevel=_STACK_LEVEL,
        )


def warn_of_many_outliers(share: float, rank: int, threshold: float) -> None:
    """Warn if S holds a large share of the elements."""
    if share > MOST_IN_S:
        warnings.warn(
            f"{share:.0%} of the elements were taken out as outliers: the rank {rank} or "
            f"threshold={threshold:g} may be too small for this matrix, or its features have no "
            "common structure",
            RobustFitWarning,
            stacklevel=_STACK_LEVEL,
        )


def warn_of_long_tails(tails: float) -> None:
    """Warn if what the components leave is far from normal noise."""
    if tails > _LONG_TAILS:
        warnings.warn(
            f"the residuals are far from normal noise: their standard deviation is {tails:.1f} "
            "times what the typical one shows. What was taken out may be rare instead of wrong: "
            "look at sparse_, or pass a larger threshold or rank",
            RobustFitWarning,
            stacklevel=_STACK_LEVEL,
        )

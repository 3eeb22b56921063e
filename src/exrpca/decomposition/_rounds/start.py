"""Where the fit begins: a model of a sample of the rows, found without a start of its own.

Rounds that begin with a PCA of everything keep what the outliers made of it. Principal component
pursuit is convex and has no start, so it comes first, in units of each feature's spread. Rows that
bend its L are left out, see `row_weights`. Then rounds lead from L, which may have any rank, to
rank k.

The rounds need to know how far from L an element may be. Residuals of real tables have long tails
that carry structure, so by default the noise of a feature counts as at least half of its spread.
Where noise is normal and small, as in planted data and sensors, this keeps outliers. So some cells
are hidden, and the noise is taken as it is if that predicts the hidden cells clearly better.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.first_look import column_quantiles
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.pursuit import leading_eigh, pursuit, small_gram
from exrpca.decomposition._rounds.row_weights import RowLimits, rows_to_keep

# The quantiles of |x| and where they lie for a normal variable with standard deviation 1. The
# median is the most robust. The others serve features that mostly have one and the same value.
_QUANTILES = ((0.5, 0.6745), (0.75, 1.1503), (0.9, 1.6449), (0.975, 2.2414), (1.0, 3.0))

# Means and standard deviations of features are those of elements cut off at 5 of the units that
# the quantiles give; for the spread that the least noise is a share of, at 2.
_CUT, CUT_FOR_LEAST = 5.0, 2.0
# The least noise of a feature as a share of its spread. 0.3 and 0.7 were no better on 58 tables.
LEAST_NOISE = 0.5
# A tenth of the cells is hidden at a time, until there are enough: 200 of a small table decide
# nothing. They must be predicted better by this many standard errors.
_FOLDS, _ENOUGH_HIDDEN, _CLEARLY = 10, 2**14, 3.0
# For the first S only. What is taken out by mistake comes back in the rounds.
_FIRST_THRESHOLD = 3.0
# An element this many units away is never needed to see where the rows lie.
_FAR = 100.0
_TOL = 1e-3
_MAX_ROUNDS = 50


@dataclass(frozen=True)
class SampleFit:
    """A model of a sample, and how the rounds on the whole matrix are to go on from it."""

    model: Model
    low_rank: Floats
    outlying: NDArray[np.bool_]
    least_noise: float  # the noise of a feature, at least, over the feature's spread
    kept: NDArray[np.bool_] | None = None  # which rows were fitted; None for all
    limits: RowLimits | None = None  # for rows to count, if some were not fitted


def fit_sample(x: Floats, n_components: int, threshold: float, *, center: bool) -> SampleFit:
    """Return the model of rank `n_components` of the rows `x`; NaN counts as taken out."""
    guess = first_guess(x, center=center)
    kept = rows_to_keep(guess[1], n_components, center=center)
    rows = x if kept is None else x[kept]
    if kept is not None:
        guess = first_guess(rows, center=center)
    least = _least_noise(rows, n_components, threshold, center=center)
    model, low_rank, outlying = fit_from(guess, rows, n_components, threshold, least, center=center)
    found = SampleFit(model, low_rank, outlying, least)
    return found if kept is None else replace(found, kept=kept, limits=RowLimits.of(rows, model))


def _least_noise(x: Floats, n_components: int, threshold: float, *, center: bool) -> float:
    """Return the least noise of a feature, over its spread, that hidden cells speak for."""
    fold = np.random.default_rng(0).integers(0, _FOLDS, x.shape)
    gain = np.empty(0)
    for number in range(_FOLDS):
        own = _gain(x, fold == number, n_components, threshold, center=center)
        gain = np.concatenate([gain, own])
        error = gain.std() * np.sqrt(len(gain)) if len(gain) else 0.0
        # what some of the cells say clearly, the others need not be asked
        if abs(gain.sum()) > _CLEARLY * error or len(gain) >= _ENOUGH_HIDDEN:
            break
    return 0.0 if gain.sum() > _CLEARLY * error else LEAST_NOISE


def _gain(
    x: Floats, hidden: NDArray[np.bool_], n_components: int, threshold: float, *, center: bool
) -> Floats:
    """Return by how much noise as it is predicts hidden cells better than the least noise does."""
    shown = np.where(hidden, x.dtype.type(np.nan), x)
    guess = first_guess(shown, center=center)
    hidden = hidden & ~np.isnan(x)
    # A cell beyond what both readings keep costs both the same.
    most = threshold * LEAST_NOISE

    def errors(least: float) -> Floats:
        found = fit_from(guess, shown, n_components, threshold, least, center=center)[1]
        sizes = np.abs((x - found) / guess[0].unit)[hidden]
        squares: Floats = np.minimum(sizes, most).astype(np.float64) ** 2
        return squares

    return errors(LEAST_NOISE) - errors(0.0)


def first_guess(x: Floats, *, center: bool) -> tuple[Units, Floats]:
    """Return the units of the features, and L of the rows in these units, of any rank."""
    units = Units.of(x, center=center).refined(x, _CUT, center=center)
    return units, pursuit(np.clip(units.into(x), -_FAR, _FAR))


def fit_from(
    guess: tuple[Units, Floats],
    x: Floats,
    n_components: int,
    threshold: float,
    least_noise: float,
    *,
    center: bool,
) -> tuple[Model, Floats, NDArray[np.bool_]]:
    """Return the model of rank `n_components` of the rows `x`, L, and which elements are outlying.

    The rounds begin with the first guess. NaN counts as taken out.
    """
    units, low_rank = guess
    rounds = Rounds(n_components, threshold, center, least_noise)
    if least_noise > 0:
        limit = threshold * least_noise * inner_spread(x, center=center)
        low_rank = units.out_of(low_rank)
        return rounds.run(x, low_rank, ~(np.abs(x - low_rank) <= limit))
    z = units.into(x)
    projected = pca(low_rank, n_components, center=center).projection(low_rank)
    # Far from the pursuit's L in units of what rank k leaves.
    outlying = ~(np.abs(z - low_rank) <= _FIRST_THRESHOLD * spread(np.abs(z - projected)))
    # In units of each feature first, where no feature outweighs the others; then in the units
    # given, in which L is the PCA of X − S.
    _, low_rank, outlying = rounds.run(z, low_rank, outlying)
    return rounds.run(x, units.out_of(low_rank), outlying)


def inner_spread(x: Floats, *, center: bool) -> Floats:
    """Return the spread of each feature before outliers are known."""
    return Units.of(x, center=center).refined(x, CUT_FOR_LEAST, center=center).unit


def spread_without_extremes(x: Floats, *, center: bool) -> Floats:
    """Return the standard deviation of each feature, with extreme values left out."""
    units = Units.of(x, center=center)
    inside = np.where(np.abs(units.into(x)) <= _CUT, x - units.origin, np.nan)
    found: Floats = np.nanstd(inside, axis=0) if center else np.sqrt(np.nanmean(inside**2, axis=0))
    return np.where(found > 0, found, 1).astype(x.dtype)


@dataclass(frozen=True)
class Units:
    """Where each feature lies, and its spread."""

    origin: Floats
    unit: Floats

    @classmethod
    def of(cls, x: Floats, *, center: bool) -> Units:
        """Measure them by medians, which outliers do not move."""
        origin = column_quantiles(x, 0.5) if center else np.zeros(x.shape[1])
        origin = origin.astype(x.dtype)
        return cls(origin, spread(np.abs(x - origin)))

    def refined(self, x: Floats, cut: float, *, center: bool) -> Units:
        """Return the mean and standard deviation of what is cut off at `cut` of these units.

        Unlike medians, they know of values that a minority of the rows has.
        """
        observed = np.maximum((~np.isnan(x)).sum(axis=0), 1)
        inside = np.clip(np.nan_to_num(self.into(x)), -cut, cut)
        mean = inside.sum(axis=0) / observed if center else np.zeros_like(self.origin)
        deviations = np.clip(np.where(np.isnan(x), 0, self.into(x) - mean), -cut, cut)
        unit = np.sqrt((deviations**2).sum(axis=0) / observed)
        return Units(
            self.origin + mean * self.unit, self.unit * np.where(unit > 0, unit, 1).astype(x.dtype)
        )

    def into(self, x: Floats) -> Floats:
        """Return the rows in these units."""
        return (x - self.origin) / self.unit

    def out_of(self, z: Floats) -> Floats:
        """Return rows in these units as rows in the units given."""
        return z * self.unit + self.origin


def spread(deviations: Floats) -> Floats:
    """Return the spread of each column of absolute deviations; 1 where all of them are 0."""
    found: Floats = np.zeros(deviations.shape[1])
    for share, normal in _QUANTILES:
        rest = np.flatnonzero(found == 0)
        if len(rest) == 0:
            break
        part = deviations if len(rest) == len(found) else deviations[:, rest]
        found[rest] = column_quantiles(part, share) / normal
    return np.where(found > 0, found, 1.0).astype(deviations.dtype)


@dataclass(frozen=True)
class Subspace:
    """What PCA finds."""

    mean: Floats
    components: Floats
    variances: Floats

    def projection(self, x: Floats) -> Floats:
        """Return the rows projected."""
        rows: Floats = self.mean + (x - self.mean) @ self.components.T @ self.components
        return rows


def pca(x: Floats, n_components: int, *, center: bool) -> Subspace:
    """Return the PCA of a dense matrix from its smaller Gram matrix."""
    mean = x.mean(axis=0) if center else np.zeros(x.shape[1], x.dtype)
    rows = x - mean
    squares, basis = leading_eigh(small_gram(rows), n_components)
    squares = np.maximum(squares[::-1], 0.0)
    components = basis[:, ::-1].T
    if len(x) < x.shape[1]:
        # Rows of a rank below n_components leave directions of length 0: QR completes them.
        components = np.linalg.qr((components @ rows).T)[0].T
    return Subspace(mean, components, squares / max(len(x) - int(center), 1))


@dataclass(frozen=True)
class Rounds:
    """Rounds of PCA and of taking out on a dense matrix, from a first L and a first S."""

    n_components: int
    threshold: float
    center: bool
    least_noise: float = 0.0  # the noise of a feature, at least, over the feature's spread

    def run(
        self, x: Floats, low_rank: Floats, outlying: NDArray[np.bool_]
    ) -> tuple[Model, Floats, NDArray[np.bool_]]:
        """Return the model, L, and which elements are outlying."""
        rounding = 10 * np.finfo(x.dtype).eps
        for number in range(_MAX_ROUNDS):
            rest = np.where(outlying, low_rank, x)
            subspace = pca(rest, self.n_components, center=self.center)
            last, low_rank = low_rank, subspace.projection(rest)
            residual = x - low_rank
            kept = np.where(outlying, 0.0, residual)
            least = rounding * np.abs(low_rank).max()
            scale = np.sqrt((kept**2).sum(axis=0) / np.maximum((~outlying).sum(axis=0), 1)) + least
            scale = np.maximum(scale, self.least_noise * rest.std(axis=0))
            outlying = ~(np.abs(residual) <= self.threshold * scale)
            moved = np.linalg.norm(low_rank - last)
            if number > 0 and moved <= _TOL * np.linalg.norm(low_rank - subspace.mean):
                break
        model = Model(subspace.mean, subspace.components, self.threshold, scale, subspace.variances)
        return model, low_rank, outlying

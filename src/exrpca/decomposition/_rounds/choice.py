"""Which model of a sample the rounds begin with.

Where a matrix is of low rank with normal noise and outliers that come at random, rounds of taking
them out are nearest to the truth. Most real data are not like that. Residuals have long tails,
or what is taken out gathers in some features and rows: rare values, for instance, which tell rows
apart, so that rounds that take them out lose it. And where components are many for the features,
an outlier is hard to tell from a score. Principal component pursuit shrinks elements instead of
leaving them out, so it suits such data. It needs features in common units, as standardized features
or pixels are. Where they are not, the rounds keep what is in line with its feature, if not with its
noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.first_look import NORMAL_OVER_MAD, column_quantiles
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.pursuit import pursuit
from exrpca.decomposition._rounds.rank import RankFit, above_noise
from exrpca.decomposition._rounds.start import (
    FAR,
    Rounds,
    Units,
    first_guess,
    fit_from,
    pca,
    spread,
)

# Noise is normal if its standard deviation is that of its median, within these factors.
_LEAST_NORMAL, _MOST_NORMAL = 0.95, 1.1
# Noise below this share of a feature's spread is next to none, if at least this share of the
# elements is kept.
NEXT_TO_NO_NOISE, _MOST_KEPT = 1e-4, 0.75
# What is taken out comes at random if features and rows differ in how much of it they have no more
# than chance makes them, by so many standard deviations of their variance. Features and rows may
# also have shares of their own, with these standard deviations. A few rows may differ: those in
# which outliers outweigh the rest can end with all elements outlying.
_CHANCE = 3.0
_SHARES_OF_FEATURES, _SHARES_OF_ROWS = 0.05, 0.01
_FEW_ROWS = 0.02
# With more components than this share of the features, what is outlying says little. There the rank
# must be seen in the data: the last component stands out from noise by this factor, the next not.
_MANY_COMPONENTS = 0.25
_CLEAR = 2.0

# Units are common if no feature has more than so many times the typical spread, and lies within so
# many spreads of 0.
_COMMON_SPREADS, _COMMON_PLACES = 5.0, 30.0
_PURSUIT_TOL = 1e-3
# Rounds that taken out less than this share are next to PCA in common units: there is no need for
# pursuit, whatever the noise is like.
_NEXT_TO_NONE = 0.01

# Where neither holds, the noise of a feature counts as at least this share of its spread.
_LEAST_NOISE = 0.5
# Before outliers are known, the spread is that of elements cut off at so many units.
_CUT = 2.0


@dataclass(frozen=True)
class SampleFit:
    """A model of a sample, and how the rounds on the whole matrix are to go on from it."""

    model: Model
    low_rank: Floats
    outlying: NDArray[np.bool_]
    least_noise: float = 0.0  # see `Rounds`
    keeps_plane: bool = False  # whether the subspace stays as it is


def choose_fit(
    x: Floats, shift: Floats, n_components: int, threshold: float, *, center: bool
) -> SampleFit:
    """Return the model of rank `n_components` that suits the rows `x`.

    The rows are relative to `shift`. NaN counts as taken out.
    """
    guess = first_guess(x, center=center)
    found = SampleFit(*fit_from(guess, x, n_components, threshold, center=center))
    if _rounds_suit(x, found, guess[0], center=center):
        return found
    near = guess[0].out_of(np.clip(guess[0].into(x), -FAR, FAR))
    if _units_are_common(near, shift):
        if found.outlying[_observed(x)].mean() < _NEXT_TO_NONE:
            return found
        return _from_pursuit(near, shift, n_components, threshold, center=center)
    return _rounds_that_keep_more(guess, x, n_components, threshold, center=center)


def _rounds_suit(x: Floats, fit: SampleFit, units: Units, *, center: bool) -> bool:
    """Return whether the model holds: low rank, normal noise, and outliers that come at random."""
    little = np.median(fit.model.unit / units.unit) < NEXT_TO_NO_NOISE
    if little and 1 - fit.outlying.mean() >= _MOST_KEPT:
        return _features_share_alike(x, fit)  # the shape of next to no noise does not matter
    if not _noise_is_normal(x, fit):
        return False
    if len(fit.model.components) > _MANY_COMPONENTS * x.shape[1]:
        return _rank_is_clear(x, fit, center=center)
    return _features_share_alike(x, fit) and _rows_share_alike(x, fit)


def _noise_is_normal(x: Floats, fit: SampleFit) -> bool:
    tails = tails_of(np.where(fit.outlying, np.nan, x - fit.low_rank), fit.model.unit)
    return _LEAST_NORMAL <= tails <= _MOST_NORMAL


def tails_of(noise: Floats, deviations: Floats) -> float:
    """Return the standard deviation of a typical feature's noise over what its median says.

    It is 1 for normal noise, and more if tails are long. NaN is what is taken out.
    """
    medians = NORMAL_OVER_MAD * column_quantiles(np.abs(noise), 0.5)
    return float(np.median(deviations / np.maximum(medians, np.finfo(noise.dtype).tiny)))


def _rank_is_clear(x: Floats, fit: SampleFit, *, center: bool) -> bool:
    seen = above_noise(RankFit(x, fit.model, fit.low_rank, fit.outlying, center))
    return seen.rank == len(fit.model.components) and seen.strength >= _CLEAR


def _features_share_alike(x: Floats, fit: SampleFit) -> bool:
    observed = _observed(x)
    return _excess_over_chance(fit.outlying.T & observed.T, observed.T) <= _SHARES_OF_FEATURES**2


def _rows_share_alike(x: Floats, fit: SampleFit) -> bool:
    observed = _observed(x)
    excess = _excess_over_chance(fit.outlying & observed, observed, left_out=_FEW_ROWS)
    return excess <= _SHARES_OF_ROWS**2


def _observed(x: Floats) -> NDArray[np.bool_]:
    """Return which elements could be outliers: not gaps, nor those of a feature with one value."""
    observed: NDArray[np.bool_] = ~np.isnan(x) & (np.fmin.reduce(x) < np.fmax.reduce(x))
    return observed


def _excess_over_chance(
    outlying: NDArray[np.bool_], observed: NDArray[np.bool_], left_out: float = 0.0
) -> float:
    """Return the variance of the rows' shares that chance does not explain, or less than 0.

    The most unusual rows, the share `left_out`, do not count.
    """
    share = outlying.sum() / max(observed.sum(), 1)
    if share in (0, 1):
        return 0.0
    sizes = observed.sum(axis=1)
    counts, sizes = outlying.sum(axis=1)[sizes > 0], sizes[sizes > 0]
    degrees = max(len(counts) - 1, 1)
    # Pearson's statistic over its degrees of freedom is 1 on average; small counts vary more.
    squares = np.sort((counts - share * sizes) ** 2 / (share * (1 - share) * sizes))
    dispersion = squares[: len(squares) - int(left_out * len(squares))].sum() / degrees
    deviation = np.sqrt((2 + 1 / (share * sizes.mean())) / degrees)
    return float((dispersion - 1 - _CHANCE * deviation) * share * (1 - share) / sizes.mean())


def _units_are_common(x: Floats, shift: Floats) -> bool:
    # By standard deviations, so that standardized features have common units whatever their tails.
    spreads = np.nanstd(x, axis=0)
    typical = np.median(spreads[spreads > 0]) if spreads.any() else 0.0
    places = np.abs(np.nanmean(x, axis=0) + shift)
    return bool(
        spreads.max() <= _COMMON_SPREADS * typical and places.max() <= _COMMON_PLACES * typical
    )


def _from_pursuit(
    x: Floats, shift: Floats, n_components: int, threshold: float, *, center: bool
) -> SampleFit:
    """Return the principal components of pursuit's L, in the units and from the origin given."""
    shift = shift.astype(x.dtype)
    low_rank = pursuit(x + shift, _PURSUIT_TOL) - shift
    plane = pca(low_rank, n_components, center=center)
    projected = plane.projection(low_rank)
    unit = np.maximum(spread(np.abs(x - projected)), _LEAST_NOISE * low_rank.std(axis=0))
    model = Model(plane.mean, plane.components, threshold, unit, plane.variances)
    outlying = ~(np.abs(x - projected) <= threshold * unit)
    return SampleFit(model, projected, outlying, _LEAST_NOISE, keeps_plane=True)


def _rounds_that_keep_more(
    guess: tuple[Units, Floats], x: Floats, n_components: int, threshold: float, *, center: bool
) -> SampleFit:
    """Return the rounds that keep what is in line with its feature."""
    low_rank = guess[0].out_of(guess[1])
    spreads = Units.of(x, center=center).refined(x, _CUT, center=center).unit
    outlying = ~(np.abs(x - low_rank) <= threshold * _LEAST_NOISE * spreads)
    rounds = Rounds(n_components, threshold, center, _LEAST_NOISE)
    return SampleFit(*rounds.run(x, low_rank, outlying), _LEAST_NOISE)

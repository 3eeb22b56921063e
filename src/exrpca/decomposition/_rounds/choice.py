"""Which model of a sample the rounds begin with.

Where the noise is normal, an element far outside it is an outlier, and rounds of setting aside are
nearest to the truth. The residuals of most real data have longer tails. Elements far out there are
what tells rows apart, and rounds that set them aside lose it. Principal component pursuit shrinks
elements instead of leaving them out, so it suits such data. It needs features in common units, as
standardized features or pixels are. Where they are not, or where all variation of some feature
would be set aside, the rounds keep what is in line with its feature, if not with its noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix.quantiles import NORMAL_OVER_MAD, column_quantiles
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.pursuit import pursuit
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
# elements is not aside.
_LITTLE, _MOST_KEPT = 1e-4, 0.75
# Outliers are even if next to no feature has more of its elements aside than the typical one by
# this share, and by so many standard deviations of what chance makes of it.
_UNEVEN, _CHANCE = 0.1, 2.0
_NEXT_TO_ALL = 0.99

# Units are common if no feature has more than so many times the typical spread, and lies within so
# many spreads of 0.
_COMMON_SPREADS, _COMMON_PLACES = 5.0, 30.0
_PURSUIT_TOL = 1e-3

# Where neither holds, the noise of a feature counts as at least this share of its spread.
_LEAST_NOISE = 0.5
# Before outliers are known, the spread is that of elements cut off at so many units.
_CUT = 2.0


@dataclass(frozen=True)
class SampleFit:
    """A model of a sample, and how the rounds on the whole matrix are to go on from it."""

    model: Model
    low_rank: Floats
    aside: NDArray[np.bool_]
    least_noise: float = 0.0  # see `Rounds`
    held: bool = False  # whether the subspace stays as it is


def choose_fit(
    x: Floats, shift: Floats, n_components: int, threshold: float, *, center: bool
) -> SampleFit:
    """Return the model of rank `n_components` that suits the rows `x`.

    The rows are relative to `shift`. NaN counts as set aside.
    """
    guess = first_guess(x, center=center)
    found = SampleFit(*fit_from(guess, x, n_components, threshold, center=center))
    normal = _noise_is_normal(x, found, guess[0])
    if normal and _outliers_are_even(found):
        return found
    near = guess[0].out_of(np.clip(guess[0].into(x), -FAR, FAR))
    if not normal and _units_are_common(near, shift):
        return _from_pursuit(near, shift, n_components, threshold, center=center)
    return _rounds_that_keep_more(guess, x, n_components, threshold, center=center)


def _noise_is_normal(x: Floats, fit: SampleFit, units: Units) -> bool:
    little = np.median(fit.model.unit / units.unit) < _LITTLE
    if little and 1 - fit.aside.mean() >= _MOST_KEPT:
        return True  # the shape of next to no noise does not matter
    kept = np.where(fit.aside, np.nan, np.abs(x - fit.low_rank))
    medians = NORMAL_OVER_MAD * column_quantiles(kept, 0.5)
    noise = fit.model.unit / np.maximum(medians, np.finfo(x.dtype).tiny)
    return bool(_LEAST_NORMAL <= np.median(noise) <= _MOST_NORMAL)


def _outliers_are_even(fit: SampleFit) -> bool:
    shares = fit.aside.mean(axis=0)
    deviation = np.sqrt(shares.mean() * (1 - shares.mean()) / len(fit.aside))
    most = np.quantile(shares, _NEXT_TO_ALL)
    return bool(most <= np.median(shares) + _UNEVEN + _CHANCE * deviation)


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
    aside = ~(np.abs(x - projected) <= threshold * unit)
    return SampleFit(model, projected, aside, _LEAST_NOISE, held=True)


def _rounds_that_keep_more(
    guess: tuple[Units, Floats], x: Floats, n_components: int, threshold: float, *, center: bool
) -> SampleFit:
    """Return the rounds that keep what is in line with its feature."""
    low_rank = guess[0].out_of(guess[1])
    spreads = Units.of(x, center=center).refined(x, _CUT, center=center).unit
    aside = ~(np.abs(x - low_rank) <= threshold * _LEAST_NOISE * spreads)
    rounds = Rounds(n_components, threshold, center, _LEAST_NOISE)
    return SampleFit(*rounds.run(x, low_rank, aside), _LEAST_NOISE)

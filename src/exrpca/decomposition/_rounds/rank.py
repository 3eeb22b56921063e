"""The rank of a matrix with outliers, found on a sample of its rows.

The rank is found from below. A fit at one rank takes outliers out and measures the noise, and what
is left shows the next rank, until it stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.pursuit import small_gram
from exrpca.decomposition._rounds.start import Units, first_guess, fit_from, pca

_MOST_FITS = 12
# No more components are looked for: pictures and videos have ever weaker ones, at ever higher cost.
MOST_COMPONENTS = 64
# Where components are weaker than 1.5 times the threshold of detection, a fit with too few of
# them hides some. So one more fit has a few more, this share of the rank.
_WEAK, _MORE = 1.5, 1 / 8
# The 1% quantile, from above, of the Tracy–Widom distribution for real matrices.
_TRACY_WIDOM = 2.02
# Outlying cells are filled from the components and the rank is counted again, this many times:
# then the rank of the fit that found them no longer matters.
_FILLINGS = 4


@dataclass(frozen=True)
class RankFit:
    """A fit at one rank, which shows another."""

    x: Floats
    model: Model
    low_rank: Floats
    outlying: NDArray[np.bool_]
    center: bool

    @property
    def degrees(self) -> int:
        """The number of rows that can differ."""
        return max(len(self.x) - int(self.center), 1)


class RankFound(NamedTuple):
    """How many components to keep, and the variance of the last one over the threshold for it."""

    rank: int
    strength: float = np.inf


Rule = Callable[[RankFit], RankFound]


def choose_rank(x: Floats, rule: Rule, threshold: float, *, center: bool, in_units: bool) -> int:
    """Return the rank that the rule sees in `x` without its outliers; it may be 0.

    `in_units` fits `x` in units of each feature's spread, so that no feature outweighs the others.
    """
    most: int = max(min(*x.shape, 2 * MOST_COMPONENTS) // 2, 1)
    units, low_rank = guess = first_guess(x, center=center)
    if in_units:
        x = units.into(x)
        guess = Units(np.zeros_like(units.origin), np.ones_like(units.unit)), low_rank

    def seen_at(rank: int) -> RankFound:
        fit = RankFit(x, *fit_from(guess, x, rank, threshold, 0.0, center=center), center)
        seen = rule(fit)
        return seen._replace(rank=min(seen.rank, most))

    found = _smallest(seen_at, most)
    more = min(int(found.rank * (1 + _MORE)), most)
    if more > found.rank and found.strength < _WEAK:
        return max(found.rank, seen_at(more).rank)
    return found.rank


def _smallest(seen_at: Callable[[int], RankFound], most: int) -> RankFound:
    """Return what is seen at the smallest rank at which no more is seen.

    With too few components the rule sees more, and often too many: what is left counts as noise and
    differs between features. With too many, some fit outliers.
    """
    too_few, enough, found = 0, most + 1, RankFound(most)
    rank = 1
    for _ in range(_MOST_FITS):
        seen = seen_at(rank)
        if seen.rank > rank:
            too_few = rank
        else:
            enough, found = rank, seen
        if enough <= too_few + 1 or found.rank <= too_few:
            break
        between = too_few < seen.rank < enough
        rank = min(seen.rank if between else (too_few + enough) // 2, 2 * max(too_few, 1) + 1)
    return found


# --- a share of the variance ---------------------------------------------------------------------


def holding(share: float) -> Rule:
    """Return the rule that keeps this share of the variance."""

    def rule(fit: RankFit) -> RankFound:
        rest = np.where(fit.outlying, fit.low_rank, fit.x)
        rows = rest - rest.mean(axis=0) if fit.center else rest
        squares = np.linalg.eigvalsh(small_gram(rows))[::-1]
        return RankFound(n_holding(share, np.maximum(squares, 0.0)))

    return rule


def n_holding(share: float, variances: Floats) -> int:
    """Return how many of the variances, by decreasing size, hold this share of their sum."""
    sums = np.cumsum(variances)
    return int(np.searchsorted(sums, share * sums[-1])) + 1


# --- what stands out from noise ------------------------------------------------------------------


def above_noise(fit: RankFit) -> RankFound:
    """Return how many components stand out from noise, in units of each feature's noise.

    What fills the outliers decides about components near the threshold. The fit's own L would raise
    those that it has, and lower all others. So fill, count and fill again, by components shrunk as
    noise demands.
    """
    unit = _noise(fit.model)
    z, low_rank = fit.x / unit, fit.low_rank / unit
    n_values = min(fit.degrees, z.shape[1])
    for _ in range(_FILLINGS):
        rest = np.where(fit.outlying, low_rank, z)
        found = pca(rest, n_values, center=fit.center)
        seen = _rank_found(found.variances, fit.degrees, z.shape[1])
        if not fit.outlying.any():
            break
        components = found.components[: seen.rank]
        factors = _shrinking(found.variances, seen.rank, fit.degrees, z.shape[1]).astype(z.dtype)
        low_rank = found.mean + ((rest - found.mean) @ components.T * factors) @ components
    return seen


def _noise(model: Model) -> Floats:
    """Return the noise of each feature as it was before the components took their share."""
    left = 1 - (model.components.astype(np.float64) ** 2).sum(axis=0)
    noise: Floats = model.unit / np.sqrt(np.maximum(left, 1 / len(left)))
    return np.where(noise > 0, noise, 1.0).astype(model.unit.dtype)


def _rank_found(variances: Floats, degrees: int, n_features: int) -> RankFound:
    """Return how many variances are larger than noise alone would have them.

    Kritchman and Nadler (2009), "Non-Parametric Detection of the Number of Signals: Hypothesis
    Testing and Random Matrix Theory". What k components leave counts as noise of k rows and k
    features fewer: they take some noise with them. With many components, this matters.
    """
    strength = np.inf
    for rank in range(len(variances) - 1):
        roots = np.sqrt(degrees - rank - 0.5), np.sqrt(n_features - rank - 0.5)
        center = sum(roots) ** 2 / degrees
        width = sum(roots) / degrees * (1 / roots[0] + 1 / roots[1]) ** (1 / 3)
        noise = _noise_left(variances, rank, degrees, n_features)
        threshold = noise * (center + _TRACY_WIDOM * width)
        if variances[rank] <= threshold:
            return RankFound(rank, strength)
        strength = variances[rank] / threshold if threshold > 0 else np.inf
    return RankFound(len(variances) - 1, strength)


def _noise_left(variances: Floats, rank: int, degrees: int, n_features: int) -> float:
    """Return the variance of the noise of a cell, from what `rank` components leave."""
    return float(variances[rank:].sum()) / (n_features - rank) / (1 - rank / degrees)


def _shrinking(variances: Floats, rank: int, degrees: int, n_features: int) -> Floats:
    """Return the factors by which noise makes the leading singular values too large.

    Gavish and Donoho (2017), "Optimal Shrinkage of Singular Values".
    """
    ratio = n_features / degrees
    noise = _noise_left(variances, rank, degrees, n_features)
    sizes = variances[:rank]
    squares = (sizes - (1 + ratio) * noise) ** 2 - 4 * ratio * noise**2
    factors: Floats = np.sqrt(np.maximum(squares, 0.0)) / sizes
    return factors

"""A model of some of the columns, extended to all of them.

A wide matrix has more columns than it takes to place its rows. The scores of the rows are found on
a sample of the columns, and robust regression on these scores gives the other columns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.start import CUT_FOR_LEAST, SampleFit, Units, spread

# The elements to sample. The square root of half of them is the largest number of rows.
_ELEMENTS = 2**18
_LEAST_COLUMNS_PER_COMPONENT = 8
# 256 columns of a few hundred rows stay in the cache.
_COLUMNS_AT_ONCE = 256

# Residuals are first cut off at this multiple of their column's spread, which is large at first.
_CUT = 0.7
_SOFT_STEPS = (3, 3)
# Then those above the threshold are taken out; the first ones above 3 spreads.
_FIRST_THRESHOLD = 3.0
_HARD_STEPS = 2


def most_rows_of_wide() -> int:
    """Return how many rows of a wide matrix are worth sampling."""
    return int(np.sqrt(_ELEMENTS / 2))


def sampled_columns(shape: tuple[int, int], n_components: int) -> NDArray[np.intp]:
    """Return the columns that are enough to place the rows of a matrix."""
    n, d = shape
    wanted = max(_ELEMENTS // n, _LEAST_COLUMNS_PER_COMPONENT * n_components)
    if n >= d or d <= 2 * wanted:
        return np.arange(d)
    # At random: in a picture, columns at equal distances could all lie in one strip.
    return np.sort(np.random.default_rng(0).choice(d, wanted, replace=False))


def on_all_columns(fit: SampleFit, x: Floats, *, center: bool) -> SampleFit:
    """Return the fit of some columns as one of all columns of the same rows."""
    model, k = fit.model, len(fit.model.components)
    x = x if fit.kept is None else x[fit.kept]
    scores = (fit.low_rank - model.mean) @ model.components.T
    ones = np.ones((len(x), int(center)), x.dtype)
    basis = np.linalg.qr(np.hstack([ones, scores]))[0].astype(x.dtype)
    regression = _Regression(basis, model.threshold, fit.least_noise)
    slopes = np.empty((basis.shape[1], x.shape[1]), x.dtype)
    unit, low_rank, outlying = slopes[0].copy(), np.empty_like(x), np.empty(x.shape, np.bool_)
    for begin in range(0, x.shape[1], _COLUMNS_AT_ONCE):
        part = slice(begin, begin + _COLUMNS_AT_ONCE)
        columns = np.ascontiguousarray(x[:, part])
        slopes[:, part], unit[part], outlying[:, part] = regression.of(columns)
        low_rank[:, part] = basis @ slopes[:, part]
    middle = basis.mean(axis=0) * center
    directions, triangle = np.linalg.qr(slopes.T)
    _, values, turn = np.linalg.svd((basis - middle) @ triangle.T)
    variances = values[:k] ** 2 / max(len(x) - int(center), 1)
    components = turn[:k] @ directions.T
    whole = Model(middle @ slopes, components, model.threshold, unit, variances)
    return replace(fit, model=whole, low_rank=low_rank, outlying=outlying)


@dataclass(frozen=True)
class _Regression:
    """Columns as combinations of the orthonormal columns of a basis."""

    basis: Floats
    threshold: float
    least_noise: float  # see `Rounds`

    def of(self, x: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Return the coefficients of columns, their noise, and which elements are outlying."""
        spreads = spread(np.abs(x))
        always_kept = self._always_kept(x, spreads)
        slopes = self._soft(x, spreads, always_kept)
        low_rank = self.basis @ slopes
        sizes = np.abs(x - low_rank)
        limit = np.maximum(_FIRST_THRESHOLD * spread(sizes), always_kept)
        return self._take_out(x, low_rank, ~(sizes <= limit))

    def _always_kept(self, x: Floats, spreads: Floats) -> Floats:
        """Return how far from L an element may be, whatever the noise."""
        if self.least_noise == 0:
            return np.zeros_like(spreads)
        inner = Units(np.zeros_like(spreads), spreads).refined(x, CUT_FOR_LEAST, center=True)
        return self.threshold * self.least_noise * inner.unit

    def _soft(self, x: Floats, spreads: Floats, always_kept: Floats) -> Floats:
        """Return the coefficients of columns that no element pulls far."""
        gaps = np.isnan(x)
        slopes = np.zeros((self.basis.shape[1], x.shape[1]), x.dtype)
        residual = x
        for steps in _SOFT_STEPS:
            if residual is not x:
                spreads = spread(np.abs(residual))
            limit = np.maximum(_CUT * spreads, always_kept)
            for _ in range(steps):
                pulls = np.clip(residual, -limit, limit)
                if gaps.any():
                    pulls[gaps] = 0
                slopes += self.basis.T @ pulls
                residual = x - self.basis @ slopes
        return slopes

    def _take_out(
        self, x: Floats, low_rank: Floats, outlying: NDArray[np.bool_]
    ) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Return the same as `of` by steps as in `Rounds`, from a first L and a first S."""
        rounding = 10 * np.finfo(x.dtype).eps
        for _ in range(_HARD_STEPS):
            rest = np.where(outlying, low_rank, x)
            slopes = self.basis.T @ rest
            low_rank = self.basis @ slopes
            kept = np.where(outlying, 0, x - low_rank)
            n_kept = np.maximum((~outlying).sum(axis=0), 1)
            unit = np.sqrt(np.einsum("ij,ij->j", kept, kept) / n_kept).astype(x.dtype)
            unit = np.maximum(unit, self.least_noise * rest.std(axis=0))
            unit += rounding * np.abs(low_rank).max(axis=0)
            outlying = ~(np.abs(x - low_rank) <= self.threshold * unit)
        return slopes, unit, outlying

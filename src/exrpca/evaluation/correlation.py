"""Spearman's correlation with tied ranks, and bootstrap intervals for it and for differences."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from exrpca.errors import InputError

Values = NDArray[np.float64]


class Interval(NamedTuple):
    """A value and the ends of its 95% bootstrap interval.

    Examples
    --------
    >>> gain = Interval(2.1, low=0.4, high=3.7)
    >>> gain.low > 0  # clear of 0
    True
    """

    value: float
    low: float
    high: float


def spearman(a: ArrayLike, b: ArrayLike) -> float:
    """Return Spearman's rank correlation; tied values share their mean rank.

    NaN when there are fewer than two values or one side is constant.

    Examples
    --------
    >>> spearman([1, 2, 2, 4], [0.1, 0.4, 0.4, 0.9])
    1.0
    >>> round(spearman([1, 2, 3, 4], [2, 1, 4, 3]), 3)
    0.6
    """
    ranks = [_centered(rankdata(np.asarray(side))) for side in (a, b)]
    if len(ranks[0]) < 2:
        return float("nan")
    spread = np.sqrt((ranks[0] @ ranks[0]) * (ranks[1] @ ranks[1]))
    return float(ranks[0] @ ranks[1] / spread) if spread else float("nan")


class Bootstrap:
    """Resamples of rated pairs, drawn once, on which any number of scores can be correlated.

    All scores use the same resamples, so the difference of two is a paired difference.

    A resample is kept as how often it drew each pair. Ranks in a resample then come from
    running sums of these counts in the order of the values: nothing is sorted again.

    Parameters
    ----------
    ratings : array-like of shape (n_pairs,)
    n_resamples : int, default 1000
    seed : int, default 0

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.normal(size=200)
    >>> bootstrap = Bootstrap(truth)
    >>> noisy, noisier = truth + rng.normal(size=200), truth + 3 * rng.normal(size=200)
    >>> value, low, high = bootstrap.correlation(noisy)
    >>> bool(low < value < high)
    True
    >>> bool(bootstrap.difference(noisy, noisier).low > 0)
    True
    """

    def __init__(self, ratings: ArrayLike, *, n_resamples: int = 1000, seed: int = 0) -> None:
        if n_resamples < 1:
            raise InputError(f"n_resamples={n_resamples} must be at least 1")
        self.ratings: Values = np.asarray(ratings, dtype=np.float64)
        n = len(self.ratings)
        if n < 2:
            raise InputError(f"{n} rated pairs, expected at least 2")
        draws = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=n_resamples)
        self._counts = draws.astype(np.float32)
        ranks = _resampled_ranks(self.ratings, self._counts)
        # each pair's centered rank, times how often it was drawn
        self._weighted = ranks * self._counts
        self._spread = _sums(self._weighted, ranks)

    def correlation(self, scores: ArrayLike) -> Interval:
        """Return Spearman's correlation of scores with the ratings, with its interval."""
        resampled = self._resampled(scores)
        return _interval(spearman(self.ratings, scores), resampled)

    def difference(self, scores: ArrayLike, others: ArrayLike) -> Interval:
        """Return by how much the correlation of `scores` exceeds that of `others`."""
        resampled = self._resampled(scores) - self._resampled(others)
        return _interval(spearman(self.ratings, scores) - spearman(self.ratings, others), resampled)

    def _resampled(self, scores: ArrayLike) -> Values:
        """Return the correlation in every resample."""
        scores = np.asarray(scores, dtype=np.float64)
        if scores.shape != self.ratings.shape:
            raise InputError(f"{len(scores)} scores for {len(self.ratings)} ratings")
        ranks = _resampled_ranks(scores, self._counts)
        spread = _sums(ranks * ranks, self._counts)
        with np.errstate(invalid="ignore", divide="ignore"):
            return _sums(ranks, self._weighted) / np.sqrt(spread * self._spread)


def _resampled_ranks(values: Values, counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return each value's centered rank in each resample, shape (n_resamples, n_values)."""
    order = np.argsort(values, kind="stable")
    steps = np.concatenate(([True], np.diff(values[order]) != 0))
    group = np.empty(len(values), dtype=np.intp)
    group[order] = np.cumsum(steps) - 1
    drawn = np.add.reduceat(counts[:, order], np.flatnonzero(steps), axis=1)
    # the mean rank of a tie: those below, and half of those in it; exact in float32 up to 2²³
    upto = np.cumsum(drawn, axis=1)
    centered = upto - drawn / 2 - np.float32(len(values) / 2)
    return np.asarray(centered[:, group], dtype=np.float32)


def _sums(a: NDArray[Any], b: NDArray[Any]) -> Values:
    return np.asarray(np.einsum("ij,ij->i", a, b, dtype=np.float64))


def _interval(value: float, resampled: Values) -> Interval:
    if np.isnan(value):
        return Interval(value, value, value)
    low, high = np.nanpercentile(resampled, [2.5, 97.5])
    return Interval(value, float(low), float(high))


def _centered(ranks: Values) -> Values:
    return np.asarray(ranks - ranks.mean() if len(ranks) else ranks)

"""What is usual for two senses with given counts: senses of few tokens differ by chance alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exrpca.cleaning.pair_geometry import Floats, Rows

# With fewer pairs, what is usual at given counts would be fitted to the pairs themselves.
_PAIRS_PER_TERM = 10
_N_TERMS = 6

# With few pairs, the fitted spread may be near 0 or below. The least spread allowed: as a share of
# the mean spread, and as the rounding of numbers in single precision.
_LEAST_SPREAD = 0.2
_ROUNDING = 1e-6


class CountFeatures:
    """Quadratic terms of the log counts of two senses; a constant where counts say nothing.

    Parameters
    ----------
    counts : ndarray or None
        The tokens of each sense.
    n_pairs : int
        How many pairs something will be fitted to.

    Examples
    --------
    >>> CountFeatures(None, 1000)(np.array([0]), np.array([1]))
    array([[1.]])
    >>> CountFeatures(np.array([10, 1000]), 1000)(np.array([0]), np.array([1]))
    array([[ 1., -1.,  1.,  1.,  1., -1.]])
    """

    def __init__(self, counts: NDArray[np.int64] | None, n_pairs: int) -> None:
        self._logs: Floats | None = None
        if counts is not None and n_pairs >= _PAIRS_PER_TERM * _N_TERMS:
            logs = np.log(np.maximum(counts, 1.0))
            self._logs = (logs - logs.mean()) / max(float(logs.std()), 1e-6)

    def __call__(self, rows_a: Rows, rows_b: Rows) -> Floats:
        """Return the terms of each pair, one row per pair."""
        constant = np.ones(len(rows_a))
        if self._logs is None:
            return constant[:, None]
        a, b = self._logs[rows_a], self._logs[rows_b]
        rarer, commoner = np.minimum(a, b), np.maximum(a, b)
        terms = (constant, rarer, commoner, rarer**2, commoner**2, rarer * commoner)
        return np.column_stack(terms)


class Usual:
    """The usual value at given features, and how far values usually are from it.

    Both are least-squares fits to the features.

    Examples
    --------
    >>> counts = np.array([1.0, 2.0, 3.0, 4.0])
    >>> features = np.column_stack([np.ones(4), counts])
    >>> values = 2 * counts + np.array([1, -1, -1, 1])
    >>> Usual(values, features).deviations(values, features)
    array([ 1., -1., -1.,  1.])
    """

    def __init__(self, values: Floats, features: Floats) -> None:
        self._mean = np.linalg.lstsq(features, values)[0]
        off = np.abs(values - features @ self._mean)
        self._spread = np.linalg.lstsq(features, off)[0]
        self._least = max(_LEAST_SPREAD * float(off.mean()), _ROUNDING)

    def deviations(self, values: Floats, features: Floats) -> Floats:
        """Return how far values are from the usual one, in units of the usual distance."""
        spread = np.maximum(features @ self._spread, self._least)
        return np.asarray((values - features @ self._mean) / spread)

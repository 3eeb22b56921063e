"""Planted data: a matrix whose low-rank part, noise and outliers are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exrpca.decomposition._matrix import Floats


@dataclass(frozen=True)
class PlantedMatrix:
    """What `make_low_rank` made: a matrix and the parts it is the sum of.

    Attributes
    ----------
    low_rank : ndarray of shape (n_samples, n_features)
        L.
    noise : ndarray of shape (n_samples, n_features)
        E.
    sparse : ndarray of shape (n_samples, n_features)
        S; 0 where there is no outlier.

    Examples
    --------
    >>> planted = make_low_rank(500, 20)
    >>> outliers = planted.sparse != 0
    >>> f"{outliers.mean():.0%} of {planted.matrix.shape}"
    '5% of (500, 20)'
    """

    low_rank: Floats
    noise: Floats
    sparse: Floats

    @property
    def matrix(self) -> Floats:
        """X = L + E + S, a new array each time."""
        return self.low_rank + self.noise + self.sparse


def make_low_rank(
    n_samples: int = 1000,
    n_features: int = 40,
    *,
    n_components: int = 3,
    noise: float = 0.1,
    outlier_share: float = 0.05,
    dtype: type[np.floating] = np.float64,
    seed: int = 0,
) -> PlantedMatrix:
    """Make a low-rank matrix with Gaussian noise and sparse outliers.

    The elements of L have variance 1. Outliers are uniform in ±10 and appear anywhere with the
    same probability.

    Parameters
    ----------
    n_samples, n_features : int
        The shape of the matrix.
    n_components : int, default 3
        The rank of L.
    noise : float, default 0.1
        The standard deviation of the noise.
    outlier_share : float, default 0.05
        The probability that an element has an outlier.
    dtype : {numpy.float64, numpy.float32}, default numpy.float64
        The precision of the matrix.
    seed : int, default 0
        The same seed gives the same matrix.

    Returns
    -------
    PlantedMatrix

    See Also
    --------
    exrpca.make_senses : Sense vectors whose pseudo directions and real pairs are known.

    Examples
    --------
    >>> from exrpca.decomposition import ExRPCA
    >>> planted = make_low_rank(n_components=2)
    >>> L, E, S = ExRPCA(2).fit(planted.matrix).decompose(planted.matrix)
    >>> bool(abs(L - planted.low_rank).mean() < 0.05)
    True
    """
    random = np.random.default_rng(seed)
    shape = (n_samples, n_features)
    scores = random.standard_normal((n_samples, n_components), dtype)
    directions = random.standard_normal((n_components, n_features), dtype)
    low_rank = scores @ directions / dtype(np.sqrt(n_components))
    chosen = random.random(shape, dtype) < outlier_share
    sparse = np.where(chosen, dtype(20) * random.random(shape, dtype) - dtype(10), dtype(0))
    return PlantedMatrix(low_rank, dtype(noise) * random.standard_normal(shape, dtype), sparse)

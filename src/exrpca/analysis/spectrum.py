"""How the differences between senses vary: along each direction, and in what is left, E."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from exrpca.cleaning import SenseDecomposition

Floats = NDArray[Any]


def spectrum(decomposition: SenseDecomposition) -> tuple[Floats, Floats]:
    """Return the directions of X − S, and the variance along each.

    Parameters
    ----------
    decomposition : SenseDecomposition

    Returns
    -------
    variances : ndarray of shape (dim,)
        Sums of squares over all pairs, largest first.
    directions : ndarray of shape (dim, dim)
        Orthonormal rows; the first ones are the components.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> from exrpca.cleaning import SenseDecomposition
    >>> senses = make_senses(n_words=300, n_components=2).senses
    >>> decomposition = SenseDecomposition.fit(senses, rank=2)
    >>> variances, directions = spectrum(decomposition)
    >>> (100 * variances[:4] / variances.sum()).round()
    array([71., 21.,  0.,  0.])
    """
    dim = decomposition.senses.dim
    gram = np.zeros((dim, dim))
    for _, kept in decomposition.blocks():
        gram += kept.T @ kept
    values, vectors = np.linalg.eigh(gram)
    return values[::-1], vectors[:, ::-1].T


def beside_pca(decomposition: SenseDecomposition) -> tuple[SenseDecomposition, ...]:
    """Return PCA's decomposition of the same rank, to compare with, and the one given.

    A decomposition by PCA is returned alone.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> from exrpca.cleaning import SenseDecomposition
    >>> senses = make_senses(n_words=300, n_components=2).senses
    >>> decomposition = SenseDecomposition.fit(senses, rank=2)
    >>> [each.method for each in beside_pca(decomposition)]
    ['pca', 'exrpca']
    """
    if decomposition.method == "pca":
        return (decomposition,)
    pca = SenseDecomposition.fit(decomposition.senses, method="pca", rank=decomposition.rank)
    return pca, decomposition


def residuals(decomposition: SenseDecomposition) -> Iterator[Floats]:
    """Yield E, the rows of X − S with the components projected away, in blocks."""
    for _, kept in decomposition.blocks():
        yield decomposition.projector.apply(kept)


def residual_scale(decomposition: SenseDecomposition) -> float:
    """Return the standard deviation of the elements of E; their mean is 0 by symmetry."""
    total = sum(float(np.sum(E * E, dtype=np.float64)) for E in residuals(decomposition))
    return float(np.sqrt(total / np.prod(decomposition.differences.shape)))


def outside_share(decomposition: SenseDecomposition) -> float:
    """Return the share of elements of E outside three standard deviations.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> from exrpca.cleaning import SenseDecomposition
    >>> senses = make_senses(n_words=300, n_components=2).senses
    >>> decomposition = SenseDecomposition.fit(senses, rank=2)
    >>> outside_share(decomposition) < 0.01
    True
    """
    limit = 3 * residual_scale(decomposition)
    outside = sum(np.count_nonzero(abs(E) > limit) for E in residuals(decomposition))
    return float(outside / np.prod(decomposition.differences.shape))


def outside_shares(*decompositions: SenseDecomposition) -> pd.DataFrame:
    """Return the share of E outside 3σ for several decompositions, and the normal share.

    Parameters
    ----------
    *decompositions : SenseDecomposition

    Returns
    -------
    DataFrame
        `method`, `rank`, `sigma` (of E), `outside_3_sigma` (the share) and `expected` (that
        of a normal distribution).

    Examples
    --------
    >>> from exrpca import make_senses
    >>> from exrpca.cleaning import SenseDecomposition
    >>> senses = make_senses(n_words=300, n_components=2).senses
    >>> decomposition = SenseDecomposition.fit(senses, rank=2)
    >>> outside_shares(*beside_pca(decomposition)).round(3)
       method  rank  sigma  outside_3_sigma  expected
    0     pca     2  0.494            0.030     0.003
    1  exrpca     2  0.140            0.005     0.003
    """
    return pd.DataFrame(
        [
            {
                "method": each.method,
                "rank": each.rank,
                "sigma": residual_scale(each),
                "outside_3_sigma": outside_share(each),
                "expected": 2 * norm.sf(3),
            }
            for each in decompositions
        ]
    )


def in_percent(table: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return a table for people, with some shares printed as percentages."""
    table = table.copy()
    for name in columns:
        table[name] = ["" if pd.isna(share) else f"{share:.2%}" for share in table[name]]
    return table


def residual_density(decomposition: SenseDecomposition, edges: Floats) -> Floats:
    """Return the density of E / σ in the bins between `edges`."""
    sigma = residual_scale(decomposition)
    counts = sum(
        (np.histogram(E / sigma, bins=edges)[0] for E in residuals(decomposition)),
        np.zeros(len(edges) - 1),
    )
    return np.asarray(counts / (np.prod(decomposition.differences.shape) * np.diff(edges)))

"""What the components and the noise leave of the differences: E, and how normal it is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.stats import norm

from exrpca.analysis.decomposed import Decomposed, Floats
from exrpca.cleaning import Projector


def residuals(decomposed: Decomposed) -> Iterator[Floats]:
    """Yield E, the rows of X − S with the components projected away, in blocks."""
    projector = Projector(decomposed.components)
    for _, kept in decomposed.blocks():
        yield projector.apply(kept)


def residual_scale(decomposed: Decomposed) -> float:
    """Return the standard deviation of the elements of E; their mean is 0 by symmetry."""
    total = sum(float(np.sum(E * E, dtype=np.float64)) for E in residuals(decomposed))
    return float(np.sqrt(total / np.prod(decomposed.differences.shape)))


def outside_share(decomposed: Decomposed, *, threshold: float = 3.0) -> float:
    """Return the share of elements of E outside `threshold` standard deviations."""
    limit = threshold * residual_scale(decomposed)
    outside = sum(np.count_nonzero(abs(E) > limit) for E in residuals(decomposed))
    return outside / float(np.prod(decomposed.differences.shape))


def outside_shares(*decomposed: Decomposed) -> pd.DataFrame:
    """Return the share outside 3σ of several decompositions beside what is normal.

    Returns
    -------
    DataFrame
        `method`, `rank`, `sigma` (of E), `outside_3_sigma` (the share) and `expected` (that
        of a normal distribution).
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
            for each in decomposed
        ]
    )


def in_percent(table: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return a table for people, with some shares printed as percentages."""
    table = table.copy()
    for name in columns:
        table[name] = ["" if pd.isna(share) else f"{share:.2%}" for share in table[name]]
    return table


def residual_density(decomposed: Decomposed, edges: Floats) -> Floats:
    """Return the density of E / σ in the bins between `edges`."""
    sigma = residual_scale(decomposed)
    counts = sum(
        (np.histogram(E / sigma, bins=edges)[0] for E in residuals(decomposed)),
        np.zeros(len(edges) - 1),
    )
    return np.asarray(counts / (np.prod(decomposed.differences.shape) * np.diff(edges)))

"""How far rows are from a fitted model: the numbers behind an outlier map."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.stats
from numpy.typing import NDArray

from exrpca.decomposition._matrix.quantiles import NORMAL_OVER_MAD
from exrpca.decomposition._matrix.types import Floats

# A row in the model passes a cutoff with this probability.
_INSIDE = 0.975
# A row with more outlying cells than this is outlying as a whole.
_SHARE_CUTOFF = 0.25


@dataclass(frozen=True)
class RowDiagnostics:
    """The distances of rows from a fitted model, and the cutoffs for them.

    A row is outlying when any of the three numbers is above its cutoff. The two distances against
    each other are the outlier map of Hubert, Rousseeuw and Vanden Branden (2005).

    Attributes
    ----------
    score_distance : ndarray of shape (n_samples,)
        How far the row is from the mean within the subspace, in standard deviations of the scores.
    orthogonal_distance : ndarray of shape (n_samples,)
        How far the row is from the subspace: the root mean square of E over the cells that are not
        set aside, in units of each feature's noise. About 1 for rows that fit.
    outlier_share : ndarray of shape (n_samples,)
        The share of the row's cells that are set aside.
    score_cutoff, orthogonal_cutoff, share_cutoff : float
        The largest values of a row that fits.

    Examples
    --------
    >>> from exrpca.decomposition import ExRPCA, make_low_rank
    >>> X = make_low_rank(500, 20, outlier_share=0).matrix
    >>> X[7] += 100
    >>> rows = ExRPCA(3).fit(X).diagnose(X)
    >>> bool(rows.outlying[7])
    True
    """

    score_distance: Floats
    orthogonal_distance: Floats
    outlier_share: Floats
    score_cutoff: float
    orthogonal_cutoff: float
    share_cutoff: float

    @classmethod
    def of(
        cls,
        scores: Floats,
        noise: Floats,
        aside: NDArray[np.bool_],
        variances: Floats,
        cutoff: float,
    ) -> RowDiagnostics:
        """Measure rows by their scores, and by E in units of noise, which is 0 where set aside."""
        with np.errstate(divide="ignore", invalid="ignore"):
            standard = np.where(variances > 0, scores / np.sqrt(variances), 0.0)
        kept = np.maximum((~aside).sum(axis=1), 1)
        return cls(
            np.linalg.norm(standard, axis=1),
            np.sqrt((noise**2).sum(axis=1) / kept),
            aside.mean(axis=1),
            float(np.sqrt(scipy.stats.chi2.ppf(_INSIDE, len(variances)))),
            cutoff,
            _SHARE_CUTOFF,
        )

    @property
    def outlying(self) -> NDArray[np.bool_]:
        """Which rows do not fit."""
        far: NDArray[np.bool_] = (
            (self.score_distance > self.score_cutoff)
            | (self.orthogonal_distance > self.orthogonal_cutoff)
            | (self.outlier_share > self.share_cutoff)
        )
        return far


def orthogonal_cutoff(distances: Floats) -> float:
    """Return the cutoff for orthogonal distances, given those of many rows that fit.

    Their power of 2/3 is nearly normal (Wilson and Hilferty); its median and MAD are robust.
    """
    powers = distances ** (2 / 3)
    median = np.median(powers)
    spread = NORMAL_OVER_MAD * np.median(np.abs(powers - median))
    return float((median + spread * scipy.stats.norm.ppf(_INSIDE)) ** 1.5)

"""Telling rows that fit a model from rows that are outlying as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
import scipy.stats
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.first_look import NORMAL_OVER_MAD, sampled_rows
from exrpca.decomposition._matrix.sparse_rows import only_observed, stacked
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.robust_scores import robust_scores

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
        taken out, in units of each feature's noise. About 1 for rows that fit.
    outlier_share : ndarray of shape (n_samples,)
        The share of the row's cells that are taken out.
    score_cutoff, orthogonal_cutoff, share_cutoff : float
        The largest values of a row that fits.

    Examples
    --------
    >>> from exrpca.decomposition import ExRPCA, make_low_rank
    >>> X = make_low_rank(500, 20, outlier_share=0).matrix
    >>> X[7] += 100
    >>> rows = ExRPCA(3).fit(X).row_distances(X)
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
        outlying: NDArray[np.bool_],
        variances: Floats,
        cutoff: float,
    ) -> RowDiagnostics:
        """Measure rows by their scores, and by E in units of noise, which is 0 where taken out."""
        with np.errstate(divide="ignore", invalid="ignore"):
            standard = np.where(variances > 0, scores / np.sqrt(variances), 0.0)
        kept = np.maximum((~outlying).sum(axis=1), 1)
        return cls(
            np.linalg.norm(standard, axis=1),
            np.sqrt((noise**2).sum(axis=1) / kept),
            outlying.mean(axis=1),
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


# The cutoff for distances of rows comes from a sample of about this number of elements, and of
# 100 to 1,000 rows.
_JUDGED_ELEMENTS = 2**18
_JUDGED_ROWS = 100, 1000


@dataclass
class _FittedRows:
    """Some of the rows that were fitted, and what they give once it is asked for.

    An object of its own: asking a fitted estimator must not change the estimator's attributes.
    """

    rows: Floats
    cutoff: float | None = None
    model: Model | None = None  # if the fit itself does not give it


class RowJudge:
    """The methods that judge whole rows."""

    mean_: Floats
    components_: Floats
    _fitted_rows: _FittedRows

    def _keep_rows(self, blocks: Blocks) -> None:
        n_rows = np.clip(_JUDGED_ELEMENTS // blocks.shape[1], *_JUDGED_ROWS)
        self._fitted_rows = _FittedRows(sampled_rows(blocks, int(n_rows)))

    def _forget_cutoff(self) -> None:
        """Let the cutoff be found again: the model has changed."""
        self._fitted_rows = _FittedRows(self._fitted_rows.rows)

    @property
    def orthogonal_cutoff_(self) -> float:
        """The largest orthogonal distance of a row that fits, see `row_distances`.

        Found when it is first asked for, from some of the rows that were fitted.
        """
        check_is_fitted(self)
        fitted = self._fitted_rows
        if fitted.cutoff is None:
            distances = self._diagnosed(fitted.rows, np.inf).orthogonal_distance
            fitted.cutoff = orthogonal_cutoff(distances)
        return fitted.cutoff

    def row_distances(self, X: Any) -> RowDiagnostics:
        """Return how far rows are from the fitted model.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows that were fitted, or new ones.

        Returns
        -------
        RowDiagnostics
        """
        check_is_fitted(self)
        return self._diagnosed(self._checked(X), self.orthogonal_cutoff_)

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Tell rows that fit the model from those that are outlying as a whole.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows that were fitted, or new ones.

        Returns
        -------
        ndarray of shape (n_samples,)
            1 for a row that fits, −1 for one that does not; see `row_distances`.
        """
        return np.where(self.row_distances(X).outlying, -1, 1)

    def _diagnosed(self, X: Floats, cutoff: float) -> RowDiagnostics:
        scores, L, S = self._scored(X)
        outlying = S.toarray() != 0
        model = self._fitted_model()
        noise = np.where(outlying | np.isnan(X), 0.0, X - L) / np.maximum(model.unit, 1e-100)
        return RowDiagnostics.of(scores, noise, outlying, model.variances, cutoff)

    def _checked(self, X: Any) -> Floats:
        """Return rows for the fitted model as a checked array."""
        raise NotImplementedError

    def _scored(self, X: Floats) -> tuple[Floats, Floats, scipy.sparse.csr_array]:
        """Return the scores, L and S of the rows under the fitted model."""
        scores, outlying = robust_scores(X, np.zeros(X.shape[1]), self._fitted_model())
        L = scores @ self.components_.astype(X.dtype) + self.mean_.astype(X.dtype)
        return scores, L, stacked([only_observed(X, outlying)], X.shape[1])

    def _fitted_model(self) -> Model:
        """Return the components, the noise around them, and the variances of the scores."""
        raise NotImplementedError

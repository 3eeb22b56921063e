"""Telling rows that fit a model from rows that are outlying as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.shift import sampled_rows
from exrpca.decomposition._matrix.sparse_rows import only_observed, stacked
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.robust_scores import robust_scores
from exrpca.decomposition.row_diagnostics import RowDiagnostics, orthogonal_cutoff

# The cutoff for distances of rows comes from a sample of about so many elements, and of at least
# and at most so many rows.
_DIAGNOSED_ELEMENTS = 2**18
_DIAGNOSED_ROWS = 100, 1000


@dataclass
class _FittedRows:
    """Some of the rows that were fitted, and what they give once it is asked for.

    An object of its own: asking a fitted estimator must not change the estimator's attributes.
    """

    rows: Floats
    cutoff: float | None = None
    model: Model | None = None  # if the fit itself does not give it


class Diagnose:
    """The methods that judge whole rows."""

    mean_: Floats
    components_: Floats
    _fitted_rows: _FittedRows

    def _keep_rows(self, blocks: Blocks) -> None:
        n_rows = np.clip(_DIAGNOSED_ELEMENTS // blocks.shape[1], *_DIAGNOSED_ROWS)
        self._fitted_rows = _FittedRows(sampled_rows(blocks, int(n_rows)))

    def _forget_cutoff(self) -> None:
        """Let the cutoff be found again: the model has changed."""
        self._fitted_rows = _FittedRows(self._fitted_rows.rows)

    @property
    def orthogonal_cutoff_(self) -> float:
        """The largest orthogonal distance of a row that fits, see `diagnose`.

        Found when it is first asked for, from some of the rows that were fitted.
        """
        check_is_fitted(self)
        fitted = self._fitted_rows
        if fitted.cutoff is None:
            distances = self._diagnosed(fitted.rows, np.inf).orthogonal_distance
            fitted.cutoff = orthogonal_cutoff(distances)
        return fitted.cutoff

    def diagnose(self, X: Any) -> RowDiagnostics:
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
            1 for a row that fits, −1 for one that does not; see `diagnose`.
        """
        return np.where(self.diagnose(X).outlying, -1, 1)

    def _diagnosed(self, X: Floats, cutoff: float) -> RowDiagnostics:
        scores, L, S = self._scored(X)
        aside = S.toarray() != 0
        model = self._fitted_model()
        noise = np.where(aside | np.isnan(X), 0.0, X - L) / np.maximum(model.unit, 1e-100)
        return RowDiagnostics.of(scores, noise, aside, model.variances, cutoff)

    def _checked(self, X: Any) -> Floats:
        """Return rows for the fitted model as a checked array."""
        raise NotImplementedError

    def _scored(self, X: Floats) -> tuple[Floats, Floats, scipy.sparse.csr_array]:
        """Return the scores, L and S of the rows under the fitted model."""
        scores, aside = robust_scores(X, np.zeros(X.shape[1]), self._fitted_model())
        L = scores @ self.components_.astype(X.dtype) + self.mean_.astype(X.dtype)
        return scores, L, stacked([only_observed(X, aside)], X.shape[1])

    def _fitted_model(self) -> Model:
        """Return the components, the noise around them, and the variances of the scores."""
        raise NotImplementedError

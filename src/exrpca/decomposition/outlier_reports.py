"""Which cells and rows do not fit a model, as tables; the outlier interface of scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import OutlierMixin
from sklearn.utils.validation import check_is_fitted

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.first_look import sampled_rows
from exrpca.decomposition._matrix.sparse_rows import only_observed, stacked
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.robust_scores import robust_scores
from exrpca.decomposition._rounds.row_weights import measured

# The cutoffs for distances of rows come from a sample of about this number of elements, and of 100
# to 1,000 rows.
_ELEMENTS = 2**18
_ROWS = 100, 1000
# A row that fits is below each of the two cutoffs with a probability of 99.5%: the logarithms of
# distances are taken as normal, with the deviation that the median and the 75% quantile show.
_NORMAL_995, _NORMAL_75 = 2.5758, 0.6745
# A row with a larger share of outlying cells does not fit, whatever its distances.
_MOST_OUTLYING = 0.25
# By default, at least this share of the rows that were fitted is flagged.
_FLAGGED = 0.005
# `score` hides this share of the cells, and no cell counts by more than this many spreads.
_HIDDEN, _MOST_SPREADS = 0.1, 3.0


@dataclass
class _FittedRows:
    """Some of the rows that were fitted, and what they give once it is asked for.

    An object of its own: asking a fitted estimator must not change the estimator's attributes.
    """

    rows: Floats
    cutoffs: tuple[float, float] | None = None  # for score and orthogonal distances
    offset: float | None = None
    model: Model | None = None  # if the fit itself does not give it


class OutlierReports(OutlierMixin):
    """The methods that judge cells and whole rows."""

    mean_: Floats
    components_: Floats
    scale_: Floats
    _fitted_rows: _FittedRows

    # --- cells -----------------------------------------------------------------------------------

    def residuals(self, X: Any) -> Any:
        """Return how far each cell is from L, in standard deviations of its feature's noise.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows that were fitted, or new ones.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            NaN where a value is missing. A DataFrame if `X` is one.
        """
        check_is_fitted(self)
        rows = self._checked(X)
        found: Floats = (rows - self._scored(rows)[1]) / self._noise_units().astype(rows.dtype)
        return self._framed(found, X)

    def outlying_cells(self, X: Any) -> pd.DataFrame:
        """Return the cells that are farther from L than the threshold, the worst ones first.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows that were fitted, or new ones.

        Returns
        -------
        DataFrame
            The columns are row (its index), column (its name, or its number if `X` has no names),
            value, expected (what the other cells of the row lead to) and z, the difference in
            standard deviations of the feature's noise.

        Examples
        --------
        >>> from exrpca.decomposition import ExRPCA, make_low_rank
        >>> X = make_low_rank(500, 10, n_components=2, outlier_share=0).matrix
        >>> X[7, 3] += 25
        >>> ExRPCA(2).fit(X).outlying_cells(X)[["row", "column"]]
           row  column
        0    7       3
        """
        check_is_fitted(self)
        rows = self._checked(X)
        expected = self._scored(rows)[1]
        z = (rows - expected) / self._noise_units().astype(rows.dtype)
        i, j = np.nonzero(np.abs(z) > self._cell_threshold())
        order = np.argsort(-np.abs(z[i, j]), kind="stable")
        i, j = i[order], j[order]
        index, columns = self._labels(X)
        scale = self.scale_[j]
        return pd.DataFrame(
            {
                "row": index[i],
                "column": columns[j],
                "value": rows[i, j] * scale,
                "expected": expected[i, j] * scale,
                "z": z[i, j],
            }
        )

    # --- rows ------------------------------------------------------------------------------------

    def row_distances(self, X: Any) -> pd.DataFrame:
        """Return how far rows are from the fitted model.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows that were fitted, or new ones.

        Returns
        -------
        DataFrame
            One row for each row of `X`, with its index. `score_distance` is the distance from the
            mean within the subspace, in standard deviations of the scores. `orthogonal_distance`
            is the root mean square of E over the cells that are not in S, in units of each
            feature's noise. `outlier_share` is the share of cells in S. `outlying` is where
            `predict` returns −1: by default, where a distance is above its cutoff
            (`score_cutoff_`, `orthogonal_cutoff_`) or more than a quarter of the cells are in S.
        """
        check_is_fitted(self)
        rows = self._checked(X)
        off, along, share = self._measured(rows)
        columns = {
            "score_distance": along,
            "orthogonal_distance": off,
            "outlier_share": share,
            "outlying": self._fit_of(off, along, share) < self.offset_,
        }
        return pd.DataFrame(columns, index=self._labels(X)[0])

    @property
    def score_cutoff_(self) -> float:
        """The largest score distance of a row that fits."""
        return self._cutoffs()[0]

    @property
    def orthogonal_cutoff_(self) -> float:
        """The largest orthogonal distance of a row that fits.

        Found when it is first asked for, from some of the rows that were fitted.
        """
        return self._cutoffs()[1]

    @property
    def offset_(self) -> float:
        """The lowest `score_samples` of a row that `predict` calls 1."""
        check_is_fitted(self)
        fitted = self._fitted_rows
        if fitted.offset is None:
            contamination: Any = getattr(self, "contamination", "auto")
            fits = self._fit_of(*self._measured(fitted.rows))
            if contamination == "auto":
                fitted.offset = max(-1.0, float(np.quantile(fits, _FLAGGED, method="lower")))
            else:
                fitted.offset = float(np.quantile(fits, contamination))
        return fitted.offset

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return how well rows fit: the lower, the more outlying.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows that were fitted, or new ones.

        Returns
        -------
        ndarray of shape (n_samples,)
            Minus the largest of the row's distances over their cutoffs, see `row_distances`.
        """
        check_is_fitted(self)
        return self._fit_of(*self._measured(self._checked(X)))

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return `score_samples` minus `offset_`: negative for rows that do not fit.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows that were fitted, or new ones.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self.score_samples(X) - self.offset_

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
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def score(self, X: Any, y: Any = None) -> float:
        """Return how well the model predicts cells from the other cells of their row.

        A tenth of the cells are hidden. So, unlike the variance explained, it does not grow with
        every component, and `GridSearchCV` can choose their number by it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, best those that were not fitted.
        y : None
            Ignored.

        Returns
        -------
        float
            The share of the squared deviations from the mean that is predicted, at most 1. No
            cell counts by more than 3 standard deviations of its feature.
        """
        check_is_fitted(self)
        rows = self._checked(X)
        hidden = np.random.default_rng(0).random(rows.shape) < _HIDDEN
        L = self._scored(np.where(hidden, np.nan, rows).astype(rows.dtype))[1]
        hidden &= ~np.isnan(rows)
        model = self._fitted_model()
        variances = model.unit.astype(np.float64) ** 2 + model.variances @ model.components**2
        spreads = np.sqrt(np.maximum(variances, 1e-300))

        def squares(deviations: Floats) -> float:
            sizes = np.minimum(np.abs(deviations / spreads)[hidden], _MOST_SPREADS)
            return float(sizes @ sizes)

        total = squares(rows - self.mean_)
        return 1 - squares(rows - L) / total if total > 0 else 0.0

    # --- what these are made of ------------------------------------------------------------------

    def _keep_rows(self, blocks: Blocks) -> None:
        n_rows = np.clip(_ELEMENTS // blocks.shape[1], *_ROWS)
        self._fitted_rows = _FittedRows(sampled_rows(blocks, int(n_rows)))

    def _forget_cutoffs(self) -> None:
        """Let the cutoffs be found again: the model has changed."""
        self._fitted_rows = _FittedRows(self._fitted_rows.rows)

    def _cutoffs(self) -> tuple[float, float]:
        check_is_fitted(self)
        fitted = self._fitted_rows
        if fitted.cutoffs is None:
            off, along, _ = self._measured(fitted.rows)
            fitted.cutoffs = _cutoff(along), _cutoff(off)
        return fitted.cutoffs

    def _fit_of(self, off: Floats, along: Floats, share: Floats) -> NDArray[np.float64]:
        of_scores, of_rest = self._cutoffs()
        tiny = np.finfo(np.float64).tiny
        ratios = (along / max(of_scores, tiny), off / max(of_rest, tiny), share / _MOST_OUTLYING)
        worst: NDArray[np.float64] = np.maximum.reduce(ratios).astype(np.float64)
        return -worst

    def _measured(self, X: Floats) -> tuple[Floats, Floats, Floats]:
        model = self._fitted_model()
        nowhere = np.zeros(X.shape[1])
        scores, outlying = robust_scores(X, nowhere, model)
        off, along, _ = measured(X, nowhere, scores, outlying, model)
        return off, along, np.diff(only_observed(X, outlying).indptr) / X.shape[1]

    def _scored(self, X: Floats) -> tuple[Floats, Floats, scipy.sparse.csr_array]:
        """Return the scores, L and S of the rows under the fitted model."""
        scores, outlying = robust_scores(X, np.zeros(X.shape[1]), self._fitted_model())
        L = scores @ self.components_.astype(X.dtype) + self.mean_.astype(X.dtype)
        return scores, L, stacked([only_observed(X, outlying)], X.shape[1])

    def _labels(self, X: Any) -> tuple[Any, Any]:
        """Return the names of the rows and of the columns."""
        index = X.index if isinstance(X, pd.DataFrame) else np.arange(len(X))
        names = getattr(self, "feature_names_in_", None)
        return index, np.arange(len(self.mean_)) if names is None else names

    def _noise_units(self) -> Floats:
        """Return the standard deviation of the noise of each feature."""
        return self._fitted_model().unit

    def _cell_threshold(self) -> float:
        return self._fitted_model().threshold

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the model."""
        raise NotImplementedError

    def _checked(self, X: Any) -> Floats:
        """Return rows for the fitted model as a checked array."""
        raise NotImplementedError

    def _framed(self, values: Floats, given: Any) -> Any:
        """Return values of all features as a DataFrame if the rows given were one."""
        raise NotImplementedError

    def _fitted_model(self) -> Model:
        """Return the components, the noise around them, and the variances of the scores."""
        raise NotImplementedError


def _cutoff(distances: Floats) -> float:
    """Return the 99.5% quantile that the lower three quarters of the distances lead to."""
    logarithms = np.log(np.maximum(distances.astype(np.float64), np.finfo(np.float64).tiny))
    middle, upper = np.quantile(logarithms, [0.5, 0.75])
    return float(np.exp(middle + (upper - middle) * _NORMAL_995 / _NORMAL_75))

"""What the three estimators share: input, transform, decompose, fitted attributes."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, Self

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_is_fitted, validate_data

from exrpca.decomposition._matrix.blocks import Blocks, blas_on_one_thread, blocks_of
from exrpca.decomposition._matrix.types import Floats


class RobustDecomposition(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A linear subspace fitted despite outliers, used like scikit-learn's PCA.

    A subclass sets `mean_`, `components_` and the other attributes in `_fit`, and splits rows under
    the fitted model in `_split`.
    """

    components_: Floats
    mean_: Floats
    explained_variance_: Floats
    explained_variance_ratio_: Floats
    sparse_: scipy.sparse.csr_array
    noise_scale_: float
    n_iter_: int
    converged_: bool

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the subspace and set the outliers aside.

        Parameters
        ----------
        X : matrix of shape (n_samples, n_features)
            An array, a Dask array, or anything with `shape`, `dtype` and `X[a:b]`. It is read in
            blocks and never copied or changed.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        # For the whole fit: BLAS threads keep spinning for a while after each use.
        with blas_on_one_thread():
            self._fit(X)
        self._warn_unless_converged()
        return self

    def _fit(self, X: Any) -> None:
        """Set the fitted attributes."""
        raise NotImplementedError

    def transform(self, X: Any) -> Floats:
        """Return the scores of the rows: their coordinates along the components.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows that were fitted, or new ones.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        return self._scores(self._checked(X))

    def _scores(self, X: Floats) -> Floats:
        """Project the rows, outliers included; what is missing is filled."""
        if self._accepts_nan() and np.isnan(X).any():
            X = np.where(np.isnan(X), self._split(X)[0], X)
        scores: Floats = (X - self.mean_.astype(X.dtype)) @ self.components_.T.astype(X.dtype)
        return scores

    def inverse_transform(self, X: Any) -> Floats:
        """Return the rows of the subspace that have the scores `X`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Scores, as `transform` returns them.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        rows: Floats = np.asarray(X) @ self.components_ + self.mean_
        return rows

    def decompose(self, X: Any) -> tuple[Floats, Floats, scipy.sparse.csr_array]:
        """Split rows under the fitted model: X = L + E + S.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows that were fitted, or new ones.

        Returns
        -------
        L : ndarray of shape (n_samples, n_features)
            The part in the subspace; it fills missing values.
        E : ndarray of shape (n_samples, n_features)
            The dense noise.
        S : scipy.sparse.csr_array of shape (n_samples, n_features)
            The outliers.
        """
        check_is_fitted(self)
        X = self._checked(X)
        L, S = self._split(X)
        E = np.nan_to_num(X - L - S.toarray(), copy=False, nan=0.0)
        return L, E, S

    def _split(self, X: Floats) -> tuple[Floats, scipy.sparse.csr_array]:
        """Return L and S of the rows under the fitted model."""
        raise NotImplementedError

    def _checked(self, X: Any) -> Floats:
        """Return rows for the fitted model as a checked array."""
        allowed = "allow-nan" if self._accepts_nan() else True
        # Half precision is computed in single, as in the fit.
        half = getattr(X, "dtype", None) == np.float16
        types = [np.float32] if half else [np.float64, np.float32]
        rows: Floats = validate_data(self, X, reset=False, dtype=types, ensure_all_finite=allowed)
        return rows

    def _accepts_nan(self) -> bool:
        return False

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "components_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.allow_nan = self._accepts_nan()
        return tags

    def _blocks(self, X: Any, *, center: bool) -> Blocks:
        """Check X without reading it, and cut it into blocks of rows."""
        least_rows = 2 if center else 1
        if isinstance(X, np.ndarray) or not _is_row_source(X):
            # Numbers are converted block by block: nothing here copies the whole matrix.
            dtype = None if getattr(getattr(X, "dtype", None), "kind", "O") in "fiu" else "numeric"
            X = validate_data(
                self, X, dtype=dtype, ensure_all_finite=False, ensure_min_samples=least_rows
            )
        else:
            if len(X.shape) != 2 or X.shape[0] < least_rows or X.shape[1] < 1:
                raise ValueError(
                    f"X has shape {X.shape}: expected at least {least_rows} rows and 1 column"
                )
            self.n_features_in_ = int(X.shape[1])
        return blocks_of(X)

    def _check_integer(self, name: str, *, most: int | None = None) -> None:
        """Raise an error unless a parameter is an integer from 1 to `most`."""
        check_scalar(getattr(self, name), name, Integral, min_val=1, max_val=most)

    def _warn_unless_converged(self) -> None:
        if not self.converged_:
            warnings.warn(
                f"stopped after max_iter={self.n_iter_} iterations before the change fell below "
                "tol: increase max_iter or tol",
                ConvergenceWarning,
                stacklevel=3,
            )


def _is_row_source(X: Any) -> bool:
    """Whether X has a shape, a dtype and slices of rows, and is not sparse."""
    return (
        all(hasattr(X, name) for name in ("shape", "dtype", "__getitem__"))
        and not scipy.sparse.issparse(X)
        and len(X.shape) == 2
    )

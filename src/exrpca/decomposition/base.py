"""What the three estimators share: input, transform, decompose, fitted attributes."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
import scipy.sparse
from pandas.api.types import infer_dtype, is_numeric_dtype
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_scalar
from sklearn.utils.validation import check_is_fitted, validate_data

from exrpca.blas import blas_on_one_thread
from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks, blocks_of, in_range, without_mask
from exrpca.decomposition._matrix.first_look import empty_columns, refuse_dates
from exrpca.decomposition._matrix.gram import Spectrum
from exrpca.decomposition.outlier_reports import OutlierReports


@dataclass(frozen=True)
class Iteration:
    """What a callback is told after each iteration of a fit.

    Attributes
    ----------
    number : int
        The number of the iteration, from 1.
    objective : float
        The value of the objective. For `ExRPCA` this is ‖E‖².
    rank : int
        The rank of L.
    outlier_share : float
        The share of the elements of X that are in S.
    change : float
        The relative change that is compared with `tol`.

    Examples
    --------
    >>> print(Iteration(3, objective=12.5, rank=2, outlier_share=0.01, change=1e-3))
    iteration 3: objective 12.5, rank 2, 1.000% taken out, change 1.00e-03
    """

    number: int
    objective: float
    rank: int
    outlier_share: float
    change: float

    def __str__(self) -> str:
        return (
            f"iteration {self.number}: objective {self.objective:.6g}, rank {self.rank}, "
            f"{self.outlier_share:.3%} taken out, change {self.change:.2e}"
        )


# A larger share of elements in S deserves a warning.
MOST_IN_S = 0.25


Callback = Callable[[Iteration], object]


class RobustFitWarning(UserWarning):
    """A robust fit whose result should not be trusted without a look.

    For example, more than a quarter of the elements were taken out as outliers.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("error", RobustFitWarning)  # raise it as an error
    >>> warnings.resetwarnings()
    """


class RobustDecomposition(
    OutlierReports, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    """A linear subspace fitted despite outliers, used like scikit-learn's PCA.

    A subclass sets `mean_`, `components_` and the other attributes in `_fit`, and splits rows under
    the fitted model in `_split`.
    """

    n_components: Any
    center: bool
    missing: Literal["error", "impute"]
    scores: Literal["robust", "linear"]

    n_components_: int
    components_: Floats
    scale_: Floats  # what features are divided by before the fit
    mean_: Floats
    singular_values_: Floats
    explained_variance_: Floats
    explained_variance_ratio_: Floats
    noise_variance_: float
    sparse_: scipy.sparse.csr_array
    noise_scale_: float
    n_iter_: int
    converged_: bool

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the subspace and take the outliers out.

        Parameters
        ----------
        X : matrix of shape (n_samples, n_features)
            An array, a masked array, a Dask array, or anything with `shape`, `dtype` and `X[a:b]`.
            It is read in blocks and never copied or changed.
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
        """Project the rows; L fills what is missing, and S is left out if scores are robust."""
        robust, gaps = self.scores == "robust", np.isnan(X)
        if robust or gaps.any():
            L, S = self._split(X)
            X = np.where(gaps, L, X - S.toarray() if robust else X)
        scores: Floats = (X - self.mean_.astype(X.dtype)) @ self.components_.T.astype(X.dtype)
        return scores

    def inverse_transform(self, X: Any) -> Any:
        """Return the rows of the subspace that have the scores `X`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Scores, as `transform` returns them.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            A DataFrame with the same index if `X` is one.
        """
        check_is_fitted(self)
        rows = np.asarray(X) @ self.components_ + self.mean_
        return self._framed(rows * self.scale_.astype(rows.dtype), X)

    def decompose(self, X: Any) -> tuple[Any, Any, Any]:
        """Split rows under the fitted model: X = L + E + S.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows that were fitted, or new ones.

        Returns
        -------
        L : ndarray of shape (n_samples, n_features)
            The part in the subspace; it fills missing values. A DataFrame if `X` is one, as are the
            other two.
        E : ndarray of shape (n_samples, n_features)
            The dense noise.
        S : scipy.sparse.csr_array of shape (n_samples, n_features)
            The outliers.
        """
        check_is_fitted(self)
        rows = self._checked(X)
        L, S = self._split(rows)
        E = np.nan_to_num(rows - L - S.toarray(), copy=False, nan=0.0)
        scale = self.scale_.astype(rows.dtype)
        L, E, S = L * scale, E * scale, scipy.sparse.csr_array(S * scale)
        if not isinstance(X, pd.DataFrame):
            return L, E, S
        return tuple(self._framed(part, X) for part in (L, E, S.toarray()))

    def _framed(self, values: Floats, given: Any) -> Any:
        """Return values of all features as a DataFrame if the rows given were one."""
        if not isinstance(given, pd.DataFrame):
            return values
        return pd.DataFrame(values, given.index, getattr(self, "feature_names_in_", None))

    def _split(self, X: Floats) -> tuple[Floats, scipy.sparse.csr_array]:
        """Return L and S of the rows under the fitted model."""
        raise NotImplementedError

    def _checked(self, X: Any) -> Floats:
        """Return rows for the fitted model as a checked array."""
        refuse_dates(X)
        # Half precision is computed in single, as in the fit.
        half = getattr(X, "dtype", None) == np.float16
        types = [np.float32] if half else [np.float64, np.float32]
        rows: Floats = validate_data(
            self, without_mask(X), reset=False, dtype=types, ensure_all_finite="allow-nan"
        )
        if not self._accepts_nan() and np.isnan(np.vdot(rows, rows)) and np.isnan(rows).any():
            row, column = np.argwhere(np.isnan(rows))[0]
            raise ValueError(
                f"Input X contains NaN at row {row}, column {self._name_of(column)}: fit with "
                "missing='impute' to have gaps filled"
            )
        rows = in_range(rows) if self.components_.dtype == np.float64 else rows
        return rows / self.scale_.astype(rows.dtype) if (self.scale_ != 1).any() else rows

    def _accepts_nan(self) -> bool:
        return self.missing == "impute"

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
        refuse_dates(X)
        X = without_mask(X)
        if isinstance(X, np.ndarray) or not _is_row_source(X):
            # Numbers are converted block by block: nothing here copies the whole matrix.
            dtype = None if getattr(getattr(X, "dtype", None), "kind", "O") in "fiu" else "numeric"
            refuse_words(X)
            X = validate_data(
                self, X, dtype=dtype, ensure_all_finite=False, ensure_min_samples=least_rows
            )
        else:
            if len(X.shape) != 2 or X.shape[0] < least_rows or X.shape[1] < 1:
                raise ValueError(
                    f"X has shape {X.shape}: expected at least {least_rows} rows and 1 column"
                )
            self.n_features_in_ = int(X.shape[1])
        blocks = blocks_of(in_range(X))
        self.scale_ = np.ones(blocks.shape[1])
        if self._accepts_nan():
            empty = empty_columns(blocks)
            if len(empty) > 0:
                name = self._name_of(empty[0])
                raise ValueError(f"Input X has no value in column {name}: leave the column out")
        return blocks

    def _name_of(self, column: int) -> str:
        """Return the name of a column in quotes, or its number if the columns have no names."""
        names = getattr(self, "feature_names_in_", None)
        return str(column) if names is None else repr(str(names[column]))

    def _keep_spectrum(
        self, blocks: Blocks, shift: Floats, spectrum: Spectrum, n_rows: int
    ) -> None:
        """Set the fitted attributes that say what the components are and hold."""
        dtype = blocks.dtype
        self.components_ = spectrum.components.astype(dtype)
        self.mean_ = (spectrum.mean + shift).astype(dtype)
        self.singular_values_ = np.sqrt(spectrum.values).astype(dtype)
        self.explained_variance_ = spectrum.variances.astype(dtype)
        self.explained_variance_ratio_ = spectrum.ratios.astype(dtype)
        n_left = min(n_rows, blocks.shape[1]) - self.n_components_
        degrees = max(n_rows - int(self.center), 1)
        self.noise_variance_ = spectrum.noise_energy / degrees / n_left if n_left > 0 else 0.0

    def _outlier_share(self) -> float:
        """Return the share of the fitted elements that are in S."""
        return self.sparse_.nnz / (self.sparse_.shape[0] * self.sparse_.shape[1])

    def _check_rank(self, shape: tuple[int, int]) -> None:
        """Raise an error unless `n_components` is a rank, a share of variance or "auto"."""
        rank = self.n_components
        if rank is None:
            raise ValueError(
                "n_components=None must be a number, a share of the variance or 'auto'"
            )
        if isinstance(rank, str):
            if rank != "auto":
                raise ValueError(f"n_components={rank!r} must be a number or 'auto'")
        elif isinstance(rank, int | np.integer) or not 0 < rank < 1:
            self._check_integer("n_components")
            if rank > min(shape):
                raise ValueError(
                    f"X has n_samples={shape[0]} and n_features={shape[1]}, too few for {rank} "
                    f"components{self._by_default(rank)}: pass n_components={min(shape)} or less"
                )

    def _by_default(self, rank: int) -> str:
        """Return a remark if this may be a rank that the user did not set."""
        default = inspect.signature(type(self)).parameters["n_components"].default
        return ", the default" if rank == default else ""

    def _check_choices(self, **choices: tuple[Any, ...]) -> None:
        """Raise an error unless each parameter is one of its choices."""
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name}={getattr(self, name)!r} must be one of {allowed}")

    def _check_integer(self, name: str) -> None:
        """Raise an error unless a parameter is a positive integer."""
        check_scalar(getattr(self, name), name, Integral, min_val=1)

    def _warn_unless_converged(self) -> None:
        if not self.converged_:
            warnings.warn(
                f"stopped after max_iter={self.n_iter_} iterations before the change fell below "
                "tol: increase max_iter or tol",
                ConvergenceWarning,
                stacklevel=3,
            )


def refuse_words(X: Any) -> None:
    """Raise a ValueError that names the first column of a DataFrame whose values are words."""
    if not isinstance(X, pd.DataFrame):
        return
    for name, column in X.items():
        if not is_numeric_dtype(column) and infer_dtype(column, skipna=True) == "string":
            raise ValueError(
                f"Input X has words in column {str(name)!r}: leave it out, or encode its "
                "categories as numbers, for example by OneHotEncoder"
            )


def _is_row_source(X: Any) -> bool:
    """Whether X has a shape, a dtype and slices of rows, and is not sparse."""
    return (
        all(hasattr(X, name) for name in ("shape", "dtype", "__getitem__"))
        and not scipy.sparse.issparse(X)
        and len(X.shape) == 2
    )

"""`partial_fit`: rows that come in batches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import scipy.sparse

from exrpca.blas import blas_on_one_thread
from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import blocks_of
from exrpca.decomposition._matrix.first_look import (
    NORMAL_OVER_MAD,
    column_quantiles,
    refuse_unusable,
)
from exrpca.decomposition._matrix.gram import signed
from exrpca.decomposition._matrix.sparse_rows import SparseRows, only_observed, stacked, without
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.robust_scores import robust_scores
from exrpca.decomposition.outlier_reports import OutlierReports

# How often a batch of a stream is judged: by what was seen before, then by what it shows itself.
_BATCH_ROUNDS = 2


class PartialFit(OutlierReports):
    """What lets an estimator with a robust model of its rows take in further ones."""

    center: bool
    n_components_: int
    components_: Floats
    mean_: Floats
    singular_values_: Floats
    noise_scales_: Floats
    sparse_: scipy.sparse.csr_array
    _stream: Stream | None

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the first batch."""
        raise NotImplementedError

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Take in a batch of rows, such as the next frames of a video.

        The first batch is fitted as `fit` does, and needs clearly more rows than components. Later
        ones are judged by the model so far, and their rows without outlying cells move it. Rows of
        them that are broken as a whole are named by `predict`, but not left out. `sparse_` is S of
        the last batch. A model that was fitted goes on from there.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The batch. It may have any number of rows, and is not kept.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        if not hasattr(self, "components_"):
            return self.fit(X)
        rows = self._checked(X)
        refuse_unusable(rows, blocks_of(rows), allow_nan=True)
        before, origin = self._so_far(), np.zeros(rows.shape[1])
        with blas_on_one_thread():
            for _ in range(_BATCH_ROUNDS):
                scores, outlying = robust_scores(rows, origin, self._batch_model(rows))
                low_rank = scores @ self.components_ + self.mean_
                self._stream = before.after(
                    rows, low_rank, outlying, self.n_components_, center=self.center
                )
                self._keep_stream(self._stream)
        self.sparse_ = stacked([only_observed(rows, outlying)], rows.shape[1])
        return self

    def _batch_model(self, rows: Floats) -> Model:
        """Return the model to judge a batch by: with at least the noise that most of its rows show.

        What the rows so far call an outlier may be what the scene looks like from now on.
        """
        model = self._fitted_model()
        scores, _ = robust_scores(rows, np.zeros(rows.shape[1]), model)
        sizes = np.abs(rows - self.mean_ - scores @ self.components_)
        usual = NORMAL_OVER_MAD * column_quantiles(sizes, 0.5)
        return replace(model, unit=np.maximum(model.unit, usual))

    def _so_far(self) -> Stream:
        """Return what the fit knows of its rows."""
        if self._stream is not None:
            return self._stream
        n, k = self.sparse_.shape[0], self.n_components_
        degrees = max(n - int(self.center) - k, 1)
        # A few rows lie nearer to their own components than later ones will.
        noise = self.noise_scales_.astype(np.float64) ** 2 * n
        energy = float((self.singular_values_.astype(np.float64) ** 2).sum() + noise.sum())
        return Stream(
            n,
            self.mean_.astype(np.float64),
            self.singular_values_.astype(np.float64),
            self.components_.astype(np.float64),
            energy,
            noise,
            np.full(len(self.mean_), float(degrees)),
        )

    def _keep_stream(self, stream: Stream) -> None:
        """Set the fitted attributes after a batch."""
        self._forget_cutoffs()
        k, dtype = self.n_components_, self.components_.dtype
        squares = stream.values[:k] ** 2
        degrees = max(stream.n_rows - int(self.center), 1)
        left = max(stream.energy - float(squares.sum()), 0.0)
        n_left = min(stream.n_rows, len(stream.mean)) - k
        self.mean_ = stream.mean.astype(dtype)
        self.components_ = stream.directions[:k].astype(dtype)
        self.singular_values_ = stream.values[:k].astype(dtype)
        self.explained_variance_ = (squares / degrees).astype(dtype)
        self.explained_variance_ratio_ = (squares / max(stream.energy, 1e-300)).astype(dtype)
        self.noise_variance_ = left / degrees / n_left if n_left > 0 else 0.0
        self.noise_scales_ = stream.noise_scales.astype(dtype)
        self.noise_scale_ = float(np.sqrt(stream.noise.sum() / stream.degrees.sum()))


# Directions beyond the components that are carried along: one that is weak in each batch may be
# strong in all of them.
_MORE_DIRECTIONS = 10


@dataclass(frozen=True)
class Stream:
    """What is known of the rows seen so far, without their outliers."""

    n_rows: int
    mean: Floats
    values: Floats  # the leading singular values around the mean
    directions: Floats  # their right singular vectors, one per row
    energy: float  # the sum of all squared singular values
    noise: Floats  # for each feature the sum of squares of E
    degrees: Floats  # and how many elements it stands for

    def after(
        self, x: Floats, low_rank: Floats, outlying: SparseRows, n_components: int, *, center: bool
    ) -> Stream:
        """Return the stream after a batch, given its L and its outliers."""
        n, b = self.n_rows, len(x)
        clean = without(x, np.zeros(x.shape[1], x.dtype), outlying, fill_nan=True).astype(
            np.float64
        )
        kept = np.full(x.shape[1], float(b)) - np.bincount(outlying.indices, minlength=x.shape[1])
        batch_mean = clean.mean(axis=0) if center else self.mean
        rows = clean - batch_mean
        step = np.sqrt(n * b / (n + b)) * (self.mean - batch_mean)
        stack = np.concatenate([self.values[:, None] * self.directions, rows, step[None]])
        _, values, directions = np.linalg.svd(stack, full_matrices=False)
        most = n_components + _MORE_DIRECTIONS
        return Stream(
            n + b,
            (n * self.mean + b * batch_mean) / (n + b),
            values[:most],
            signed(directions[:most]),
            self.energy + float(np.vdot(rows, rows) + step @ step),
            self.noise + ((clean - low_rank) ** 2).sum(axis=0),
            self.degrees + kept,
        )

    @property
    def noise_scales(self) -> Floats:
        """The standard deviation of E for each feature."""
        return np.asarray(np.sqrt(self.noise / np.maximum(self.degrees, 1.0)))

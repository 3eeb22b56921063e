"""A fitted subspace that takes in further batches of rows, without those seen before.

The singular values and directions of what was seen stand for it: the PCA of these and of a new
batch, less its outliers, is nearly the PCA of everything (Ross, Lim, Lin and Yang 2008). A batch of
b rows costs the singular values of about b rows, however many columns they have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exrpca.decomposition._matrix.gram import signed
from exrpca.decomposition._matrix.sparse_rows import SparseRows, without
from exrpca.decomposition._matrix.types import Floats

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
        self, x: Floats, low_rank: Floats, aside: SparseRows, n_components: int, *, center: bool
    ) -> Stream:
        """Return the stream after a batch, given its L and its outliers."""
        n, b = self.n_rows, len(x)
        clean = without(x, np.zeros(x.shape[1], x.dtype), aside, fill_nan=True).astype(np.float64)
        kept = np.full(x.shape[1], float(b)) - np.bincount(aside.indices, minlength=x.shape[1])
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

"""Shrinking singular values without an SVD of the matrix, from its Gram matrix alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exrpca.decomposition._matrix.types import Floats


@dataclass(frozen=True)
class Shrinkage:
    """The map from a matrix A to the matrix whose singular values are smaller by τ.

    With A − mean = U diag(s) Vᵀ, the result is mean + (A − mean) V diag(1 − τ/s) Vᵀ over s > τ.
    """

    mean: Floats
    basis: Floats  # V, of shape (d, rank), by decreasing singular value
    factors: Floats  # 1 − τ/s
    values: Floats  # s − τ, the singular values of the result
    tau: float

    @classmethod
    def of(cls, gram: Floats, sums: Floats | None, n_rows: int, tau: float) -> Shrinkage:
        """Find the map for the matrix with this Gram matrix; `sums` of its rows center it."""
        mean = np.zeros(len(gram))
        if sums is not None:
            mean = sums / n_rows
            gram = gram - n_rows * np.outer(mean, mean)
        # All of them: LAPACK finds the values in an interval more slowly than the whole spectrum.
        squares, basis = np.linalg.eigh(gram)
        kept = np.flatnonzero(squares > tau**2)[::-1]
        values = np.sqrt(squares[kept])
        return cls(mean, basis[:, kept], 1 - tau / values, values - tau, tau)

    @property
    def rank(self) -> int:
        """The number of singular values left."""
        return len(self.values)

    @property
    def nuclear_norm(self) -> float:
        """The sum of the singular values of the result."""
        return float(self.values.sum())

    def applied_to(self, a: Floats) -> Floats:
        """Return the rows of the result, given the rows of A, in the cheaper way."""
        if 2 * self.rank < len(self.mean):
            return self.rows(self.scores(a))
        whole = (self.basis * self.factors) @ self.basis.T
        rows: Floats = a @ whole.astype(a.dtype)
        rows += (self.mean - self.mean @ whole).astype(a.dtype)
        return rows

    def scores(self, a: Floats) -> Floats:
        """Return the coordinates of rows of the result, given the rows of A."""
        shrunk = self.basis * self.factors
        scores: Floats = a @ shrunk.astype(a.dtype) - (self.mean @ shrunk).astype(a.dtype)
        return scores

    def rows(self, scores: Floats) -> Floats:
        """Return the rows of the result that have these coordinates."""
        dtype = scores.dtype
        rows: Floats = scores @ self.basis.T.astype(dtype) + self.mean.astype(dtype)
        return rows

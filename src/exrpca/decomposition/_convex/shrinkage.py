"""Shrinking singular values without an SVD of the matrix, from the smaller of its Gram matrices.

A tall matrix is known by its Gram matrix, a sum over blocks of rows. A wide one is a single block
and would have a Gram matrix larger than itself: there the rows are passed on as they are. Both are
called the moments of the matrix; those of a wide matrix are not square.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.first_look import shifted, sums_of


def moments_of(rows: Floats, *, wide: bool) -> tuple[Floats, Floats]:
    """Return the moments of rows, and the sum of the rows."""
    if not wide:
        return sums_of(rows)
    return rows, rows.sum(axis=0, dtype=np.float64)


def first_moments(
    x: Floats, _: None, shift: Floats, wide: bool, impute: bool
) -> tuple[tuple[Any, ...], None]:
    """Return the moments of the shifted rows; gaps are 0 if they are to be filled."""
    x = shifted(x, shift)
    return moments_of(np.where(np.isnan(x), x.dtype.type(0), x) if impute else x, wide=wide), None


def energy(moments: Floats) -> float:
    """Return the sum of the squares of a matrix."""
    if _is_wide(moments):
        return float(np.vdot(moments, moments))
    return float(np.trace(moments))


def largest_square(moments: Floats) -> float:
    """Return the square of the largest singular value of a matrix."""
    gram = moments @ moments.T if _is_wide(moments) else moments
    return float(np.linalg.norm(gram, 2))


def _is_wide(moments: Floats) -> bool:
    n, d = moments.shape
    return int(n) < int(d)


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
    def of(cls, moments: Floats, sums: Floats | None, n_rows: int, tau: float) -> Shrinkage:
        """Find the map for the matrix with these moments; `sums` of its rows center it."""
        mean = np.zeros(moments.shape[1]) if sums is None else sums / n_rows
        rows = moments - mean if _is_wide(moments) else None
        gram = moments - n_rows * np.outer(mean, mean) if rows is None else rows @ rows.T
        values, basis = _above(gram, tau)
        if rows is not None:
            basis = rows.T @ (basis / values)
        return cls(mean, basis, 1 - tau / values, values - tau, tau)

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


def _above(gram: Floats, tau: float) -> tuple[Floats, Floats]:
    """Return the singular values above τ, by decreasing size, and their vectors."""
    # All of them: LAPACK finds the values in an interval more slowly than the whole spectrum.
    squares, vectors = np.linalg.eigh(gram)
    rounding = len(gram) * np.finfo(np.float64).eps * max(squares[-1], 0.0)
    kept = np.flatnonzero(squares > max(tau**2, rounding))[::-1]
    return np.sqrt(squares[kept]), vectors[:, kept]

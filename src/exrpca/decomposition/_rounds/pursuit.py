"""Principal component pursuit of a small dense matrix: the first guess at L, whatever its rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix.types import Floats

# A start, not a solution: about 20 iterations. The penalty grows fast, see Lin, Chen and Ma (2010),
# "The Augmented Lagrange Multiplier Method for Exact Recovery of Corrupted Low-Rank Matrices".
_TOL = 1e-3
_MAX_ITER = 60
_GROWTH = 1.5


def pursuit(x: Floats, observed: NDArray[np.bool_], *, center: bool) -> Floats:
    """Return L of min ‖L‖_* + λ‖S‖₁ with X = L + S where observed, around a free mean."""
    x = np.where(observed, x, 0.0)
    norm = np.linalg.norm(x)
    if norm == 0:
        return x
    bound = 1 / np.sqrt(max(x.shape))
    largest = np.sqrt(np.linalg.eigvalsh(small_gram(x))[-1])
    mu = 1.25 / largest
    multiplier = x / max(largest, np.abs(x).max() / bound)
    low_rank, sparse = x, np.zeros_like(x)
    for _ in range(_MAX_ITER):
        point = x - sparse + multiplier / mu
        mean = point.mean(axis=0) if center else 0.0
        low_rank = _shrunk(point - mean, 1 / mu) + mean
        residual = x - low_rank
        pulled = residual + multiplier / mu
        sparse = np.where(  # a gap costs nothing
            observed, pulled - np.clip(pulled, -bound / mu, bound / mu), residual
        )
        residual -= sparse
        multiplier = np.where(observed, multiplier + mu * residual, 0.0)
        mu *= _GROWTH
        if np.linalg.norm(residual) < _TOL * norm:
            break
    return low_rank


def small_gram(x: Floats) -> Floats:
    """Return the smaller one of the two Gram matrices."""
    return x @ x.T if len(x) < x.shape[1] else x.T @ x


def _shrunk(x: Floats, tau: float) -> Floats:
    """Return the matrix with its singular values smaller by τ."""
    if len(x) < x.shape[1]:
        return _shrunk(x.T, tau).T
    squares, basis = np.linalg.eigh(x.T @ x)
    kept = squares > tau**2
    basis = basis[:, kept]
    shrunk: Floats = (x @ basis) * (1 - tau / np.sqrt(squares[kept])) @ basis.T
    return shrunk

"""Principal component pursuit of a small dense matrix: the first guess at L, whatever its rank."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._rounds.compiled import compiled

# A start, not a solution: about 12 iterations. The penalty grows fast, see Lin, Chen and Ma (2010),
# "The Augmented Lagrange Multiplier Method for Exact Recovery of Corrupted Low-Rank Matrices".
_TOL = 1e-2
_MAX_ITER = 60
_GROWTH = 1.5

# Up to this share of the spectrum, LAPACK finds the largest eigenvalues faster than all of them.
_FEW = 1 / 8


def pursuit(x: Floats, tol: float = _TOL) -> Floats:
    """Return L of min ‖L‖_* + λ‖S‖₁ with X = L + S where X is not NaN."""
    point = np.nan_to_num(x)
    if not point.any():
        return point
    weight = 1 / np.sqrt(max(x.shape))
    largest = np.sqrt(leading_eigh(small_gram(point), 1)[0][0])
    mu = 1.25 / largest
    multiplier = point / max(largest, np.abs(point).max() / weight) / mu
    point = point + multiplier
    growth = x.dtype.type(_GROWTH)
    rank = 1
    for _ in range(_MAX_ITER):
        low_rank, rank = _shrunk(point, 1 / mu, rank)
        gap = _update(x, low_rank, multiplier, point, x.dtype.type(weight / mu), growth)
        mu *= _GROWTH
        # Relative to L: one huge outlier would make up most of X.
        if np.sqrt(gap) < tol * np.linalg.norm(low_rank):
            break
    return low_rank


@compiled
def _update(x, low_rank, multiplier, point, bound, growth):  # type: ignore[no-untyped-def]
    """Fill `point`, whose singular values are shrunk next, and the multiplier over μ.

    S is what the bound cuts off, so X − L − S is the change of the multiplier; return its ‖·‖².
    A gap costs nothing.
    """
    gap = 0.0
    one = x.dtype.type(1)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            old = multiplier[i, j]
            pulled = x[i, j] - low_rank[i, j] + old
            new = min(max(pulled, -bound), bound) if pulled == pulled else x.dtype.type(0)
            old = old if pulled == pulled else x.dtype.type(0)
            gap += (new - old) ** 2
            multiplier[i, j] = new / growth
            point[i, j] = low_rank[i, j] - old + new * (one + one / growth)
    return gap


def small_gram(x: Floats) -> Floats:
    """Return the smaller one of the two Gram matrices."""
    return x @ x.T if len(x) < x.shape[1] else x.T @ x


def leading_eigh(gram: Floats, n: int) -> tuple[Floats, Floats]:
    """Return the `n` largest eigenvalues and their eigenvectors, by increasing eigenvalue."""
    d = len(gram)
    if n > _FEW * d:
        values, vectors = np.linalg.eigh(gram)
        return values[d - n :], vectors[:, d - n :]
    values, vectors = scipy.linalg.eigh(gram, subset_by_index=[d - n, d - 1], check_finite=False)
    return values, vectors


def _shrunk(x: Floats, tau: float, last_rank: int) -> tuple[Floats, int]:
    """Return the matrix with its singular values smaller by τ, and its rank."""
    if len(x) < x.shape[1]:
        turned, rank = _shrunk(x.T, tau, last_rank)
        return turned.T, rank
    gram = x.T @ x
    # Most often the rank is about the last one. If it is not, all eigenvalues are needed.
    squares, basis = leading_eigh(gram, min(2 * last_rank + 1, len(gram)))
    if squares[0] > tau**2 and len(squares) < len(gram):
        squares, basis = leading_eigh(gram, len(gram))
    kept = squares > tau**2
    basis = basis[:, kept]
    factors = (1 - tau / np.sqrt(squares[kept])).astype(x.dtype)
    if 2 * len(factors) < len(gram):
        shrunk: Floats = (x @ basis) * factors @ basis.T
    else:
        shrunk = x @ ((basis * factors) @ basis.T)
    return shrunk, max(len(factors), 1)

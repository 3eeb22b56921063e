"""L and S of any rows under a fitted model.

With the shrinkage of singular values held fixed, the problem of a row is convex and does not depend
on other rows. The rows that were fitted have their L and S as its solution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse

from exrpca.decomposition._convex.parts import outside
from exrpca.decomposition._convex.shrinkage import Shrinkage
from exrpca.decomposition._matrix.sparse_rows import SparseRows, stacked
from exrpca.decomposition._matrix.types import Floats

# The iterations converge geometrically. This is far more than they need to come this much closer
# than the fit did.
_ITERATIONS = 2000
_TOL = 1e-2


@dataclass(frozen=True)
class HuberRows:
    """Rows of ‖L‖_* + λ₁‖E‖² + λ₂‖S‖₁."""

    shift: Floats
    shrinkage: Shrinkage  # from X − S to L
    cut: float  # the largest noise

    def split(self, X: Floats, tol: float) -> tuple[Floats, scipy.sparse.csr_array]:
        """Return L and S: alternate between the two until they settle."""
        cut = X.dtype.type(self.cut)
        shift = self.shift.astype(X.dtype)
        x = np.asarray(X - shift)
        low_rank: Floats = x
        for _ in range(_ITERATIONS):
            inside = low_rank + np.clip(x - low_rank, -cut, cut)
            last, low_rank = low_rank, self.shrinkage.applied_to(inside)
            if _settled(last, low_rank, tol):
                break
        sparse = SparseRows.of(outside(x - low_rank, self.cut, soft=True))
        return low_rank + shift, stacked([sparse], X.shape[1])


@dataclass(frozen=True)
class PursuitRows:
    """Rows of ‖L‖_* + λ‖S‖₁."""

    shift: Floats
    shrinkage: Shrinkage  # the last one of the fit
    weight: float  # λ
    cut: float  # smaller elements of X − L are rounding

    def split(self, X: Floats, tol: float) -> tuple[Floats, scipy.sparse.csr_array]:
        """Return L and S: the iteration of the fit, with its last shrinkage and μ held fixed."""
        bound = X.dtype.type(self.weight * self.shrinkage.tau)
        shift = self.shift.astype(X.dtype)
        x = X - shift
        low_rank, multiplier = self.shrinkage.applied_to(x), np.zeros_like(x)
        for _ in range(_ITERATIONS):
            before, multiplier = multiplier, np.clip(x - low_rank + multiplier, -bound, bound)
            point = low_rank - before + 2 * multiplier  # X − S + D
            last, low_rank = low_rank, self.shrinkage.applied_to(point)
            if _settled(last, low_rank, tol):
                break
        sparse = SparseRows.of(outside(x - low_rank, self.cut, soft=False))
        return low_rank + shift, stacked([sparse], X.shape[1])


def _settled(last: Floats, now: Floats, tol: float) -> bool:
    return bool(np.linalg.norm(now - last) <= _TOL * tol * np.linalg.norm(now))

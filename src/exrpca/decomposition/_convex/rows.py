"""L and S of any rows under a fitted model.

With the shrinkage of singular values held fixed, the problem of a row is convex and does not depend
on other rows. The rows that were fitted have their L and S as its solution. A gap is filled by L.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse

from exrpca.decomposition._convex.parts import outside
from exrpca.decomposition._convex.shrinkage import Shrinkage
from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.sparse_rows import SparseRows, stacked

# The iterations converge geometrically. This is far more than they need to come this much closer
# than the fit did.
_ITERATIONS = 2000
_TOL = 1e-2

# Takes rows, their L, and what else the iteration keeps of them; returns the next two.
_Step = Callable[[Floats, Floats, Floats], tuple[Floats, Floats]]


@dataclass(frozen=True)
class HuberRows:
    """Rows of ‖L‖_* + λ₁‖E‖² + λ₂‖S‖₁."""

    shift: Floats
    shrinkage: Shrinkage  # from X − S to L
    cut: float  # the largest noise

    def split(self, X: Floats, tol: float) -> tuple[Floats, scipy.sparse.csr_array]:
        """Return L and S: alternate between the two until they settle."""
        cut = X.dtype.type(self.cut)

        def step(x: Floats, low_rank: Floats, _: Floats) -> tuple[Floats, Floats]:
            inside = low_rank + np.clip(_difference(x, low_rank), -cut, cut)
            return self.shrinkage.applied_to(inside), _

        x = np.asarray(X - self.shift.astype(X.dtype))
        low_rank = _settled(step, x, np.where(np.isnan(x), X.dtype.type(0), x), tol)
        sparse = outside(_difference(x, low_rank), self.cut, soft=True)
        return _parts(low_rank, self.shift, sparse)


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

        def step(x: Floats, low_rank: Floats, before: Floats) -> tuple[Floats, Floats]:
            multiplier = np.clip(_difference(x, low_rank) + before, -bound, bound)
            point = low_rank - before + 2 * multiplier  # X − S + D
            return self.shrinkage.applied_to(point), multiplier

        x = np.asarray(X - self.shift.astype(X.dtype))
        start = self.shrinkage.applied_to(np.where(np.isnan(x), X.dtype.type(0), x))
        low_rank = _settled(step, x, start, tol)
        sparse = outside(_difference(x, low_rank), self.cut, soft=False)
        return _parts(low_rank, self.shift, sparse)


def _difference(x: Floats, low_rank: Floats) -> Floats:
    """Return X − L, which is 0 in gaps."""
    difference = x - low_rank
    return np.where(np.isnan(difference), x.dtype.type(0), difference)


def _settled(step: _Step, x: Floats, low_rank: Floats, tol: float) -> Floats:
    """Return L once it no longer moves, row by row.

    A row that has settled takes no further step, so its L does not depend on the other rows.
    """
    low_rank, kept = low_rank.copy(), np.zeros_like(x)
    moving = np.arange(len(x))
    for _ in range(_ITERATIONS):
        last = low_rank[moving]
        new, kept[moving] = step(x[moving], last, kept[moving])
        low_rank[moving] = new
        change = np.linalg.norm(new - last, axis=1)
        moving = moving[change > _TOL * tol * np.linalg.norm(new, axis=1)]
        if len(moving) == 0:
            break
    return low_rank


def _parts(
    low_rank: Floats, shift: Floats, sparse: Floats
) -> tuple[Floats, scipy.sparse.csr_array]:
    rows = low_rank + shift.astype(low_rank.dtype)
    return rows, stacked([SparseRows.of(sparse)], sparse.shape[1])

from __future__ import annotations

from collections.abc import Callable

import cvxpy
import numpy as np
import pytest
import scipy.linalg
from numpy.typing import NDArray

from exrpca.decomposition import make_low_rank


@pytest.fixture(scope="session")
def angle() -> Callable[..., float]:
    """The largest principal angle between two sets of components."""

    def largest(a: NDArray[np.floating], b: NDArray[np.floating]) -> float:
        return float(scipy.linalg.subspace_angles(a.T.astype(float), b.T.astype(float)).max())

    return largest


@pytest.fixture(scope="session")
def small() -> NDArray[np.floating]:
    """A matrix that a general solver can handle."""
    return make_low_rank(20, 60, n_components=3).matrix


@pytest.fixture(scope="session")
def optimum() -> Callable[..., float]:
    """The optimum of the convex problem, by a general solver."""

    def solved(X: NDArray[np.floating], lambda1: float, lambda2: float) -> float:
        L, S = cvxpy.Variable(X.shape), cvxpy.Variable(X.shape)
        if np.isinf(lambda1):
            cost = cvxpy.normNuc(L) + lambda2 * cvxpy.sum(cvxpy.abs(X - L))
        else:
            noise = lambda1 * cvxpy.sum_squares(X - L - S)
            cost = cvxpy.normNuc(L) + noise + lambda2 * cvxpy.sum(cvxpy.abs(S))
        problem = cvxpy.Problem(cvxpy.Minimize(cost))
        problem.solve(solver="SCS", eps=1e-8, max_iters=100_000)
        return float(problem.value)

    return solved

"""The inexact augmented Lagrangian method for the convex problem, with and without dense noise.

The updates printed in the paper's appendix diverge. These follow from its Lagrangian, in
the order L, S, E, Y, with Y the multiplier of X = L + E + S:

    L = D(X − E − S + Y/μ)           singular values shrunk by 1/μ
    S = R(X − L − E + Y/μ)           elements shrunk by λ₂/μ
    E = μ/(μ + 2λ₁) (X − L − S + Y/μ)
    Y = Y + μ (X − L − E − S)

E is an exact minimizer, so Y = 2λ₁E: with D = Y/μ and κ = μ/(2λ₁), E is κD, and one matrix is kept
instead of two. κ = 0 is principal component pursuit. A block keeps L, D, and the matrix
B = X − S − E + D whose singular values are shrunk next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from exrpca.compiling import cached_njit
from exrpca.decomposition._convex.problem import Problem, Solution, Stopping, relative
from exrpca.decomposition._convex.shrinkage import (
    Shrinkage,
    energy,
    first_moments,
    largest_square,
    moments_of,
)
from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.first_look import refuse_non_finite, shifted

# In the first iterations μ balances two residuals: it grows by this factor while X − L − E − S is
# the larger one, and shrinks while the change of S is. A large μ comes near the optimum early but
# is slow to reach it: hence a weight that decreases with the iterations. Then μ stays constant,
# and the method is known to converge. If μ only grows (the paper's factor is 6), L and S freeze
# short of the optimum.
_FACTOR = 1.6
_IMBALANCE = 2.0
_FIRST_WEIGHT, _WEIGHT_FALL = 200.0, 0.96
_BALANCED_FOR = 100


@dataclass(frozen=True)
class _Move:
    """What a block needs for one iteration."""

    step: Shrinkage  # for the B of the iteration before
    kappa: float
    bound: float  # λ₂/μ
    next_kappa: float
    slack: float  # μ over the next μ: D is Y/μ


def solve_alm(blocks: Blocks, shift: Floats, problem: Problem, stopping: Stopping) -> Solution:
    """Minimize over L, E and S, starting from L = X."""
    n_rows, n_features = blocks.shape
    totals, states = blocks.run(first_moments, None, shift, problem.wide, problem.impute)
    if not np.isfinite(totals[0]).all():
        refuse_non_finite(blocks, allow_nan=problem.impute)
    tiny = np.finfo(float).tiny
    size = np.sqrt(max(energy(totals[0]), tiny))
    mu = 1.25 / np.sqrt(max(largest_square(totals[0]), tiny))
    next_mu = _FACTOR * mu
    solution = Solution(_low_rank_rows, typical_element=float(size / np.sqrt(n_rows * n_features)))
    while solution.n_iter < stopping.max_iter and not solution.converged:
        solution.n_iter += 1
        step = problem.shrinkage(totals, n_rows, 1 / mu)
        move = _Move(
            step, mu / (2 * problem.lambda1), problem.lambda2 / mu,
            next_mu / (2 * problem.lambda1), mu / next_mu,
        )  # fmt: skip
        totals, states = blocks.run(_iterate, states, shift, problem, move)
        _, _, squares, excess, count, gap, moved, multiplier = totals
        objective = step.nuclear_norm + problem.loss(squares, excess)
        solution.offer(objective, step, states)
        # Feasibility alone does not mean optimality: S must have stopped changing as well.
        infeasible = relative(gap, size**2)
        change = relative(moved, float(multiplier))
        solution.converged = max(infeasible, change) <= stopping.tol
        share = float(count) / (n_rows * n_features)
        stopping.tell(solution.n_iter, objective, step.rank, share, max(infeasible, change))
        mu = next_mu
        if solution.n_iter < _BALANCED_FOR:
            weight = _FIRST_WEIGHT * _WEIGHT_FALL**solution.n_iter
            next_mu = mu * _balancing_factor(weight * infeasible, change)
    return solution


def _low_rank_rows(state: tuple[Floats, Floats, Floats], _: Shrinkage) -> Floats:
    return state[0]


def _balancing_factor(infeasible: float, change: float) -> float:
    if infeasible > _IMBALANCE * change:
        return _FACTOR
    return 1 / _FACTOR if change > _IMBALANCE * infeasible else 1.0


def _iterate(
    x: Floats, state: Any, shift: Floats, problem: Problem, move: _Move
) -> tuple[tuple[Any, ...], tuple[Floats, Floats, Floats]]:
    """Update L, S, E and the multiplier D, and form the next B = X − S − E + D."""
    x = shifted(x, shift)
    number = x.dtype.type
    if state is None:
        multiplier, point = np.zeros_like(x), np.where(np.isnan(x), number(0), x)
    else:
        _, multiplier, point = state
    low_rank = move.step.applied_to(point)
    multiplier, point, *totals = _update(
        x, low_rank, multiplier, point, number(move.kappa), number(move.bound),
        number(move.next_kappa), number(move.slack), number(problem.delta),
    )  # fmt: skip
    return (*moments_of(point, wide=problem.wide), *totals), (low_rank, multiplier, point)


@cached_njit(nogil=True, fastmath={"reassoc", "contract"})
def _update(x, low_rank, multiplier, point, kappa, bound, next_kappa, slack, delta):  # type: ignore[no-untyped-def]
    """Update S, E and the multiplier in one pass; `point` is B, from which the old S follows.

    A gap is filled by L, so that nothing there is left to explain.
    """
    new_multiplier = np.empty_like(x)
    new_point = np.empty_like(x)
    squares = excess = gap = moved = size = 0.0
    count = 0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            known = x[i, j] if x[i, j] == x[i, j] else low_rank[i, j]
            residual = known - low_rank[i, j]
            noise = min(abs(residual), delta)
            squares += noise * noise
            excess += abs(residual) - noise
            count += abs(residual) > delta

            pull = (1 - kappa) * multiplier[i, j]
            clipped = min(max(residual + pull, -bound), bound)
            sparse = residual + pull - clipped
            new = (clipped + kappa * multiplier[i, j]) / (1 + kappa)
            gap += (residual - sparse - kappa * new) ** 2
            moved += (sparse - (known + pull - point[i, j])) ** 2
            size += new * new
            new_multiplier[i, j] = new * slack
            new_point[i, j] = known - sparse + (1 - next_kappa) * new_multiplier[i, j]
    return new_multiplier, new_point, squares, excess, count, gap, moved, size

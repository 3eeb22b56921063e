"""FISTA with restarts for the convex problem: no dual variable, no penalty to tune.

The gradient of the loss has the Lipschitz constant 2λ₁, so a step from Z is: shrink the singular
values of Z + clip(X − Z, ±δ) by τ = 1/(2λ₁). A block keeps the scores of its last two low-rank
parts; nothing as large as X is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from exrpca.compiling import cached_njit
from exrpca.decomposition._convex.problem import (
    Problem,
    Solution,
    Stopping,
    parts_of,
    relative,
)
from exrpca.decomposition._convex.shrinkage import Shrinkage, first_moments, moments_of
from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.first_look import refuse_non_finite, shifted


@dataclass(frozen=True)
class _Move:
    """What a block needs for one iteration."""

    step: Shrinkage  # from the point reached before
    now: Shrinkage | None  # the last two low-rank parts
    before: Shrinkage | None
    momentum: float  # how far beyond `now` that point was
    next_momentum: float


def solve_fista(blocks: Blocks, shift: Floats, problem: Problem, stopping: Stopping) -> Solution:
    """Minimize over L, starting from L = X."""
    n_rows, tau = blocks.shape[0], 1 / (2 * problem.lambda1)
    totals, states = blocks.run(first_moments, None, shift, problem.wide, problem.impute)
    if not np.isfinite(totals[0]).all():
        refuse_non_finite(blocks, allow_nan=problem.impute)
    solution = Solution(_low_rank_rows)
    now = before = None
    momentum, weight, objective, restart = 0.0, 1.0, np.inf, False
    while solution.n_iter < stopping.max_iter and not solution.converged:
        solution.n_iter += 1
        next_weight = (1 + np.sqrt(1 + 4 * weight**2)) / 2
        next_momentum = 0.0 if restart else (weight - 1) / next_weight
        weight = 1.0 if restart else next_weight
        step = problem.shrinkage(totals, n_rows, tau)
        move = _Move(step, now, before, momentum, next_momentum)
        totals, states = blocks.run(_iterate, states, shift, problem, move)
        _, _, squares, excess, count, uphill, moved = totals
        last, objective = objective, step.nuclear_norm + problem.loss(squares, excess)
        solution.offer(objective, step, states)
        # Momentum that points uphill, or led uphill, is dropped (O'Donoghue and Candès 2015).
        restart = bool(uphill > 0) or objective > last
        # Without any component, the mean alone moves: compare it with the noise.
        change = relative(moved, float(step.values @ step.values) or float(squares))
        solution.converged = change <= stopping.tol
        share = float(count) / (n_rows * blocks.shape[1])
        stopping.tell(solution.n_iter, objective, step.rank, share, change)
        now, before, momentum = step, now, next_momentum
    return solution


def _low_rank_rows(state: tuple[Floats, Any], low_rank: Shrinkage) -> Floats:
    return low_rank.rows(state[0])


def _iterate(
    x: Floats,
    state: Any,
    shift: Floats,
    problem: Problem,
    move: _Move,
) -> tuple[tuple[Any, ...], tuple[Floats, Floats | None]]:
    """Take the step from the point reached before, and find the next point."""
    x = shifted(x, shift)
    number = x.dtype.type
    delta = number(problem.delta)
    if state is None or move.now is None:
        now = before = point = np.where(np.isnan(x), number(0), x)
        scores_now = None
    else:
        scores_now, scores_before = state
        now = move.now.rows(scores_now)
        before = now if move.before is None else move.before.rows(scores_before)
        point = _clipped_point(x, now, before, number(move.momentum), delta)
    scores = move.step.scores(point)
    new = move.step.rows(scores)
    ahead = _clipped_point(x, new, now, number(move.next_momentum), delta)
    totals = (
        *moments_of(ahead, wide=problem.wide),
        *parts_of(x, new, delta),
        *_direction(new, now, before, number(move.momentum)),
    )
    return totals, (scores, scores_now)


@cached_njit(nogil=True, fastmath={"reassoc", "contract"})
def _clipped_point(x, now, before, momentum, delta):  # type: ignore[no-untyped-def]
    """Return Z + clip(x − Z, ±δ) for the point Z beyond `now` by the momentum; Z in a gap."""
    point = np.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            z = now[i, j] + momentum * (now[i, j] - before[i, j])
            point[i, j] = z
            if x[i, j] == x[i, j]:
                point[i, j] += min(max(x[i, j] - z, -delta), delta)
    return point


@cached_njit(nogil=True, fastmath={"reassoc", "contract"})
def _direction(new, now, before, momentum):  # type: ignore[no-untyped-def]
    """Return ⟨Z − new, new − now⟩, positive where the momentum points uphill, and ‖new − now‖²."""
    uphill = 0.0
    moved = 0.0
    for i in range(new.shape[0]):
        for j in range(new.shape[1]):
            z = now[i, j] + momentum * (now[i, j] - before[i, j])
            step = new[i, j] - now[i, j]
            uphill += (z - new[i, j]) * step
            moved += step * step
    return uphill, moved

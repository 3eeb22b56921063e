"""The scores of rows under a known model, without their outlying cells.

Each row is fitted on its own, in units of each feature's noise: a few Huber steps, close to least
absolute deviations, so that no cell pulls far. What is then beyond the threshold is set aside and
filled with its conditional mean given the other cells of the row, for normal scores and normal
noise, until the same cells stay aside. The filled row is projected. So a row without outliers has
the scores that PCA gives it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from exrpca.decomposition._matrix.quantiles import NORMAL_OVER_MAD
from exrpca.decomposition._matrix.sparse_rows import SparseRows
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.compiled import compiled
from exrpca.decomposition._rounds.flags import collect, flag
from exrpca.decomposition._rounds.outliers import Model, grown
from exrpca.decomposition._rounds.projection import project, residual
from exrpca.decomposition._rounds.small_systems import solve

# In noise standard deviations: a small one is near least absolute deviations.
_HUBER = 0.5
# A row is done with Huber steps when one moves its cells by less than the noise.
_MOST_HUBER_STEPS = 10
_MOST_STEPS = 10
# Cells whose Huber weights are computed at a time. Few stay in the cache; many are worth a product.
_CELLS_AT_ONCE = 2**17


def robust_scores(x: Floats, shift: Floats, model: Model) -> tuple[Floats, SparseRows]:
    """Return the scores of rows, and their cells that stand out from the model.

    `model` is relative to `shift`. Missing values are among the cells set aside; their value in
    the sparse part is relative to `shift`, as `set_aside` has it.
    """
    subspace = _Subspace.of(model, x.dtype)
    origin = (shift + model.mean).astype(x.dtype)
    scores = _huber_scores(x, origin, subspace)
    arrays = _settle(
        x, origin, model.mean.astype(x.dtype), subspace.u, subspace.v, subspace.pairs,
        subspace.unit, subspace.per_unit, subspace.precision, x.dtype.type(model.threshold), scores,
    )  # fmt: skip
    return scores, SparseRows(*arrays)


@dataclass(frozen=True)
class _Subspace:
    """The components in units of each feature's noise."""

    unit: Floats
    per_unit: Floats
    u: Floats  # u · row in units = the scores of PCA
    v: Floats  # scores · v = the row of the subspace, in units
    pairs: Floats  # for each feature the lower triangle of the products of two elements of v
    gram: Floats  # v vᵀ
    precision: Floats  # 1/variance of the scores

    @classmethod
    def of(cls, model: Model, dtype: np.dtype[Any]) -> _Subspace:
        unit = np.maximum(model.unit.astype(np.float64), 1e3 * float(np.finfo(dtype).tiny))
        v = model.components / unit
        first, second = np.tril_indices(len(v))
        precision = 1 / np.maximum(model.variances.astype(np.float64), np.finfo(np.float64).tiny)
        return cls(
            unit.astype(dtype),
            (1 / unit).astype(dtype),
            np.ascontiguousarray(model.components * unit, dtype=dtype),
            np.ascontiguousarray(v, dtype=dtype),
            np.ascontiguousarray((v[first] * v[second]).T, dtype=dtype),
            v @ v.T,
            precision,
        )


def _huber_scores(x: Floats, origin: Floats, subspace: _Subspace) -> Floats:
    n, d = x.shape
    scores = np.zeros((n, len(subspace.precision)), x.dtype)
    at_once = min(max(_CELLS_AT_ONCE // (d + subspace.pairs.shape[1]), 1), n)
    # Fresh arrays of this size would cost more than what is computed in them.
    room = np.empty((2, at_once, d), x.dtype)
    for begin in range(0, n, at_once):
        rows = x[begin : begin + at_once]
        moving = np.arange(begin, begin + len(rows))
        for _ in range(_MOST_HUBER_STEPS):
            step = _newton_step(rows, origin, scores[moving], subspace, *room[:, : len(rows)])
            scores[moving] += step
            far = np.einsum("ia,ia->i", step @ subspace.gram, step) > d
            if not far.any():
                break
            moving, rows = moving[far], rows[far]
    return scores


def _newton_step(
    x: Floats, origin: Floats, scores: Floats, subspace: _Subspace, pulls: Floats, weights: Floats
) -> Floats:
    """Return what one Huber step adds to the scores; `pulls` and `weights` are room for it."""
    np.matmul(scores, subspace.v, out=pulls)
    _huber(x, origin, subspace.per_unit, pulls, weights)
    systems = (subspace.pairs.T @ weights.T).astype(np.float64)
    right = subspace.v @ pulls.T - subspace.precision[:, None] * scores.T
    solve(systems, subspace.precision, right)
    return right.T


@compiled
def _huber(x, origin, per_unit, low_rank, weights):  # type: ignore[no-untyped-def]
    """Fill `weights`, and turn `low_rank` into the weighted residuals; a gap weighs nothing."""
    limit = x.dtype.type(_HUBER)
    zero = x.dtype.type(0)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            e = (x[i, j] - origin[j]) * per_unit[j] - low_rank[i, j]
            observed = e == e
            weights[i, j] = limit / max(abs(e), limit) if observed else zero
            low_rank[i, j] = min(max(e, -limit), limit) if observed else zero


@compiled
def _settle(x, origin, mean, u, v, pairs, unit, per_unit, precision, threshold, scores):  # type: ignore[no-untyped-def]
    """Find the cells of each row that stay aside, and its scores; return the sparse part."""
    n, d = x.shape
    padded = (d + 7) // 8 * 8  # whole groups of eight, see `collect`
    indptr = np.zeros(n + 1, np.int64)
    indices = np.empty(n * d // 16 + padded, np.int32)
    values = np.empty(indices.size, x.dtype)
    whole = np.zeros(pairs.shape[1])  # the system of a row without outliers
    for j in range(d):
        whole += pairs[j]
    ones = np.ones(d, x.dtype)  # the unit of z and e
    z = np.empty(d, x.dtype)
    filled = np.empty(d, x.dtype)
    e = np.zeros(padded, x.dtype)
    flags = np.zeros(padded, np.uint8)
    system = np.empty((whole.size, 1))
    right = np.empty((precision.size, 1))
    pulls = np.empty(precision.size, x.dtype)
    begin = 0
    for i in range(n):
        if begin + padded > indices.size:
            indices = grown(indices, padded)
            values = grown(values, padded)
        aside = indices[begin : begin + padded]
        value = values[begin : begin + padded]
        missing = _in_units(x[i], origin, per_unit, z)
        residual(z, v, scores[i], e)
        count = _judge(x[i], missing, e, threshold, ones, precision.size, flags)
        for _ in range(_MOST_STEPS):
            collect(e, flags, aside, value)
            for j in range(d):
                filled[j] = x.dtype.type(0) if flags[j] else z[j]
            if count > 0:
                project(filled, v, pulls)
                right[:, 0] = pulls
                _fill_system(pairs, whole, flags, aside[:count], system[:, 0])
                solve(system, precision, right)
                _fill(v, right[:, 0], aside[:count], filled)
            project(filled, u, scores[i])
            residual(z, v, scores[i], e)
            for p in range(count):
                e[aside[p]] = z[aside[p]] - filled[aside[p]]
            last = count
            count = _judge(x[i], missing, e, threshold, ones, precision.size, flags)
            if count == last and _all_marked(flags, aside[:count]):
                break
        collect(e, flags, aside, value)
        _fill(v, scores[i], aside[:count], filled)
        for p in range(count):
            j = aside[p]
            value[p] = (z[j] - filled[j]) * unit[j] - (mean[j] if x[i, j] != x[i, j] else 0)
        begin += count
        indptr[i + 1] = begin
    return indptr, indices[:begin].copy(), values[:begin].copy()


@compiled
def _in_units(x, origin, per_unit, z):  # type: ignore[no-untyped-def]
    """Fill `z` with a row in units of noise, 0 where it has gaps; return how many."""
    missing = 0
    for j in range(x.size):
        observed = x[j] == x[j]
        z[j] = (x[j] - origin[j]) * per_unit[j] if observed else x.dtype.type(0)
        missing += not observed
    return missing


@compiled
def _all_marked(flags, cells):  # type: ignore[no-untyped-def]
    marked = 0
    for j in cells:
        marked += flags[j]
    return marked == cells.size


@compiled
def _judge(x, missing, e, threshold, ones, rank, flags):  # type: ignore[no-untyped-def]
    """Mark the cells far from what is expected, and the missing ones; return how many.

    Too few near ones say nothing about `rank` scores. Such a row, as there may be many where there
    is next to no noise, has a larger unit of its own.
    """
    count = flag(x, missing, e, threshold, ones, flags)
    if x.size - count <= rank and missing < x.size:
        sizes = np.abs(e[: x.size])[x == x]
        wider = x.dtype.type(max(NORMAL_OVER_MAD * np.median(sizes), 1.0))
        count = flag(x, missing, e, threshold * wider, ones, flags)
    return count


@compiled
def _fill_system(pairs, whole, flags, aside, system):  # type: ignore[no-untyped-def]
    """Fill `system` with that of the cells not aside, from the fewer cells."""
    if 2 * aside.size <= pairs.shape[0]:
        for p in range(system.size):
            system[p] = whole[p]
        for j in aside:
            for p in range(system.size):
                system[p] -= pairs[j, p]
    else:
        for p in range(system.size):
            system[p] = 0.0
        for j in range(pairs.shape[0]):
            if flags[j] == 0:
                for p in range(system.size):
                    system[p] += pairs[j, p]


@compiled
def _fill(v, scores, cells, row):  # type: ignore[no-untyped-def]
    """Fill some cells of a row by its scores."""
    for j in cells:
        total = 0.0
        for c in range(v.shape[0]):
            total += scores[c] * v[c, j]
        row[j] = total

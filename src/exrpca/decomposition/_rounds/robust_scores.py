"""The scores of rows under a known model, without their outlying cells.

Each row is fitted on its own, in units of each feature's noise. The projection of the row with its
largest cells clipped is a first guess; rows that it does not fit get Huber steps, close to least
absolute deviations, so that no cell pulls far. What is then beyond the threshold is set aside and
filled with its conditional mean given the other cells of the row, for normal scores and normal
noise, until the same cells stay aside. The filled row is projected. So a row without outliers has
the scores that PCA gives it.

Many rows take each step together, one row in each column: most of the work is products of matrices,
and the innermost loops run over rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix.quantiles import NORMAL_OVER_MAD
from exrpca.decomposition._matrix.sparse_rows import SparseRows
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.compiled import compiled
from exrpca.decomposition._rounds.flags import collect
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.small_systems import solve

# For the first guess: in standard deviations of the feature, then of its noise.
_CLIP = 3.0
_CLIP_STEPS = 2
# Squared residuals are counted up to the square of this many noise standard deviations. The first
# guess is near enough if their mean is at most so large: it is 0.8 for normal noise alone, 1.1 with
# a fifth of the cells outlying, and 1.5 if the guess is off by two noise standard deviations.
_COUNTED = 1.5
_NEAR = 1.5
# In noise standard deviations: a small one is near least absolute deviations.
_HUBER = 0.5
# A row is done with Huber steps when one moves its cells by less than the noise.
_MOST_HUBER_STEPS = 10
_MOST_STEPS = 10
# Cells that are worked on at a time, and the least number of rows. Few stay in the cache; many are
# worth a product.
_CELLS_AT_ONCE = 2**17
_LEAST_ROWS = 32
# Rows that are turned into columns at a time.
_TURNED = 16


def robust_scores(x: Floats, shift: Floats, model: Model) -> tuple[Floats, SparseRows]:
    """Return the scores of rows, and their cells that stand out from the model.

    `model` is relative to `shift`. Missing values are among the cells set aside; their value in
    the sparse part is relative to `shift`, as `set_aside` has it.
    """
    dtype = x.dtype
    subspace = _Subspace.of(model, dtype)
    origin, mean = (shift + model.mean).astype(dtype), model.mean.astype(dtype)
    n, d = x.shape
    at_once = min(max(_CELLS_AT_ONCE // d, _LEAST_ROWS), n)
    room = np.empty((6, at_once * d), dtype)
    scores = np.empty((n, len(subspace.v)), dtype)
    parts = []
    for begin in range(0, n, at_once):
        rows = x[begin : begin + at_once]
        work = _Columns.within(room, d, len(rows))
        _turn(rows, origin, subspace.per_unit, work.z)
        found = _settle(subspace, work, dtype.type(model.threshold), _guess(subspace, work))
        scores[begin : begin + at_once] = found.T
        parts.append(_outliers(mean, subspace.unit, subspace.v, found, work.z, work.weights))
    counts, indices, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return scores, SparseRows(np.concatenate([[0], counts.cumsum()]), indices, values)


@dataclass(frozen=True)
class _Subspace:
    """The components in units of each feature's noise."""

    unit: Floats
    per_unit: Floats
    clip: Floats  # how large the cells of a first guess may be
    clip_residual: Floats
    v: Floats  # vᵀ · scores = the column of the subspace
    u: Floats  # u · column = the scores of PCA
    pairs: Floats  # the lower triangle of the products of two elements of v, for each feature
    precision: Floats  # 1/variance of the scores

    @classmethod
    def of(cls, model: Model, dtype: np.dtype[Any]) -> _Subspace:
        unit = np.maximum(model.unit.astype(np.float64), 1e3 * float(np.finfo(dtype).tiny))
        v, u = model.components / unit, model.components * unit
        first, second = np.tril_indices(len(v))
        variances = np.maximum(model.variances.astype(np.float64), np.finfo(np.float64).tiny)
        rounded = partial(np.ascontiguousarray, dtype=dtype)
        return cls(
            unit=rounded(unit),
            per_unit=rounded(1 / unit),
            clip=rounded(_CLIP * np.sqrt(1 + variances @ v**2)),
            clip_residual=np.full(len(unit), _CLIP, dtype),
            v=rounded(v),
            u=rounded(u),
            pairs=rounded(v[first] * v[second]),
            precision=1 / variances,
        )


@dataclass(frozen=True)
class _Columns:
    """Rows of the matrix as columns, and arrays to work in.

    Fresh arrays of this size would cost more than what is computed in them.
    """

    z: Floats  # in units of each feature's noise, NaN where there are gaps
    weights: Floats  # 0 for what is aside, 1 for the rest
    new_weights: Floats
    kept: Floats  # z without what is aside
    low_rank: Floats
    filling: Floats  # what to expect of a cell from those not aside

    @classmethod
    def within(cls, room: Floats, d: int, n: int) -> _Columns:
        """Return `n` columns of `d` cells."""
        return cls(*(array[: d * n].reshape(d, n) for array in room))

    def next(self, changed: NDArray[np.intp]) -> _Columns:
        """Return the columns whose weights changed, with their new weights."""
        z, weights = self.z[:, changed], self.new_weights[:, changed]
        return _Columns(z, weights, *(np.empty_like(z) for _ in range(4)))


def _guess(subspace: _Subspace, work: _Columns) -> Floats:
    """Return scores that no cell pulls far, and fill `low_rank` with what they give."""
    work.low_rank[:] = 0
    _clip_residuals(work.z, work.low_rank, subspace.clip, work.kept)
    scores = subspace.u @ work.kept
    for _ in range(_CLIP_STEPS):
        np.matmul(subspace.v.T, scores, out=work.low_rank)
        _clip_residuals(work.z, work.low_rank, subspace.clip_residual, work.kept)
        scores += subspace.u @ work.kept
    np.matmul(subspace.v.T, scores, out=work.low_rank)
    far = np.flatnonzero(_misfits(work.z, work.low_rank) > _NEAR)
    if len(far) > 0:
        scores[:, far] = _huber_scores(work.z[:, far], scores[:, far], subspace)
        work.low_rank[:, far] = subspace.v.T @ scores[:, far]
    return scores


@compiled
def _turn(x, origin, per_unit, z):  # type: ignore[no-untyped-def]
    """Fill the columns of `z` with rows in units of noise, a few rows at a time."""
    n, d = x.shape
    whole = n - n % _TURNED
    for first in range(0, whole, _TURNED):
        for j in range(d):
            for i in range(_TURNED):
                z[j, first + i] = (x[first + i, j] - origin[j]) * per_unit[j]
    for i in range(whole, n):
        for j in range(d):
            z[j, i] = (x[i, j] - origin[j]) * per_unit[j]


@compiled
def _clip_residuals(z, low_rank, limits, clipped):  # type: ignore[no-untyped-def]
    """Fill `clipped` with the residuals, 0 where there are gaps."""
    for j in range(z.shape[0]):
        limit = limits[j]
        for i in range(z.shape[1]):
            e = z[j, i] - low_rank[j, i]
            clipped[j, i] = min(max(e, -limit), limit) if e == e else z.dtype.type(0)


@compiled
def _misfits(z, low_rank):  # type: ignore[no-untyped-def]
    """Return the mean squared residual of each column, with large residuals cut down."""
    total = np.zeros(z.shape[1], z.dtype)
    observed = np.zeros(z.shape[1], z.dtype)
    most = z.dtype.type(_COUNTED)
    zero, one = z.dtype.type(0), z.dtype.type(1)
    for j in range(z.shape[0]):
        for i in range(z.shape[1]):
            e = z[j, i] - low_rank[j, i]
            cut = min(abs(e), most)
            total[i] += cut * cut if e == e else zero
            observed[i] += one if e == e else zero
    return total / np.maximum(observed, one)


def _huber_scores(z: Floats, scores: Floats, subspace: _Subspace) -> Floats:
    """Return scores by Huber steps from a guess."""
    gram = subspace.v @ subspace.v.T
    moving = np.arange(z.shape[1])
    for _ in range(_MOST_HUBER_STEPS):
        columns, last = z[:, moving], scores[:, moving]
        pulls, weights = subspace.v.T @ last, np.empty_like(columns)
        _huber(columns, pulls, weights)
        step = _weighted_scores(
            subspace, weights, subspace.v @ pulls - subspace.precision[:, None] * last
        )
        scores[:, moving] += step
        far = np.einsum("ai,ai->i", gram @ step, step) > len(z)
        if not far.any():
            break
        moving = moving[far]
    return scores


@compiled
def _huber(z, low_rank, weights):  # type: ignore[no-untyped-def]
    """Fill `weights`, and turn `low_rank` into the weighted residuals; a gap weighs nothing."""
    limit = z.dtype.type(_HUBER)
    zero = z.dtype.type(0)
    for j in range(z.shape[0]):
        for i in range(z.shape[1]):
            e = z[j, i] - low_rank[j, i]
            observed = e == e
            weights[j, i] = limit / max(abs(e), limit) if observed else zero
            low_rank[j, i] = min(max(e, -limit), limit) if observed else zero


def _weighted_scores(subspace: _Subspace, weights: Floats, pulls: Floats) -> Floats:
    """Return the scores of columns whose cells have weights; `pulls` is v · weighted cells."""
    systems = (subspace.pairs @ weights).astype(np.float64)
    right = pulls.astype(np.float64)
    solve(systems, subspace.precision, right)
    return right.astype(weights.dtype)


def _settle(subspace: _Subspace, work: _Columns, threshold: Any, scores: Floats) -> Floats:
    """Return the scores once the same cells stay aside, and fill `weights`, from a first fit."""
    rank = len(scores)
    moving = np.arange(scores.shape[1])
    part = work
    _weigh(part.z, part.low_rank, threshold, rank, part.weights)
    for _ in range(_MOST_STEPS):
        _keep(part.z, part.weights, part.kept)
        expected = _weighted_scores(subspace, part.weights, subspace.v @ part.kept)
        np.matmul(subspace.v.T, expected, out=part.filling)
        _replace(part.kept, part.weights, part.filling)
        fitted = subspace.u @ part.kept
        scores[:, moving] = fitted
        np.matmul(subspace.v.T, fitted, out=part.low_rank)
        _replace(part.low_rank, part.weights, part.filling)
        _weigh(part.z, part.low_rank, threshold, rank, part.new_weights)
        changed = np.flatnonzero(_difference(part.weights, part.new_weights))
        if len(changed) == 0:
            break
        moving, part = moving[changed], part.next(changed)
        work.weights[:, moving] = part.weights
    return scores


@compiled
def _weigh(z, low_rank, threshold, rank, weights):  # type: ignore[no-untyped-def]
    """Give weight 0 to the cells beyond the threshold and to gaps, 1 to the others.

    Too few near ones say nothing about `rank` scores. Such a column, as there may be many where
    there is next to no noise, has a larger unit of its own.
    """
    zero, one = z.dtype.type(0), z.dtype.type(1)
    n_near = np.zeros(z.shape[1], z.dtype)
    for j in range(z.shape[0]):
        for i in range(z.shape[1]):
            weights[j, i] = one if abs(z[j, i] - low_rank[j, i]) <= threshold else zero
        for i in range(z.shape[1]):
            n_near[i] += weights[j, i]
    for few in np.flatnonzero(n_near <= rank):
        sizes = np.abs(z[:, few] - low_rank[:, few])
        observed = sizes[sizes == sizes]
        if observed.size > 0:
            unit = z.dtype.type(max(NORMAL_OVER_MAD * np.median(observed), 1.0))
            for j in range(z.shape[0]):
                weights[j, few] = one if sizes[j] <= threshold * unit else zero


@compiled
def _keep(z, weights, kept):  # type: ignore[no-untyped-def]
    """Fill `kept` with the cells that have weight, and 0."""
    for j in range(z.shape[0]):
        for i in range(z.shape[1]):
            cell = z[j, i]
            kept[j, i] = cell if weights[j, i] > 0 else z.dtype.type(0)


@compiled
def _replace(cells, weights, filling):  # type: ignore[no-untyped-def]
    """Replace the cells without weight."""
    for j in range(cells.shape[0]):
        for i in range(cells.shape[1]):
            old, new = cells[j, i], filling[j, i]
            cells[j, i] = old if weights[j, i] > 0 else new


@compiled
def _difference(a, b):  # type: ignore[no-untyped-def]
    """Return the sum of absolute differences for each column."""
    total = np.zeros(a.shape[1], a.dtype)
    for j in range(a.shape[0]):
        for i in range(a.shape[1]):
            total[i] += abs(a[j, i] - b[j, i])
    return total


@compiled
def _outliers(mean, unit, v, scores, z, weights):  # type: ignore[no-untyped-def]
    """Return the sparse part: how many cells each row has, which, and their values."""
    d, n = z.shape
    zero = z.dtype.type(0)
    kept = np.zeros(n, z.dtype)
    for j in range(d):
        for i in range(n):
            kept[i] += weights[j, i]
    counts = (d - kept).astype(np.int64)
    place = np.cumsum(counts) - counts
    total = counts.sum()
    indices = np.empty(total, np.int32)
    values = np.empty(total, z.dtype)
    padded = (n + 7) // 8 * 8  # whole groups of eight, see `collect`
    flags = np.zeros(padded, np.uint8)
    rows = np.empty(padded, np.int32)
    cells = np.empty(padded, z.dtype)
    for j in range(d):
        for i in range(n):
            flags[i] = weights[j, i] == zero
        for p in range(collect(z[j], flags, rows, cells)):
            i, cell = rows[p], cells[p]
            near = zero
            for c in range(scores.shape[0]):
                near += scores[c, i] * v[c, j]
            missing = cell != cell
            indices[place[i]] = j
            values[place[i]] = (-near * unit[j] - mean[j]) if missing else (cell - near) * unit[j]
            place[i] += 1
    return counts, indices, values

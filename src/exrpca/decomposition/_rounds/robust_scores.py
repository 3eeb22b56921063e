"""The scores of rows under a known model, without their outlying cells.

Each row is fitted on its own, in units of each feature's noise. The projection of the row with its
largest cells clipped is a first guess; rows that it does not fit get Huber steps, close to least
absolute deviations, so that no cell pulls far. What is then beyond the threshold is taken out and
filled with its conditional mean given the other cells of the row, for normal scores and normal
noise, until the same cells stay out. The filled row is projected. So a row without outliers has
the scores that PCA gives it.

Many rows take each step together, one row in each column: most of the work is products of matrices,
and the innermost loops run over rows. All steps of these rows are one compiled call: between two
calls, the threads that work on blocks would wait for each other.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.first_look import NORMAL_OVER_MAD
from exrpca.decomposition._matrix.sparse_rows import SparseRows
from exrpca.decomposition._rounds.columns import (
    add_cells,
    as_matrix,
    clear_cells,
    combine,
    copy_cells,
    count_up,
    move_larger_first,
    multiply,
    put_columns,
    solve,
    take_columns,
    turn_rows,
)
from exrpca.decomposition._rounds.compiled import called, compiled
from exrpca.decomposition._rounds.outliers import Model

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
_CELLS_AT_ONCE = 2**16
_LEAST_ROWS = 32
# For a median: the first limit is the largest size.
_HALVINGS = 60


def robust_scores(x: Floats, shift: Floats, model: Model) -> tuple[Floats, SparseRows]:
    """Return the scores of rows, and their cells that stand out from the model.

    `model` is relative to `shift`. Missing values are among the cells taken out; their value in
    the sparse part is relative to `shift`, as `find_outliers` has it.
    """
    dtype, (n, d) = x.dtype, x.shape
    subspace = _Subspace.of(model, shift, dtype)
    at_once = min(max(_CELLS_AT_ONCE // d, _LEAST_ROWS), n)
    room = _Room.of(len(subspace.v), d, at_once, dtype)
    scores = np.empty((n, len(subspace.v)), dtype)
    parts = []
    for begin in range(0, n, at_once):
        end = begin + at_once
        parts.append(_score(x[begin:end], subspace, room, scores[begin:end]))
    counts, indices, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return scores, SparseRows(np.concatenate([[0], counts.cumsum()]), indices, values)


class _Subspace(NamedTuple):
    """The model in units of each feature's noise."""

    mean: Floats  # in the units given, relative to `shift`
    origin: Floats  # in the units given
    unit: Floats
    per_unit: Floats
    clip: Floats  # how large the cells of a first guess may be
    clip_residual: Floats
    v: Floats  # vᵀ · scores = the column of the subspace
    u: Floats  # u · column = the scores of PCA
    gram: Floats  # v · vᵀ
    pairs: Floats  # the lower triangle of the products of two elements of v, for each feature
    precision: NDArray[np.float64]  # 1/variance of the scores
    threshold: Any

    @classmethod
    def of(cls, model: Model, shift: Floats, dtype: np.dtype[Any]) -> _Subspace:
        unit = np.maximum(model.unit.astype(np.float64), 1e3 * float(np.finfo(dtype).tiny))
        v, u = model.components / unit, model.components * unit
        first, second = np.tril_indices(len(v))
        variances = np.maximum(model.variances.astype(np.float64), np.finfo(np.float64).tiny)
        rounded = partial(np.ascontiguousarray, dtype=dtype)
        return cls(
            mean=rounded(model.mean),
            origin=rounded(shift + model.mean),
            unit=rounded(unit),
            per_unit=rounded(1 / unit),
            clip=rounded(_CLIP * np.sqrt(1 + variances @ v**2)),
            clip_residual=np.full(len(unit), _CLIP, dtype),
            v=rounded(v),
            u=rounded(u),
            gram=rounded(rounded(v) @ rounded(v).T),
            pairs=rounded(v[first] * v[second]),
            precision=1 / variances,
            threshold=dtype.type(model.threshold),
        )


class _Room(NamedTuple):
    """Arrays to work in. Fresh ones would cost more than what is computed in them."""

    z: Floats  # rows in units of each feature's noise, as columns; NaN where there are gaps
    weights: Floats  # 0 for what is outlying, 1 for the rest; for Huber steps, anything between
    part: Floats  # the columns that are not settled
    part_weights: Floats
    new_weights: Floats
    kept: Floats  # z without what is outlying
    low_rank: Floats
    filling: Floats  # what to expect of a cell from those not outlying
    scores: Floats
    part_scores: Floats
    pulls: Floats
    systems: Floats
    sizes: Floats  # one number for each column
    right: NDArray[np.float64]
    wide_systems: NDArray[np.float64]
    numbers: NDArray[np.int64]  # of columns

    @classmethod
    def of(cls, k: int, d: int, n: int, dtype: np.dtype[Any]) -> _Room:
        """Return room for `n` columns of `d` cells with `k` scores."""
        n_pairs = k * (k + 1) // 2
        sizes = [(d, dtype)] * 8 + [(k, dtype)] * 3 + [(n_pairs, dtype), (1, dtype)]
        others = [(k, np.float64), (n_pairs, np.float64), (1, np.int64)]
        return cls(*(np.empty(size * n, kind) for size, kind in [*sizes, *others]))


@compiled
def _score(x, subspace, room, scores):  # type: ignore[no-untyped-def]
    """Fill the scores of some rows; return their outlying cells: how many, which, and the values.

    All products are of contiguous arrays, as the library of matrices wants them.
    """
    n, d = x.shape
    k = subspace.v.shape[0]
    z, weights = as_matrix(room.z, d, n), as_matrix(room.weights, d, n)
    low_rank, found = as_matrix(room.low_rank, d, n), as_matrix(room.scores, k, n)
    turn_rows(x, subspace.origin, subspace.per_unit, z)
    _guess(subspace, room, z, low_rank, found)
    _weigh(z, low_rank, subspace.threshold, k, weights, room.sizes)
    _settle(subspace, room, z, weights, found)
    for c in range(k):
        for i in range(n):
            scores[i, c] = found[c, i]
    return _outliers(subspace.mean, subspace.unit, subspace.v, scores, z, weights)


@called
def _guess(subspace, room, z, low_rank, scores):  # type: ignore[no-untyped-def]
    """Fill `scores` with some that no cell pulls far, and `low_rank` with what they give."""
    kept, more = as_matrix(room.kept, *z.shape), as_matrix(room.pulls, *scores.shape)
    clear_cells(low_rank)
    clear_cells(scores)
    for step in range(1 + _CLIP_STEPS):
        limits = subspace.clip if step == 0 else subspace.clip_residual
        _clip_residuals(z, low_rank, limits, kept)
        multiply(subspace.u, kept, more)
        add_cells(more, scores)
        combine(subspace.v, scores, low_rank)
    numbers, misfits = room.numbers[: z.shape[1]], room.sizes[: z.shape[1]]
    _measure_misfits(z, low_rank, misfits, room.filling)
    count_up(numbers)
    n_far = move_larger_first(numbers, misfits, z.dtype.type(_NEAR))
    if n_far > 0:
        _move_on(subspace, room, z, numbers[:n_far], scores)
        combine(subspace.v, scores, low_rank)


@called
def _clip_residuals(z, low_rank, limits, clipped):  # type: ignore[no-untyped-def]
    """Fill `clipped` with the residuals, 0 where there are gaps."""
    for j in range(z.shape[0]):
        limit = limits[j]
        for i in range(z.shape[1]):
            e = z[j, i] - low_rank[j, i]
            clipped[j, i] = min(max(e, -limit), limit) if e == e else z.dtype.type(0)


@called
def _measure_misfits(z, low_rank, misfits, observed):  # type: ignore[no-untyped-def]
    """Fill in the mean squared residual of each column, with large residuals cut down."""
    most, zero, one = z.dtype.type(_COUNTED), z.dtype.type(0), z.dtype.type(1)
    for i in range(z.shape[1]):
        misfits[i] = observed[i] = 0
    for j in range(z.shape[0]):
        for i in range(z.shape[1]):
            e = z[j, i] - low_rank[j, i]
            cut = min(abs(e), most)
            misfits[i] += cut * cut if e == e else zero
            observed[i] += one if e == e else zero
    for i in range(z.shape[1]):
        misfits[i] /= max(observed[i], one)


@called
def _move_on(subspace, room, z, moving, scores):  # type: ignore[no-untyped-def]
    """Move the scores of some columns on by Huber steps, until these are small."""
    d, k = z.shape[0], scores.shape[0]
    for _ in range(_MOST_HUBER_STEPS):
        n = moving.size
        columns, weights = as_matrix(room.part, d, n), as_matrix(room.part_weights, d, n)
        residuals, last = as_matrix(room.kept, d, n), as_matrix(room.part_scores, k, n)
        step = as_matrix(room.pulls, k, n)
        take_columns(z, moving, columns)
        take_columns(scores, moving, last)
        combine(subspace.v, last, residuals)
        _huber(columns, residuals, weights)
        multiply(subspace.v, residuals, step)
        for c in range(k):
            for i in range(n):
                step[c, i] -= subspace.precision[c] * last[c, i]
        _solve_weighted(subspace, room, weights, step)
        add_cells(step, last)
        put_columns(last, moving, scores)
        multiply(subspace.gram, step, last)
        moved = room.sizes[:n]
        for i in range(n):
            moved[i] = 0
            for c in range(k):
                moved[i] += last[c, i] * step[c, i]
        moving = moving[: move_larger_first(moving, moved, z.dtype.type(d))]
        if moving.size == 0:
            break


@called
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


@called
def _solve_weighted(subspace, room, weights, pulls):  # type: ignore[no-untyped-def]
    """Turn `pulls`, which is v · weighted cells, into the scores of cells that have weights."""
    k, n = pulls.shape
    n_pairs = subspace.pairs.shape[0]
    systems, wide = as_matrix(room.systems, n_pairs, n), as_matrix(room.wide_systems, n_pairs, n)
    right = as_matrix(room.right, k, n)
    multiply(subspace.pairs, weights, systems)
    copy_cells(systems, wide)
    copy_cells(pulls, right)
    solve(wide, subspace.precision, right)
    copy_cells(right, pulls)


@called
def _settle(subspace, room, z, weights, scores):  # type: ignore[no-untyped-def]
    """Fill the scores once the same cells stay out, and their weights, from a first fit."""
    d, k = z.shape[0], scores.shape[0]
    moving = room.numbers[: z.shape[1]]
    count_up(moving)
    for _ in range(_MOST_STEPS):
        n = moving.size
        columns, old = z, weights
        if n < z.shape[1]:
            columns, old = as_matrix(room.part, d, n), as_matrix(room.part_weights, d, n)
            take_columns(z, moving, columns)
            take_columns(weights, moving, old)
        kept, low_rank = as_matrix(room.kept, d, n), as_matrix(room.low_rank, d, n)
        filling, new = as_matrix(room.filling, d, n), as_matrix(room.new_weights, d, n)
        fitted, expected = as_matrix(room.part_scores, k, n), as_matrix(room.pulls, k, n)
        _keep(columns, old, kept)
        multiply(subspace.v, kept, expected)
        _solve_weighted(subspace, room, old, expected)
        combine(subspace.v, expected, filling)
        _replace(kept, old, filling)
        multiply(subspace.u, kept, fitted)
        put_columns(fitted, moving, scores)
        combine(subspace.v, fitted, low_rank)
        _replace(low_rank, old, filling)
        _weigh(columns, low_rank, subspace.threshold, k, new, room.sizes)
        changes = room.sizes[:n]
        _measure_changes(old, new, changes)
        if n == z.shape[1]:  # all in order
            copy_cells(new, weights)
        else:
            put_columns(new, moving, weights)
        moving = moving[: move_larger_first(moving, changes, z.dtype.type(0))]
        if moving.size == 0:
            break


@called
def _weigh(z, low_rank, threshold, rank, weights, n_near):  # type: ignore[no-untyped-def]
    """Give weight 0 to the cells beyond the threshold and to gaps, 1 to the others.

    Too few near ones say nothing about `rank` scores. Such a column, as there may be many where
    there is next to no noise, has a larger unit of its own.
    """
    zero, one = z.dtype.type(0), z.dtype.type(1)
    for i in range(z.shape[1]):
        n_near[i] = 0
    for j in range(z.shape[0]):
        for i in range(z.shape[1]):
            weights[j, i] = one if abs(z[j, i] - low_rank[j, i]) <= threshold else zero
        for i in range(z.shape[1]):
            n_near[i] += weights[j, i]
    for i in range(z.shape[1]):
        if n_near[i] > rank:
            continue
        unit = max(z.dtype.type(NORMAL_OVER_MAD) * _median_size(z, low_rank, i), one)
        for j in range(z.shape[0]):
            weights[j, i] = one if abs(z[j, i] - low_rank[j, i]) <= threshold * unit else zero


@called
def _median_size(z, low_rank, i):  # type: ignore[no-untyped-def]
    """Return the median size of a column's residuals that are not gaps, without a slow sort."""
    low = high = z.dtype.type(0)
    for j in range(z.shape[0]):
        size = abs(z[j, i] - low_rank[j, i])
        high = size if size > high else high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = 0
        for j in range(z.shape[0]):
            size = abs(z[j, i] - low_rank[j, i])
            below += (size <= middle) - (size > middle)
        low, high = (low, middle) if below >= 0 else (middle, high)
    return high


@called
def _keep(z, weights, kept):  # type: ignore[no-untyped-def]
    """Fill `kept` with the cells that have weight, and 0."""
    for j in range(z.shape[0]):
        for i in range(z.shape[1]):
            cell = z[j, i]
            kept[j, i] = cell if weights[j, i] > 0 else z.dtype.type(0)


@called
def _replace(cells, weights, filling):  # type: ignore[no-untyped-def]
    """Replace the cells without weight."""
    for j in range(cells.shape[0]):
        for i in range(cells.shape[1]):
            old, new = cells[j, i], filling[j, i]
            cells[j, i] = old if weights[j, i] > 0 else new


@called
def _measure_changes(old, new, changes):  # type: ignore[no-untyped-def]
    """Fill in the sum of absolute differences for each column."""
    for i in range(old.shape[1]):
        changes[i] = 0
    for j in range(old.shape[0]):
        for i in range(old.shape[1]):
            changes[i] += abs(old[j, i] - new[j, i])


@called
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
    outlying = np.empty(n, np.int32)
    own = np.empty(v.shape[0], z.dtype)
    for j in range(d):
        for c in range(own.size):
            own[c] = v[c, j]
        n_outlying = 0
        for i in range(n):  # without a branch, which would often be guessed wrong
            outlying[n_outlying] = i
            n_outlying += weights[j, i] == zero
        for p in range(n_outlying):
            i = outlying[p]
            cell, near = z[j, i], zero
            for c in range(own.size):
                near += scores[i, c] * own[c]
            missing = cell != cell
            indices[place[i]] = j
            values[place[i]] = (-near * unit[j] - mean[j]) if missing else (cell - near) * unit[j]
            place[i] += 1
    return counts, indices, values

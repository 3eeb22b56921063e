"""Row by row: which elements stand outside the threshold.

These loops are the whole cost of a round beside the first Gram matrix. They are compiled, release
the GIL and work on one block of rows, so that blocks can run on threads or on a cluster.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic
from numpy.typing import NDArray

from exrpca.decomposition.sparse_rows import SparseRows

Floats = NDArray[np.floating[Any]]

# Sums may be reordered, which lets the compiler vectorise them; NaN must keep its meaning.
_FASTMATH = {"reassoc", "contract", "nsz", "arcp"}


@dataclass(frozen=True)
class Model:
    """What a round needs to know: rows near `mean` + span(`components`), up to `threshold`."""

    mean: Floats
    components: Floats
    threshold: float


def _define_trailing_zeros(typing_context: Any, number: Any) -> Any:
    """Define the number of 0 bits below the lowest 1 bit: one instruction, unknown to Numba."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(numba.types.boolean, False))

    return numba.types.int64(numba.types.uint64), generate


_trailing_zeros: Any = intrinsic(_define_trailing_zeros)


def set_aside(
    x: Floats,
    shift: Floats,
    old: SparseRows | None,
    model: Model,
    *,
    accumulate: bool = False,
) -> SparseRows:
    """Return the elements of the rows `x` that stand off the model by more than its threshold.

    Parameters
    ----------
    x : array of shape (n_rows, n_features)
        NaN is always set aside, as if it were the value of `shift`.
    shift : array of shape (n_features,)
        What the model and the sparse part are relative to.
    old : SparseRows or None
        What was set aside before, which does not take part in the projection. None for rows met
        for the first time, whose outliers pull at the projection: the largest are set aside
        first, then smaller ones, with a new projection each time, down to the threshold.
    model : Model
        The subspace and the threshold.
    accumulate : bool
        True adds to `old`, as the paper's Algorithm 1 does; False judges every element anew.
    """
    dtype = x.dtype
    mode = _PEEL if old is None else _ADD if accumulate else _JUDGE
    arrays = _set_aside(
        x,
        shift.astype(dtype),
        model.mean.astype(dtype),
        np.ascontiguousarray(model.components, dtype=dtype),
        dtype.type(model.threshold),
        *(old or SparseRows.empty(len(x), dtype)).arrays,
        mode,
    )
    return SparseRows(*arrays)


_PEEL, _JUDGE, _ADD = range(3)

# An element that stays aside keeps its old value until it has moved by this share of the threshold:
# far below what the components can feel, and it spares most of the Gram matrix's updates.
_STILL = 0.01

# Peeling takes what is larger than this share of a row's largest residual, then this share of
# that, and so on down to the threshold.
_PEELED_SHARE = 0.4
_MOST_PEELS = 50


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _set_aside(x, shift, mean, u, threshold, indptr, indices, values, mode):  # type: ignore[no-untyped-def]
    n, d = x.shape
    padded = (d + 7) // 8 * 8  # whole groups of eight, see `_collect`
    new_indptr = np.zeros(n + 1, np.int64)
    new_indices = np.empty(indices.size + n * d // 16 + padded, np.int32)
    new_values = np.empty(new_indices.size, x.dtype)
    origin = shift + mean
    row = np.empty(d, x.dtype)
    e = np.zeros(padded, x.dtype)
    flags = np.zeros(padded, np.uint8)
    scores = np.empty(u.shape[0], x.dtype)
    begin = 0
    for i in range(n):
        if begin + padded > new_indices.size:
            new_indices = _grown(new_indices, padded)
            new_values = _grown(new_values, padded)
        old = indices[indptr[i] : indptr[i + 1]]
        old_values = values[indptr[i] : indptr[i + 1]]
        new = new_indices[begin : begin + padded]
        new_value = new_values[begin : begin + padded]
        missing = _relative(x[i], origin, mean, row)
        _project(row, u, scores)
        if mode == _PEEL:
            _peel(x[i], missing, row, u, threshold, scores, e, flags)
            count = _collect(e, flags, new, new_value)
        else:
            _subtract_scores(u, old, old_values, scores)
            _residual(row, u, scores, e)
            if mode == _ADD:
                for p in range(old.size):
                    e[old[p]] -= old_values[p]
                _flag(x[i], missing, e, threshold, flags)
                count = _collect_sum(e, flags, old, old_values, new, new_value)
            else:
                count = _flag(x[i], missing, e, threshold, flags)
                _collect_anew(e, flags, count, threshold, old, old_values, new, new_value)
        begin += count
        new_indptr[i + 1] = begin
    return new_indptr, new_indices[:begin].copy(), new_values[:begin].copy()


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _peel(x, missing, row, u, threshold, scores, e, flags):  # type: ignore[no-untyped-def]
    """Flag the largest elements first and project without them, down to the threshold."""
    rest = np.empty_like(row)
    _residual(row, u, scores, e)
    limit = _largest(e)
    for _ in range(_MOST_PEELS):
        reached = limit == threshold  # and one more time: the last projection was a crude one
        limit = max(threshold, row.dtype.type(_PEELED_SHARE) * limit)
        _flag(x, missing, e, limit, flags)
        if reached:
            break
        for j in range(row.size):
            rest[j] = row[j] - e[j] * flags[j]
        _project(rest, u, scores)
        _residual(row, u, scores, e)


@numba.njit(nogil=True, cache=True)
def _grown(array, least):  # type: ignore[no-untyped-def]
    larger = np.empty(2 * array.size + least, array.dtype)
    larger[: array.size] = array
    return larger


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _relative(x, origin, mean, row):  # type: ignore[no-untyped-def]
    """Fill `row` with a row relative to the model's mean; return how many values are missing."""
    missing = 0
    for j in range(x.size):
        row[j] = x[j] - origin[j] if x[j] == x[j] else -mean[j]
        missing += x[j] != x[j]
    return missing


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _project(row, u, scores):  # type: ignore[no-untyped-def]
    for c in range(u.shape[0]):
        total = row.dtype.type(0)
        for j in range(row.size):
            total += u[c, j] * row[j]
        scores[c] = total


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _subtract_scores(u, indices, values, scores):  # type: ignore[no-untyped-def]
    """Take the sparse part out of the scores of a row."""
    for c in range(u.shape[0]):
        total = scores[c]
        for p in range(indices.size):
            total -= u[c, indices[p]] * values[p]
        scores[c] = total


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _residual(row, u, scores, e):  # type: ignore[no-untyped-def]
    for j in range(row.size):
        e[j] = row[j]
    k = u.shape[0]
    for c in range(0, k - 1, 2):  # two at a time halve the traffic through e
        for j in range(row.size):
            e[j] -= scores[c] * u[c, j] + scores[c + 1] * u[c + 1, j]
    if k % 2 == 1:
        for j in range(row.size):
            e[j] -= scores[k - 1] * u[k - 1, j]


@numba.njit(nogil=True, cache=True, fastmath=True)  # residuals are never NaN
def _largest(e):  # type: ignore[no-untyped-def]
    largest = e.dtype.type(0)
    for j in range(e.size):
        largest = max(largest, abs(e[j]))
    return largest


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _flag(x, missing, e, limit, flags):  # type: ignore[no-untyped-def]
    """Mark the elements outside the limit and the missing ones; return how many."""
    for j in range(x.size):
        flags[j] = np.uint8(0) if abs(e[j]) <= limit else np.uint8(1)
    if missing > 0:
        for j in range(x.size):
            if x[j] != x[j]:
                flags[j] = 1
    count = 0
    for j in range(x.size):
        count += flags[j]
    return count


@numba.njit(nogil=True, cache=True)
def _collect(e, flags, indices, values):  # type: ignore[no-untyped-def]
    """Write out the flagged elements; return how many.

    Eight flags are read as one number, and its bits lead from one flagged element to the next.
    """
    groups = flags.view(np.uint64)
    count = 0
    for group in range(groups.size):
        bits = groups[group]
        while bits != 0:
            j = 8 * group + (_trailing_zeros(bits) >> 3)
            indices[count] = j
            values[count] = e[j]
            count += 1
            bits &= bits - np.uint64(1)
    return count


@numba.njit(nogil=True, cache=True)
def _collect_anew(e, flags, count, threshold, old, old_values, indices, values):  # type: ignore[no-untyped-def]
    """Write out the flagged elements; those that hardly moved keep their old values."""
    still = threshold * e.dtype.type(_STILL)
    common = 0
    for p in range(old.size):
        common += flags[old[p]]
    if common == count and common == old.size:
        # Mostly the same elements stand out as before: no need to look for them.
        for p in range(count):
            value = e[old[p]]
            indices[p] = old[p]
            values[p] = old_values[p] if abs(value - old_values[p]) <= still else value
        return
    _collect(e, flags, indices, values)
    p = 0
    for q in range(count):
        while p < old.size and old[p] < indices[q]:
            p += 1
        if p == old.size:
            break
        if old[p] == indices[q] and abs(values[q] - old_values[p]) <= still:
            values[q] = old_values[p]


@numba.njit(nogil=True, cache=True)
def _collect_sum(e, flags, old, old_values, indices, values):  # type: ignore[no-untyped-def]
    """Write out the old elements plus the flagged ones; return how many."""
    count = 0
    p = 0
    for j in range(flags.size):
        kept = p < old.size and old[p] == j
        if not kept and flags[j] == 0:
            continue
        indices[count] = j
        values[count] = e[j] if flags[j] else values.dtype.type(0)
        if kept:
            values[count] += old_values[p]
            p += 1
        count += 1
    return count

"""Row by row: which elements stand outside the threshold, and what that does to the Gram matrix.

These loops are the whole cost of a round beside the first Gram matrix. They are compiled, release
the GIL and work on one block of rows, so that blocks can run on threads or on a cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import scipy.sparse
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

# Sums may be reordered, which lets the compiler vectorise them; NaN must keep its meaning.
_FASTMATH = {"reassoc", "contract", "nsz", "arcp"}


@dataclass(frozen=True)
class SparseRows:
    """The sparse part of one block of rows, in the arrays of a CSR matrix."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: Floats

    @classmethod
    def empty(cls, n_rows: int, dtype: np.dtype[Any]) -> SparseRows:
        """Return a sparse part with nothing in it."""
        return cls(np.zeros(n_rows + 1, np.int64), np.empty(0, np.int32), np.empty(0, dtype))

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats]:
        """The three arrays, as the compiled functions take them."""
        return self.indptr, self.indices, self.values


@dataclass(frozen=True)
class Model:
    """What a round needs to know: rows near `mean` + span(`components`), up to `threshold`."""

    mean: Floats
    components: Floats
    threshold: float


def stacked(parts: Sequence[SparseRows], n_features: int) -> scipy.sparse.csr_array:
    """Return the sparse parts of all blocks as one matrix."""
    ends = np.concatenate([part.indptr[1:] - part.indptr[:-1] for part in parts]).cumsum()
    return scipy.sparse.csr_array(
        (
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.indices for part in parts]),
            np.concatenate([[0], ends]),
        ),
        shape=(len(ends), n_features),
    )


def only_observed(x: Floats, aside: SparseRows) -> SparseRows:
    """Return the sparse part without the missing values of `x`."""
    rows = np.repeat(np.arange(len(x)), np.diff(aside.indptr))
    observed = ~np.isnan(x[rows, aside.indices])
    counts = np.bincount(rows[observed], minlength=len(x))
    indptr = np.concatenate([[0], counts.cumsum()])
    return SparseRows(indptr, aside.indices[observed], aside.values[observed])


def set_aside(
    x: Floats, old: SparseRows, model: Model, *, peel: bool = False, accumulate: bool = False
) -> SparseRows:
    """Return the elements of the rows `x` that stand off the model by more than its threshold.

    Parameters
    ----------
    x : array of shape (n_rows, n_features)
        NaN counts as 0 and is always set aside.
    old : SparseRows
        What was set aside before; it does not take part in the projection.
    model : Model
        The subspace and the threshold.
    peel : bool
        True for rows met for the first time, whose outliers pull at the projection: set aside the
        largest first and project again without them, until the threshold is reached.
    accumulate : bool
        True adds to `old`, as the paper's Algorithm 1 does; False judges every element anew.
    """
    dtype = x.dtype
    arrays = _set_aside(
        x,
        model.mean.astype(dtype),
        np.ascontiguousarray(model.components, dtype=dtype),
        np.ascontiguousarray(model.components.T, dtype=dtype),
        dtype.type(model.threshold),
        *old.arrays,
        _MOST_SWEEPS if peel else 1,
        accumulate,
    )
    return SparseRows(*arrays)


# An element that stays aside keeps its old value until it has moved by this share of the threshold:
# far below what the components can feel, and it spares most of the Gram matrix's updates.
_STILL = 0.01

# Peeling takes what is larger than this share of a row's largest residual, then this share of
# that, and so on down to the threshold.
_PEEL = 0.4
_MOST_SWEEPS = 50


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _set_aside(x, mean, u, u_columns, threshold, indptr, indices, values, sweeps, accumulate):  # type: ignore[no-untyped-def]
    n, d = x.shape
    new_indptr = np.zeros(n + 1, np.int64)
    new_indices = np.empty(indices.size + n * d // 16 + d, np.int32)
    new_values = np.empty(new_indices.size, x.dtype)
    e = np.empty(d, x.dtype)
    whole = np.empty(u.shape[0], x.dtype)
    scores = np.empty_like(whole)
    flags = np.zeros((d + 7) // 8 * 8, np.uint8)
    begin = 0
    for i in range(n):
        if begin + d > new_indices.size:
            new_indices = _grown(new_indices, d)
            new_values = _grown(new_values, d)
        old_indices = indices[indptr[i] : indptr[i + 1]]
        old_values = values[indptr[i] : indptr[i + 1]]
        _project(x[i], mean, u, whole)
        _scores_without(whole, old_indices, old_values, u_columns, scores)
        end = begin
        limit = threshold
        for sweep in range(sweeps):
            _residual(x[i], mean, u, scores, e)
            if sweeps > 1:
                limit = max(threshold, x.dtype.type(_PEEL) * (limit if sweep else _largest(e)))
            left = slice(begin, new_indices.size)
            if accumulate:
                count = _add(
                    x[i], e, limit, flags, old_indices, old_values,
                    new_indices[left], new_values[left],
                )  # fmt: skip
            else:
                count = _judge_anew(
                    x[i], e, limit, flags, old_indices, old_values,
                    new_indices[left], new_values[left],
                )  # fmt: skip
            settled = limit == threshold and begin + count == end
            end = begin + count
            if settled or sweeps == 1:
                break
            _scores_without(whole, new_indices[begin:end], new_values[begin:end], u_columns, scores)
        new_indptr[i + 1] = begin = end
    return new_indptr, new_indices[:begin].copy(), new_values[:begin].copy()


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _largest(e):  # type: ignore[no-untyped-def]
    largest = e.dtype.type(0)
    for j in range(e.size):
        largest = max(largest, abs(e[j]))
    return largest


@numba.njit(nogil=True, cache=True)
def _grown(array, least):  # type: ignore[no-untyped-def]
    larger = np.empty(2 * array.size + least, array.dtype)
    larger[: array.size] = array
    return larger


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _project(row, mean, u, scores):  # type: ignore[no-untyped-def]
    """Scores of a row, NaN counting as the value 0."""
    for c in range(u.shape[0]):
        total = row.dtype.type(0)
        for j in range(row.size):
            value = row[j] if row[j] == row[j] else row.dtype.type(0)
            total += u[c, j] * (value - mean[j])
        scores[c] = total


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _scores_without(whole, indices, values, u_columns, scores):  # type: ignore[no-untyped-def]
    """Scores of the row that is left when the sparse part is subtracted."""
    scores[:] = whole
    for p in range(indices.size):
        for c in range(whole.size):
            scores[c] -= values[p] * u_columns[indices[p], c]


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _residual(row, mean, u, scores, e):  # type: ignore[no-untyped-def]
    for j in range(row.size):
        value = row[j] if row[j] == row[j] else row.dtype.type(0)
        e[j] = value - mean[j]
    for c in range(u.shape[0]):
        for j in range(row.size):
            e[j] -= scores[c] * u[c, j]


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _judge_anew(row, e, threshold, flags, old_indices, old_values, indices, values):  # type: ignore[no-untyped-def]
    """Collect the elements outside the threshold; return how many."""
    for j in range(row.size):
        flags[j] = (abs(e[j]) > threshold) | (row[j] != row[j])
    groups = flags.view(np.uint64)  # eight flags at a time: most groups hold none
    still = threshold * row.dtype.type(_STILL)
    count = 0
    p = 0
    for group in range(groups.size):
        if groups[group] == 0:
            continue
        for j in range(8 * group, 8 * group + 8):
            if flags[j] == 0:
                continue
            value = e[j]
            while p < old_indices.size and old_indices[p] < j:
                p += 1
            if p < old_indices.size and old_indices[p] == j and abs(value - old_values[p]) <= still:
                value = old_values[p]
            indices[count] = j
            values[count] = value
            count += 1
    return count


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def _add(row, e, threshold, flags, old_indices, old_values, indices, values):  # type: ignore[no-untyped-def]
    """Collect the old elements and what now stands outside the threshold; return how many."""
    flags[:] = 0
    for p in range(old_indices.size):
        e[old_indices[p]] -= old_values[p]
        flags[old_indices[p]] = 1
    count = 0
    p = 0
    for j in range(row.size):
        outside = abs(e[j]) > threshold or row[j] != row[j]
        if not outside and flags[j] == 0:
            continue
        value = e[j] if outside else row.dtype.type(0)
        if flags[j] == 1:
            value += old_values[p]
            p += 1
        indices[count] = j
        values[count] = value
        count += 1
    return count


@numba.njit(nogil=True, cache=True)
def without(x, indptr, indices, values, nan_as_0):  # type: ignore[no-untyped-def]
    """Return the dense rows x − S."""
    z = np.empty_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            missing = nan_as_0 and x[i, j] != x[i, j]
            z[i, j] = x.dtype.type(0) if missing else x[i, j]
        for p in range(indptr[i], indptr[i + 1]):
            z[i, indices[p]] -= values[p]
    return z


@numba.njit(nogil=True, cache=True, fastmath=_FASTMATH)
def gram_change(x, old_indptr, old_indices, old_values, indptr, indices, values):  # type: ignore[no-untyped-def]
    """Return what a new sparse part changes: half the Gram matrix's change, the sums', and ‖Δ‖².

    With Δ = S_new − S_old and M the mean of the old and the new x − S, the Gram matrix of x − S
    changes by −(ΔᵀM + MᵀΔ). Only ΔᵀM is returned; it costs one row of M for each changed element.
    """
    d = x.shape[1]
    half = np.zeros((d, d), x.dtype)
    sums = np.zeros(d, np.float64)
    delta = np.zeros(d, x.dtype)
    middle = np.empty(d, x.dtype)
    norm = 0.0
    for i in range(x.shape[0]):
        old = old_indices[old_indptr[i] : old_indptr[i + 1]]
        new = indices[indptr[i] : indptr[i + 1]]
        if not _differences(
            old, old_values[old_indptr[i] :], new, values[indptr[i] :], x[i], delta, middle
        ):
            continue
        for touched in (old, new):
            for j in touched:
                if delta[j] == 0:
                    continue
                norm += delta[j] * delta[j]
                sums[j] -= delta[j]
                for t in range(d):
                    half[j, t] += delta[j] * middle[t]
                delta[j] = 0
    return half, sums, norm


@numba.njit(nogil=True, cache=True)
def _differences(old, old_values, new, new_values, row, delta, middle):  # type: ignore[no-untyped-def]
    """Fill `delta` and `middle` for one row; return whether anything differs."""
    for p in range(old.size):
        delta[old[p]] = -old_values[p]
    for p in range(new.size):
        delta[new[p]] += new_values[p]
    differs = False
    for p in range(old.size):
        differs |= delta[old[p]] != 0
    for p in range(new.size):
        differs |= delta[new[p]] != 0
    if differs:
        half = row.dtype.type(0.5)
        for j in range(row.size):
            middle[j] = row[j] if row[j] == row[j] else row.dtype.type(0)
        for p in range(old.size):
            middle[old[p]] -= half * old_values[p]
        for p in range(new.size):
            middle[new[p]] -= half * new_values[p]
    return differs

"""Which elements stand out from the model by more than the threshold.

This and `gram_change` are the whole cost of a round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.sparse_rows import SparseRows, subtract
from exrpca.decomposition._rounds.compiled import compiled

# Elements that are worked on at a time, and the least number of rows: they stay in the cache.
_ELEMENTS_AT_ONCE = 2**16
_LEAST_ROWS = 16

# An element that stays out keeps its old value until it has moved by this share of the threshold.
# The components do not feel so little, and most updates of the Gram matrix are saved.
_STILL = 0.01


@dataclass(frozen=True)
class Model:
    """What a round needs to know: rows near `mean` + span(`components`).

    An element of feature j may be away from there by `threshold` · `unit[j]`.
    """

    mean: Floats
    components: Floats
    threshold: float
    unit: Floats  # the noise of each feature, or 1 if `threshold` is not relative to it
    variances: Floats  # of the scores along each component

    @classmethod
    def blank(cls, n_features: int, threshold: float = np.inf) -> Model:
        """Return the model before anything is known: no components."""
        nothing = np.empty((0, n_features))
        return cls(np.zeros(n_features), nothing, threshold, np.ones(n_features), np.empty(0))


def find_outliers(
    x: Floats,
    shift: Floats,
    old: SparseRows | None,
    model: Model,
    *,
    accumulate: bool = False,
) -> SparseRows:
    """Return the elements of the rows `x` that stand out from the model.

    Parameters
    ----------
    x : array of shape (n_rows, n_features)
        NaN is always taken out, as if it were the value of `shift`.
    shift : array of shape (n_features,)
        What the model and the sparse part are relative to.
    old : SparseRows or None
        What was taken out before, which does not take part in the projection. None for rows met
        for the first time, whose outliers are peeled off.
    model : Model
        The subspace and the threshold.
    accumulate : bool
        True adds to `old`, as the paper's Algorithm 1 does; False judges every element again.
    """
    n, d = x.shape
    dtype = x.dtype
    mean, origin = (array.astype(dtype) for array in (model.mean, shift + model.mean))
    components = np.ascontiguousarray(model.components, dtype=dtype)
    threshold, unit = dtype.type(model.threshold), model.unit.astype(dtype)
    before = SparseRows.empty(n, dtype) if old is None else old
    # In the paper's algorithm what was taken out stays, unless more is added to it.
    still = dtype.type(1 if accumulate else _STILL)
    at_once = min(max(_ELEMENTS_AT_ONCE // d, _LEAST_ROWS), max(n, 1))
    room, low_rank = np.empty((2, at_once, d), dtype)
    flags = np.zeros((at_once, d), np.bool_)
    # The system gives memory to what is written only: most of these stay empty.
    ends, outliers = np.zeros(n + 1, np.int64), np.empty(n * d + 1, np.int32)
    sizes = np.empty(n * d, dtype)
    for begin in range(0, n, at_once):
        end = min(begin + at_once, n)
        rest, flagged, there = room[: end - begin], flags[: end - begin], slice(begin, end + 1)
        np.subtract(x[begin:end], origin, out=rest)
        gaps = _fill_gaps(rest, -mean)
        if gaps is not None:
            flagged[:] = gaps
        if accumulate:
            part = before.between(begin, end)
            flagged[part.rows, part.indices] = True
        if old is None:
            scores = peeled_scores(rest, gaps, components, threshold, unit)
        else:
            subtract(rest, old.indptr[there], old.indices, old.values)
            scores = rest @ components.T
        np.matmul(scores, components, out=low_rank[: end - begin])
        _collect_rows(
            *(rest, low_rank, threshold * unit, flagged, still),
            *(before.indptr[there], before.indices, before.values),
            *(ends[there], outliers, sizes),
        )
    return SparseRows(ends, outliers[: ends[-1]].copy(), sizes[: ends[-1]].copy())


def _fill_gaps(rows: Floats, filling: Floats) -> NDArray[np.bool_] | None:
    """Fill the missing values of some rows, and return where they are, if there are any."""
    if not np.isnan(np.vdot(rows, rows)):
        return None
    gaps = np.isnan(rows)
    np.copyto(rows, filling, where=gaps)
    return gaps


# Each pass takes out what is larger than this share of the limit before; the first limit is the
# row's largest residual.
_SHARE = 0.4
_MOST_PASSES = 50


def peeled_scores(
    rows: Floats,
    gaps: NDArray[np.bool_] | None,
    components: Floats,
    threshold: Any,
    unit: Floats,
) -> Floats:
    """Return the scores of rows, relative to the mean, without their outliers and gaps."""
    per_unit = 1 / unit
    u, v = components * unit, components * per_unit  # in units: z · uᵀ = scores, scores · v = L
    z = rows * per_unit
    full = scores = z @ u.T
    found: Floats = np.empty_like(scores)
    e = _residual(z, scores, v, np.empty_like(z))
    limit = np.maximum(e.max(axis=1), -e.min(axis=1))
    left = np.arange(len(z))
    sizes = np.empty_like(z)
    for _ in range(_MOST_PASSES):
        limit = np.maximum(threshold, z.dtype.type(_SHARE) * limit)
        outlying = np.abs(e, out=sizes[: len(e)]) > limit[:, None]
        if gaps is not None:
            outlying |= gaps[left]
        scores = full - np.multiply(e, outlying, out=e) @ u.T
        found[left] = scores
        unsettled = np.flatnonzero(limit != threshold)
        if len(unsettled) == 0:
            break
        if len(unsettled) < len(left):
            left, z, e = left[unsettled], z[unsettled], e[: len(unsettled)]
            full, scores, limit = full[unsettled], scores[unsettled], limit[unsettled]
        _residual(z, scores, v, e)
    return found


def _residual(z: Floats, scores: Floats, v: Floats, out: Floats) -> Floats:
    """Fill `out` with what the components leave of rows with these scores."""
    np.matmul(scores, v, out=out)
    np.subtract(z, out, out=out)
    return out


# Arrays to write into are arguments: each one made in compiled code takes a tenth of a second to
# compile.
@compiled
def _collect_rows(  # type: ignore[no-untyped-def]
    rest, low_rank, limits, flags, still, indptr, indices, values, ends, outliers, sizes
):
    """Write out the elements of rows outside the limits, and the marked ones, as sparse rows.

    `rest` is the rows without the old sparse ones. All flags are cleared. An element that moved by
    at most `still` limits keeps its value. The first row begins at `ends[0]`.
    """
    count = ends[0]
    for i in range(rest.shape[0]):
        p, last = indptr[i], indptr[i + 1]
        for q in range(p, last):
            rest[i, indices[q]] += values[q]
        for j in range(rest.shape[1]):  # without a branch, which would often be guessed wrong
            outliers[count] = j
            count += flags[i, j] | (abs(rest[i, j] - low_rank[i, j]) > limits[j])
            flags[i, j] = False
        for q in range(ends[i], count):
            j = outliers[q]
            size = rest[i, j] - low_rank[i, j]
            while p < last and indices[p] < j:
                p += 1
            if p < last and indices[p] == j:
                size = values[p] if abs(size - values[p]) <= still * limits[j] else size
            sizes[q] = size
        ends[i + 1] = count

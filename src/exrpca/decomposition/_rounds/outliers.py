"""Which elements stand out from the model by more than the threshold.

This and `gram_change` are the whole cost of a round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix.sparse_rows import SparseRows, subtract
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.flags import collect_rows
from exrpca.decomposition._rounds.peeling import peeled_scores

# Elements that are worked on at a time, and the least number of rows: they stay in the cache.
_ELEMENTS_AT_ONCE = 2**16
_LEAST_ROWS = 16

# An element that stays aside keeps its old value until it has moved by this share of the threshold.
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


def set_aside(
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
        NaN is always set aside, as if it were the value of `shift`.
    shift : array of shape (n_features,)
        What the model and the sparse part are relative to.
    old : SparseRows or None
        What was set aside before, which does not take part in the projection. None for rows met
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
    # In the paper's algorithm what was set aside stays, unless more is added to it.
    still = dtype.type(1 if accumulate else _STILL)
    at_once = min(max(_ELEMENTS_AT_ONCE // d, _LEAST_ROWS), max(n, 1))
    room, low_rank = np.empty((2, at_once, d), dtype)
    flags = np.zeros((at_once, (d + 7) // 8 * 8), np.bool_)  # whole groups of eight
    # The system gives memory to what is written only: most of these stay empty.
    found = SparseRows(np.zeros(n + 1, np.int64), np.empty(n * d, np.int32), np.empty(n * d, dtype))
    for begin in range(0, n, at_once):
        end = min(begin + at_once, n)
        rest, flagged, there = room[: end - begin], flags[: end - begin], slice(begin, end + 1)
        np.subtract(x[begin:end], origin, out=rest)
        gaps = _fill_gaps(rest, -mean)
        if gaps is not None:
            flagged[:, :d] = gaps
        if accumulate:
            part = before.between(begin, end)
            flagged[part.rows, part.indices] = True
        if old is None:
            scores = peeled_scores(rest, gaps, components, threshold, unit)
        else:
            subtract(rest, old.indptr[there], old.indices, old.values)
            scores = rest @ components.T
        np.matmul(scores, components, out=low_rank[: end - begin])
        collect_rows(
            *(rest, low_rank, threshold * unit, flagged, flagged.view(np.uint64), still),
            *(before.indptr[there], before.indices, before.values),
            *(found.indptr[there], found.indices, found.values),
        )
    count = found.indptr[-1]
    return SparseRows(found.indptr, found.indices[:count].copy(), found.values[:count].copy())


def _fill_gaps(rows: Floats, filling: Floats) -> NDArray[np.bool_] | None:
    """Fill the missing values of some rows, and return where they are, if there are any."""
    if not np.isnan(np.vdot(rows, rows)):
        return None
    gaps = np.isnan(rows)
    np.copyto(rows, filling, where=gaps)
    return gaps

"""Which elements stand out from the model by more than the threshold, row by row.

This loop and `gram_change` are the whole cost of a round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exrpca.decomposition._matrix.sparse_rows import SparseRows
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.compiled import compiled
from exrpca.decomposition._rounds.flags import collect, collect_anew, collect_sum, flag
from exrpca.decomposition._rounds.peeling import peel
from exrpca.decomposition._rounds.projection import project, relative, residual, subtract_scores

# How the outliers of a row are found, see `set_aside`.
_PEEL, _JUDGE, _ADD = range(3)


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
    dtype = x.dtype
    mode = _PEEL if old is None else _ADD if accumulate else _JUDGE
    arrays = _set_aside(
        x,
        shift.astype(dtype),
        model.mean.astype(dtype),
        np.ascontiguousarray(model.components, dtype=dtype),
        dtype.type(model.threshold),
        model.unit.astype(dtype),
        *(old or SparseRows.empty(len(x), dtype)).arrays,
        mode,
    )
    return SparseRows(*arrays)


@compiled
def _set_aside(x, shift, mean, u, threshold, unit, indptr, indices, values, mode):  # type: ignore[no-untyped-def]
    n, d = x.shape
    padded = (d + 7) // 8 * 8  # whole groups of eight, see `collect`
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
            new_indices = grown(new_indices, padded)
            new_values = grown(new_values, padded)
        old = indices[indptr[i] : indptr[i + 1]]
        old_values = values[indptr[i] : indptr[i + 1]]
        new = new_indices[begin : begin + padded]
        new_value = new_values[begin : begin + padded]
        missing = relative(x[i], origin, mean, row)
        project(row, u, scores)
        if mode == _PEEL:
            peel(x[i], missing, row, u, threshold, unit, scores, e, flags)
            count = collect(e, flags, new, new_value)
        else:
            subtract_scores(u, old, old_values, scores)
            residual(row, u, scores, e)
            if mode == _ADD:
                for p in range(old.size):
                    e[old[p]] -= old_values[p]
                flag(x[i], missing, e, threshold, unit, flags)
                count = collect_sum(e, flags, old, old_values, new, new_value)
            else:
                count = flag(x[i], missing, e, threshold, unit, flags)
                collect_anew(e, flags, count, threshold, unit, old, old_values, new, new_value)
        begin += count
        new_indptr[i + 1] = begin
    return new_indptr, new_indices[:begin].copy(), new_values[:begin].copy()


@compiled
def grown(array, least):  # type: ignore[no-untyped-def]
    """Return a copy with room for at least `least` more elements."""
    larger = np.empty(2 * array.size + least, array.dtype)
    for i in range(array.size):  # an assignment of slices takes a second more to compile
        larger[i] = array[i]
    return larger

"""What a new S changes in the Gram matrix of X − S, at the cost of the elements that changed."""

from __future__ import annotations

import numpy as np

from exrpca.decomposition._matrix.sparse_rows import SparseRows
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.compiled import compiled, inlined


def gram_change(
    x: Floats, shift: Floats, old: SparseRows, new: SparseRows
) -> tuple[Floats, Floats, float]:
    """Return what a new sparse part changes: half the Gram matrix's change, the sums', and ‖Δ‖².

    With Δ = S_new − S_old and M the mean of the old and the new x − shift − S, the Gram matrix
    changes by −(ΔᵀM + MᵀΔ). Only ΔᵀM is returned; it costs a row of M for each changed element.
    """
    d = x.shape[1]
    half, sums = np.zeros((d, d), x.dtype), np.zeros(d)
    delta, middle = np.zeros(d, x.dtype), np.empty(d, x.dtype)
    norm = _add_changes(x, shift, *old.arrays, *new.arrays, delta, middle, half, sums)
    return half, sums, norm


# Arrays are arguments and are not cut into rows: arrays made in compiled code, and slices of them,
# would double the time that it takes to compile.
@compiled
def _add_changes(  # type: ignore[no-untyped-def]
    x, shift, old_ptr, old_indices, old_values, ptr, indices, values, delta, middle, half, sums
):
    """Add up `half` and `sums`, and return ‖Δ‖²; `delta` is 0, before and after."""
    norm = 0.0
    for i in range(x.shape[0]):
        for p in range(old_ptr[i], old_ptr[i + 1]):
            delta[old_indices[p]] = -old_values[p]
        for p in range(ptr[i], ptr[i + 1]):
            delta[indices[p]] += values[p]
        is_ready = False
        n_old = old_ptr[i + 1] - old_ptr[i]
        for p in range(n_old + ptr[i + 1] - ptr[i]):
            j = old_indices[old_ptr[i] + p] if p < n_old else indices[ptr[i] + p - n_old]
            change = delta[j]
            if change == 0:  # or the element is in both, and was counted
                continue
            if not is_ready:
                is_ready = True
                _fill_middle(
                    x, shift, i, old_ptr, old_indices, old_values, ptr, indices, values, middle
                )
            norm += change * change
            sums[j] -= change
            delta[j] = 0
            for t in range(x.shape[1]):
                half[j, t] += change * middle[t]
    return norm


@inlined
def _fill_middle(x, shift, i, old_ptr, old_indices, old_values, ptr, indices, values, middle):  # type: ignore[no-untyped-def]
    """Fill `middle` with a row of M."""
    zero, half = x.dtype.type(0), x.dtype.type(0.5)
    for j in range(x.shape[1]):
        middle[j] = x[i, j] - shift[j] if x[i, j] == x[i, j] else zero
    for p in range(old_ptr[i], old_ptr[i + 1]):
        middle[old_indices[p]] -= half * old_values[p]
    for p in range(ptr[i], ptr[i + 1]):
        middle[indices[p]] -= half * values[p]

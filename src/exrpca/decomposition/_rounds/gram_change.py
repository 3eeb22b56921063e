"""What a new S changes in the Gram matrix of X − S, at the cost of the elements that changed."""

from __future__ import annotations

import numpy as np

from exrpca.decomposition._rounds.compiled import compiled


@compiled
def gram_change(x, shift, old_indptr, old_indices, old_values, indptr, indices, values):  # type: ignore[no-untyped-def]
    """Return what a new sparse part changes: half the Gram matrix's change, the sums', and ‖Δ‖².

    With Δ = S_new − S_old and M the mean of the old and the new x − shift − S, the Gram matrix
    changes by −(ΔᵀM + MᵀΔ). Only ΔᵀM is returned; it costs a row of M for each changed element.
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
            old, old_values[old_indptr[i] :], new, values[indptr[i] :], x[i], shift, delta, middle
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


@compiled
def _differences(old, old_values, new, new_values, row, shift, delta, middle):  # type: ignore[no-untyped-def]
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
            middle[j] = row[j] - shift[j] if row[j] == row[j] else row.dtype.type(0)
        for p in range(old.size):
            middle[old[p]] -= half * old_values[p]
        for p in range(new.size):
            middle[new[p]] -= half * new_values[p]
    return differs

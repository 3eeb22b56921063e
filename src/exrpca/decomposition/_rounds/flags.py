"""Marking elements of a row, and writing the marked ones out as a sparse row."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic

from exrpca.decomposition._rounds.compiled import compiled

# An element that stays aside keeps its old value until it has moved by this share of the threshold.
# The components do not feel so little, and most updates of the Gram matrix are saved.
_STILL = 0.01


def _define_trailing_zeros(typing_context: Any, number: Any) -> Any:
    """Define the number of 0 bits below the lowest 1 bit: one instruction, unknown to Numba."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(numba.types.boolean, False))

    return numba.types.int64(numba.types.uint64), generate


_trailing_zeros: Any = intrinsic(_define_trailing_zeros)


@compiled
def flag(x, missing, e, limit, unit, flags):  # type: ignore[no-untyped-def]
    """Mark the elements outside limit · unit, and the missing ones; return how many."""
    for j in range(x.size):
        flags[j] = np.uint8(0) if abs(e[j]) <= limit * unit[j] else np.uint8(1)
    if missing > 0:
        for j in range(x.size):
            if x[j] != x[j]:
                flags[j] = 1
    count = 0
    for j in range(x.size):
        count += flags[j]
    return count


@compiled
def collect(e, flags, indices, values):  # type: ignore[no-untyped-def]
    """Write out the marked elements; return how many.

    Eight flags are read as one number, and its bits lead from one marked element to the next.
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


@compiled
def collect_anew(e, flags, count, threshold, unit, old, old_values, indices, values):  # type: ignore[no-untyped-def]
    """Write out the marked elements; those that hardly moved keep their old values."""
    still = threshold * e.dtype.type(_STILL)
    common = 0
    for p in range(old.size):
        common += flags[old[p]]
    if common == count and common == old.size:
        # Mostly the same elements stand out as before: no need to look for them.
        for p in range(count):
            value = e[old[p]]
            indices[p] = old[p]
            near = abs(value - old_values[p]) <= still * unit[old[p]]
            values[p] = old_values[p] if near else value
        return
    collect(e, flags, indices, values)
    p = 0
    for q in range(count):
        while p < old.size and old[p] < indices[q]:
            p += 1
        if p == old.size:
            break
        if old[p] == indices[q] and abs(values[q] - old_values[p]) <= still * unit[old[p]]:
            values[q] = old_values[p]


@compiled
def collect_sum(e, flags, old, old_values, indices, values):  # type: ignore[no-untyped-def]
    """Write out the old elements plus the marked ones; return how many."""
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

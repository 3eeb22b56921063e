"""Writing the marked elements of rows out as sparse rows."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic

from exrpca.decomposition._rounds.compiled import compiled


def _define_trailing_zeros(typing_context: Any, number: Any) -> Any:
    """Define the number of 0 bits below the lowest 1 bit: one instruction, unknown to Numba."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(numba.types.boolean, False))

    return numba.types.int64(numba.types.uint64), generate


_trailing_zeros: Any = intrinsic(_define_trailing_zeros)


# Arrays to write into are arguments: each one made in compiled code takes a tenth of a second to
# compile.
@compiled
def collect_rows(  # type: ignore[no-untyped-def]
    rest, low_rank, limits, flags, groups, still, indptr, indices, values, ends, outliers, sizes
):
    """Write out the elements of rows outside the limits, and the marked ones, as sparse rows.

    `rest` is the rows without the old sparse ones. `groups` are the same `flags`, read eight at a
    time as one number. Its bits lead from one marked element to the next. All flags are cleared.
    An element that moved by at most `still` limits keeps its value. The first row begins at
    `ends[0]`.
    """
    count = ends[0]
    for i in range(rest.shape[0]):
        p, last = indptr[i], indptr[i + 1]
        for q in range(p, last):
            rest[i, indices[q]] += values[q]
        for j in range(rest.shape[1]):
            flags[i, j] |= abs(rest[i, j] - low_rank[i, j]) > limits[j]
        for group in range(groups.shape[1]):
            bits = groups[i, group]
            groups[i, group] = 0
            while bits != 0:
                j = 8 * group + (_trailing_zeros(bits) >> 3)
                bits &= bits - np.uint64(1)
                while p < last and indices[p] < j:
                    p += 1
                size = rest[i, j] - low_rank[i, j]
                if p < last and indices[p] == j:
                    value = values[p]
                    size = value if abs(size - value) <= still * limits[j] else size
                outliers[count] = j
                sizes[count] = size
                count += 1
        ends[i + 1] = count

"""Many small positive definite systems at once; calls of LAPACK would take ten times as long.

A column of `systems` is the lower triangle of one matrix, row by row, without `precision`, which is
added to the diagonal: no pivot is smaller, but for rounding. The innermost loops run over systems.
"""

from __future__ import annotations

import numpy as np

from exrpca.decomposition._rounds.compiled import compiled


@compiled
def solve(systems, precision, right):  # type: ignore[no-untyped-def]
    """Turn the columns of `right` into the solutions; `systems` is overwritten."""
    _factorize(systems, precision)
    k, n = right.shape
    row_a = 0  # where row a of the triangle begins
    for a in range(k):
        for c in range(a):
            for i in range(n):
                right[a, i] -= systems[row_a + c, i] * right[c, i]
        for i in range(n):
            right[a, i] /= systems[row_a + a, i]
        row_a += a + 1
    for a in range(k - 1, -1, -1):
        row_a -= a + 1
        for i in range(n):
            right[a, i] /= systems[row_a + a, i]
        for c in range(a):
            for i in range(n):
                right[c, i] -= systems[row_a + c, i] * right[a, i]


@compiled
def _factorize(systems, precision):  # type: ignore[no-untyped-def]
    """Turn each system into its Cholesky factor."""
    n = systems.shape[1]
    row_a = 0
    for a in range(precision.size):
        row_b = 0
        for b in range(a + 1):
            for c in range(b):
                for i in range(n):
                    systems[row_a + b, i] -= systems[row_a + c, i] * systems[row_b + c, i]
            if b < a:
                for i in range(n):
                    systems[row_a + b, i] /= systems[row_b + b, i]
            row_b += b + 1
        for i in range(n):
            systems[row_a + a, i] = np.sqrt(max(systems[row_a + a, i], 0.0) + precision[a])
        row_a += a + 1

"""Rows met for the first time: the largest outliers are set aside first.

Nothing is known yet about the outliers of such a row, and they distort its projection. So the
largest are set aside, the row is projected without them, and so on down to the threshold.
"""

from __future__ import annotations

import numpy as np

from exrpca.compiling import cached_njit
from exrpca.decomposition._rounds.compiled import compiled
from exrpca.decomposition._rounds.flags import flag
from exrpca.decomposition._rounds.projection import project, residual

# Each pass sets aside what is larger than this share of the limit before; the first limit is the
# row's largest residual.
_SHARE = 0.4
_MOST_PASSES = 50


@compiled
def peel(x, missing, row, u, threshold, unit, scores, e, flags):  # type: ignore[no-untyped-def]
    """Flag the outliers of a row, largest first, and fill `e` with its residual without them."""
    rest = np.empty_like(row)
    residual(row, u, scores, e)
    limit = _largest(e, unit)
    for _ in range(_MOST_PASSES):
        reached = limit == threshold  # and one more time: the last projection was a crude one
        limit = max(threshold, row.dtype.type(_SHARE) * limit)
        flag(x, missing, e, limit, unit, flags)
        if reached:
            break
        for j in range(row.size):
            rest[j] = row[j] - e[j] * flags[j]
        project(rest, u, scores)
        residual(row, u, scores, e)


@cached_njit(nogil=True, fastmath=True)  # residuals are never NaN
def _largest(e, unit):  # type: ignore[no-untyped-def]
    largest = e.dtype.type(0)
    for j in range(unit.size):
        largest = max(largest, abs(e[j]) / unit[j])
    return largest

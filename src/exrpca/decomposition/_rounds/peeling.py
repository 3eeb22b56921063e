"""Rows met for the first time: the largest outliers are set aside first.

Nothing is known yet about the outliers of such a row, and they distort its projection. So the
largest are set aside, the row is projected without them, and so on down to the threshold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix.types import Floats

# Each pass sets aside what is larger than this share of the limit before; the first limit is the
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
    found = np.empty_like(scores)
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
    return np.subtract(z, out, out=out)

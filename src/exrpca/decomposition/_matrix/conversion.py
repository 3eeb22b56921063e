"""Matrices brought into a form that can be computed with."""

from __future__ import annotations

from typing import Any

import numpy as np

# Within these, squares and their sums are neither 0 nor infinite in single precision.
_LEAST, _MOST = 1e-12, 1e12
_ROWS_TO_LOOK_AT = 1000


def without_mask(X: Any) -> Any:
    """Return a masked array as a plain one, with NaN where it is masked; others as they are."""
    if not isinstance(X, np.ma.MaskedArray):
        return X
    dtype = X.dtype if X.dtype.kind == "f" else np.float64
    return np.where(np.ma.getmaskarray(X), np.nan, np.ma.getdata(X)).astype(dtype)


def in_range(X: Any) -> Any:
    """Return X in double precision if its squares are out of the range of single precision."""
    if X.dtype not in (np.float32, np.float16) or not hasattr(X, "astype"):
        return X
    sizes = np.abs(np.asarray(X[:_ROWS_TO_LOOK_AT], dtype=np.float32))
    half = np.count_nonzero(np.isfinite(sizes) & (sizes > 0)) / 2
    # the median is in range if fewer than half are out on either side; counting needs no sorting
    n_small = np.count_nonzero((sizes > 0) & (sizes <= _LEAST))
    n_large = np.count_nonzero((sizes >= _MOST) & (sizes < np.inf))
    return X if half == 0 or max(n_small, n_large) < half else X.astype(np.float64)

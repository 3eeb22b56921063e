"""Groups of rows of different sizes that stand one after another in one array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def offsets_of(sizes: Sequence[int] | NDArray[Any]) -> Integers:
    """Return where each group begins, and at the end the number of rows; read-only.

    Examples
    --------
    >>> offsets_of([2, 1])
    array([0, 2, 3])
    """
    offsets = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    offsets.flags.writeable = False
    return offsets


def rows_of_groups(offsets: Integers, groups: Integers) -> Integers:
    """Return the rows of some groups, in the order in which the groups are given.

    Examples
    --------
    >>> rows_of_groups(offsets_of([2, 1, 3]), np.array([2, 0]))
    array([3, 4, 5, 0, 1])
    """
    sizes = np.diff(offsets)[groups]
    shift = offsets[groups] - offsets_of(sizes)[:-1]
    rows: Integers = np.repeat(shift, sizes) + np.arange(sizes.sum())
    return rows

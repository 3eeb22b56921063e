"""The errors for a matrix that is not finite, or too small or large to compute with."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.types import Floats


def refuse_non_finite(blocks: Blocks, *, allow_nan: bool) -> NoReturn:
    """Raise a ValueError that names the first element that is not finite."""
    _, states = blocks.run(_first_non_finite, None, allow_nan)
    first_row = 0
    for n_rows, found in blocks.collect(states):
        if found is not None:
            row, column, value = found
            what = "NaN" if np.isnan(value) else "infinity"
            advice = "; missing='impute' accepts NaN" if np.isnan(value) else ""
            raise ValueError(
                f"Input X contains {what} at row {first_row + row}, column {column}{advice}"
            )
        first_row += n_rows
    raise ValueError(f"Input X contains values too large for {blocks.dtype}: scale it down")


def refuse_unusable(rows: Floats, blocks: Blocks, *, allow_nan: bool) -> None:
    """Raise a ValueError if some of the rows, or their squares, are not finite."""
    with np.errstate(over="ignore"):
        rows = rows.astype(blocks.dtype, copy=False)
        energy = np.vdot(rows, rows)
        if allow_nan and np.isnan(energy):
            energy = np.nansum(rows**2)
    if not np.isfinite(energy):
        refuse_non_finite(blocks, allow_nan=allow_nan)


def refuse_empty_columns(blocks: Blocks) -> None:
    """Raise a ValueError if a column is missing as a whole: nothing could fill it."""
    (observed,), _ = blocks.run(_observed, None)
    empty = np.flatnonzero(observed == 0)
    if len(empty) > 0:
        raise ValueError(f"Input X has no value in column {empty[0]}: leave the column out")


def refuse_extreme_values(size: float, dtype: np.dtype[Any]) -> None:
    """Raise a ValueError if the squares of typical values are lost in this precision."""
    limits = np.finfo(dtype)
    if 0 < size < np.sqrt(limits.tiny / limits.eps):
        advice = f"too small for {dtype}: scale it up"
    elif size > np.sqrt(limits.max * limits.eps):
        advice = f"too large for {dtype}: scale it down"
    else:
        return
    raise ValueError(f"Input X has values of about {size:.1g}, {advice}")


def _observed(x: Floats, _: None) -> tuple[tuple[Any, ...], None]:
    return ((~np.isnan(x)).sum(axis=0),), None


def _first_non_finite(x: Floats, _: None, allow_nan: bool) -> tuple[tuple[Any, ...], Any]:
    bad = np.isinf(x) if allow_nan else ~np.isfinite(x)
    if not bad.any():
        return (), (len(x), None)
    row, column = np.argwhere(bad)[0]
    return (), (len(x), (int(row), int(column), float(x[row, column])))

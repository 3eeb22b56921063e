"""What is looked at before a fit: which values cannot be used, and where the rows lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.blocks import Blocks

# The standard deviation of a normal distribution over the median of its absolute deviations.
NORMAL_OVER_MAD = 1.4826


def column_quantiles(x: Floats, share: float) -> Floats:
    """Return a quantile of each column without its NaN; 0 for a column without any value.

    As `np.nanquantile` has it, which takes many times as long.
    """
    ordered = np.array(x.T, order="C")
    ordered.sort(axis=1)  # NaN comes last
    observed = np.full(x.shape[1], len(x))
    if np.isnan(ordered[:, -1:]).any():
        observed -= np.isnan(ordered).sum(axis=1)
    last = np.maximum(observed - 1, 0)
    place = share * last
    below = np.floor(place).astype(np.intp)
    columns = np.arange(x.shape[1])
    low = ordered[columns, below]
    high = ordered[columns, np.minimum(below + 1, last)]
    found: Floats = np.where(observed > 0, low + (place - below) * (high - low), 0.0)
    return found


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


def empty_columns(blocks: Blocks) -> NDArray[np.intp]:
    """Return the columns that are missing as a whole: nothing could fill them."""
    (observed,), _ = blocks.run(_observed, None)
    return np.flatnonzero(observed == 0)


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


def refuse_dates(X: Any) -> None:
    """Raise a ValueError for dates and times, which would be taken for large numbers."""
    dtypes: Any = getattr(X, "dtypes", getattr(X, "dtype", None))
    for dtype in np.atleast_1d(dtypes):
        if getattr(dtype, "kind", "") in ("m", "M"):
            raise ValueError(
                f"Input X has values of type {dtype}, expected numbers: convert dates and times, "
                "for example (X - start) / np.timedelta64(1, 'D')"
            )


def _observed(x: Floats, _: None) -> tuple[tuple[Any, ...], None]:
    return ((~np.isnan(x)).sum(axis=0),), None


def _first_non_finite(x: Floats, _: None, allow_nan: bool) -> tuple[tuple[Any, ...], Any]:
    bad = np.isinf(x) if allow_nan else ~np.isfinite(x)
    if not bad.any():
        return (), (len(x), None)
    row, column = np.argwhere(bad)[0]
    return (), (len(x), (int(row), int(column), float(x[row, column])))


# After scaling, features have the mean 0 and the variance 1 but for rounding. A sample is only near
# that: its typical feature is within this of 1.
_ROUNDING, _NEARLY = 1e-3, 0.25


def is_standardized(blocks: Blocks) -> bool:
    """Whether each feature has the mean 0 and the variance 1, as after `StandardScaler`."""
    with np.errstate(all="ignore"):
        variances = np.nanvar(sampled_rows(blocks, _ROWS_TO_LOOK_AT), axis=0)
        if not abs(np.median(variances) - 1) <= _NEARLY:
            return False
        (sums, squares, observed), _ = blocks.run(_moments, None)
    variances = squares / observed
    one = np.abs(variances - 1) <= _ROUNDING
    found = (np.abs(sums / observed) <= _ROUNDING) & (one | (variances <= _ROUNDING))
    return bool(found.all() and one.any())


def _moments(x: Floats, _: None) -> tuple[tuple[Any, ...], None]:
    known = np.nan_to_num(x)
    squares = np.einsum("ij,ij->j", known, known, dtype=np.float64)
    return (known.sum(axis=0, dtype=np.float64), squares, (~np.isnan(x)).sum(axis=0)), None


_ROWS_TO_LOOK_AT = 1000
_MOST_ELEMENTS = 2**20


@dataclass(frozen=True)
class FirstLook:
    """Where a matrix lies, from some of its rows."""

    shift: Floats  # the median row; 0 if rows are not centered
    _distances: Floats  # of the elements from it

    @classmethod
    def at(cls, blocks: Blocks, *, center: bool) -> FirstLook:
        """Look at a sample of the rows; values that are not finite are ignored.

        Raises
        ------
        ValueError
            If the squares of typical values would be 0 or infinite.
        """
        most = max(_MOST_ELEMENTS // blocks.shape[1], 2)
        rows = sampled_rows(blocks, min(_ROWS_TO_LOOK_AT, most))
        rows[~np.isfinite(rows)] = np.nan
        shift = column_quantiles(rows, 0.5) if center else np.zeros(rows.shape[1])
        distances = np.abs(shifted(rows, shift))
        apart = distances[distances > 0]
        if len(apart) > 0:
            refuse_extreme_values(float(np.median(apart)), blocks.dtype)
        return cls(shift.astype(np.float64), distances)

    @property
    def spread(self) -> float:
        """The median distance of an element from the median row."""
        distances = self._distances[~np.isnan(self._distances)]
        return float(np.median(distances)) if len(distances) > 0 else 0.0

    @property
    def spreads(self) -> Floats:
        """The same for each feature."""
        return column_quantiles(self._distances, 0.5)


def sampled_rows(blocks: Blocks, n_rows: int, shift: Floats | None = None) -> Floats:
    """Return about `n_rows` of the rows, less `shift`, as an array of its own."""
    sample = blocks.sample(n_rows)
    _, states = sample.run(_rows, None)
    rows: Floats = np.concatenate(sample.collect(states))
    if shift is not None:
        rows -= shift.astype(rows.dtype)
    return rows


def _rows(x: Floats, _: None) -> tuple[tuple[Any, ...], Floats]:
    return (), x


def shifted(x: Floats, shift: Floats) -> Floats:
    """Return the rows minus `shift`; the same array if `shift` is 0."""
    return x - shift.astype(x.dtype) if shift.any() else x


def sums_of(rows: Floats) -> tuple[Floats, Floats]:
    """Return the Gram matrix of the rows, and their sum."""
    return rows.T @ rows, np.ones(len(rows), rows.dtype) @ rows

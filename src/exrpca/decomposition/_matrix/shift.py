"""Rows shifted near the origin, where single precision is enough for a Gram matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from exrpca.decomposition._matrix.blocks import Blocks
from exrpca.decomposition._matrix.finite import refuse_extreme_values
from exrpca.decomposition._matrix.quantiles import column_quantiles
from exrpca.decomposition._matrix.types import Floats

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

"""Rows of vectors that grow in number, for files that do not say how many they have."""

from __future__ import annotations

from typing import Any

import numpy as np


class Rows:
    """Rows of vectors that grow in number, and in place: they are never in memory twice.

    Parameters
    ----------
    expected : int, default 0
        How many there will be, if that is known: growing takes time.
    """

    def __init__(self, expected: int = 0) -> None:
        self._rows: Any = np.empty((0, 0), dtype=np.float32)
        self._expected = expected
        self._n = 0

    @property
    def dim(self) -> int | None:
        """The number of dimensions; None before the first row."""
        return self._rows.shape[1] or None

    def append(self, rows: Any) -> None:
        """Add rows of as many dimensions as those before."""
        if self.dim is None:
            self._rows = np.empty((self._expected, rows.shape[1]), dtype=rows.dtype)
        end = self._n + len(rows)
        if end > len(self._rows):
            self._resize(max(end, len(self._rows) * 9 // 8))
        self._rows[self._n : end] = rows
        self._n = end

    def finish(self) -> Any:
        """Return all rows; nothing may be added after."""
        self._resize(self._n)
        return self._rows

    def _resize(self, n_rows: int) -> None:
        self._rows.resize((n_rows, self._rows.shape[1]), refcheck=False)

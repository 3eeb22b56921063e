"""Rows of vectors that grow in number."""

from __future__ import annotations

import numpy as np

from exrpca.senses.sense_vectors import Floats

# Above the size from which the C library gives memory back to the system when it is freed;
# what is not written to takes none.
_BLOCK_BYTES = 40 << 20


class GrowingRows:
    """Rows of float32 that grow in number, for files that do not say how many they have.

    They are kept in blocks until `finish` copies them into one array and frees each block on the
    way, so that the rows are never in memory twice.
    """

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self._block_rows = max(1, _BLOCK_BYTES // (4 * dim))
        self._blocks: list[Floats] = []
        self._n_used = self._block_rows  # of the last block

    def room(self, n_rows: int) -> Floats:
        """Return the next rows to write to: `n_rows` of them or fewer, at least one."""
        if self._n_used == self._block_rows:
            self._blocks.append(np.empty((self._block_rows, self.dim), dtype=np.float32))
            self._n_used = 0
        return self._blocks[-1][self._n_used : self._n_used + n_rows]

    def fill(self, n_rows: int) -> None:
        """Say that the first `n_rows` of the room have been written to."""
        self._n_used += n_rows

    def append(self, rows: Floats) -> None:
        """Add rows."""
        while len(rows):
            room = self.room(len(rows))
            room[:] = rows[: len(room)]
            self.fill(len(room))
            rows = rows[len(room) :]

    def finish(self) -> Floats:
        """Return all rows; nothing may be added after."""
        if len(self._blocks) == 1:
            return self._blocks[0][: self._n_used]
        n_rows = (len(self._blocks) - 1) * self._block_rows + self._n_used
        rows = np.empty((n_rows, self.dim), dtype=np.float32)
        for start in range(0, n_rows, self._block_rows):
            end = min(start + self._block_rows, n_rows)
            rows[start:end] = self._blocks.pop(0)[: end - start]
        return rows

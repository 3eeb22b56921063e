"""What a matrix is and how it is read: in blocks of rows, from memory, disk or a cluster."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

Floats = NDArray[Any]  # of single or double precision

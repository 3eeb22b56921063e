"""Where rows come from, for error messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike

from exrpca.errors import InputError


@dataclass(frozen=True)
class Place:
    """Where rows come from, for error messages.

    Parameters
    ----------
    path : path-like, optional
    line_of : callable (row) -> line, optional
        Gives the line of a row in a text file; without it, errors name the row.
    """

    path: str | PathLike[str] | None = None
    line_of: Callable[[int], int] | None = None

    def error(self, message: str, row: int) -> InputError:
        """Return the error for one row, counted from 0."""
        if self.line_of is not None:
            return InputError(message, path=self.path, line=self.line_of(row))
        return InputError(f"row {row + 1}: {message}", path=self.path)

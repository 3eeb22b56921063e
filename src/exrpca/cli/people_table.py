"""Tables for people, which fit the width of their terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

# A file or a pipe has room for whole rows.
_WIDTH_OF_FILES = 200
# Text is wrapped to no fewer characters than this; numbers are never wrapped.
_TEXT_WIDTH = 12
_BETWEEN = 2


@dataclass(frozen=True)
class _Column:
    header: str
    cells: list[str]
    is_number: bool
    is_whole: bool

    @property
    def narrowest(self) -> int:
        words = [*self.header.split(), ""]
        cells = max(map(len, self.cells), default=0)
        return max(cells if self.is_number else min(cells, _TEXT_WIDTH), *map(len, words))


def print_for_people(frame: pd.DataFrame, title: str | None) -> None:
    """Print a data frame with a title; columns that do not fit next to each other come in parts.

    Text is wrapped first. If that is not enough, the columns are printed in several parts, each
    with the columns that the table begins with: text, then whole numbers.
    """
    from rich.console import Console
    from rich.text import Text

    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _WIDTH_OF_FILES
    if title is not None:
        console.print(Text(title, style="bold"))
    for number, part in enumerate(_parts(_columns(frame), console.width)):
        if number:
            console.print()
        _print_part(console, part)


def _columns(frame: pd.DataFrame) -> list[_Column]:
    import pandas as pd

    return [
        _Column(
            str(name).replace("_", " "),
            [_cell(value) for value in frame.iloc[:, place]],
            bool(pd.api.types.is_numeric_dtype(frame.iloc[:, place])),
            bool(pd.api.types.is_integer_dtype(frame.iloc[:, place])),
        )
        for place, name in enumerate(frame.columns)
    ]


def _parts(columns: Sequence[_Column], width: int) -> Iterator[list[_Column]]:
    n_keys = _n_keys(columns)
    keys, rest = list(columns[:n_keys]), list(columns[n_keys:])
    part: list[_Column] = []
    for column in rest:
        if part and _width([*keys, *part, column]) > width:
            yield [*keys, *part]
            part = []
        part.append(column)
    yield [*keys, *part]


def _n_keys(columns: Sequence[_Column]) -> int:
    """Return how many columns say what a row is about: text, then whole numbers, never all."""
    n_text = next((i for i, column in enumerate(columns) if column.is_number), len(columns))
    rest = enumerate(columns[n_text:], n_text)
    return next((i for i, column in rest if not column.is_whole), n_text)


def _width(columns: Sequence[_Column]) -> int:
    return sum(column.narrowest + _BETWEEN for column in columns) - _BETWEEN


def _print_part(console: Console, columns: Sequence[_Column]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, _BETWEEN, 0, 0))
    for column in columns:
        table.add_column(
            column.header,
            justify="right" if column.is_number else "left",
            min_width=column.narrowest,
            width=column.narrowest if column.is_number else None,
            overflow="fold",
        )
    for row in zip(*(column.cells for column in columns), strict=True):
        # Text, not str: a word such as "[b]" is not markup
        table.add_row(*map(Text, row))
    console.print(table)


def _cell(value: Any) -> str:
    import numpy as np

    if isinstance(value, bool | np.bool_):
        return "yes" if value else ""
    if isinstance(value, float | np.floating):
        return "" if np.isnan(value) else f"{value:,.3f}"
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    return "" if value is None else str(value)

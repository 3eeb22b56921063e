"""Tables on standard output, remarks on standard error."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from exrpca.cli.options import TableStyle

if TYPE_CHECKING:
    import pandas as pd

    from exrpca.senses.formats import OutputPlan


def print_table(frame: pd.DataFrame, form: TableStyle, *, title: str | None = None) -> None:
    """Print a data frame as a table for people, as CSV or as JSON (a list of objects).

    Parameters
    ----------
    frame : DataFrame
        Its index is not printed.
    form : TableStyle
    title : str, optional
        Printed above the table for people; CSV and JSON carry the data alone.
    """
    printers: dict[TableStyle, Callable[[], None]] = {
        TableStyle.TABLE: lambda: _print_for_people(frame, title),
        TableStyle.CSV: lambda: frame.to_csv(sys.stdout, index=False),
        TableStyle.JSON: lambda: print(
            frame.to_json(orient="records", force_ascii=False, indent=2, double_precision=10)
        ),
    }
    printers[form]()


def remark(text: str, *, quiet: bool) -> None:
    """Say something on standard error, unless asked to be quiet."""
    if not quiet:
        print(text, file=sys.stderr)


@contextmanager
def remarked_warnings(*, quiet: bool) -> Iterator[None]:
    """Turn warnings about the result into remarks."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for warning in caught:
        remark(str(warning.message), quiet=quiet)


def remark_losses(plan: OutputPlan, lost: Iterable[str], *, quiet: bool) -> None:
    """Say which parts of the vectors the format of the output does not keep."""
    if lost:
        name = plan.format.name
        remark(f"{plan.path}: the format {name} does not keep {', '.join(lost)}", quiet=quiet)


def _print_for_people(frame: pd.DataFrame, title: str | None) -> None:
    import pandas as pd
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not console.is_terminal:
        console.width = 200  # a file or a pipe has room for whole rows
    if title is not None:
        console.print(Text(title, style="bold"))
    table = Table(box=None, pad_edge=False)
    for name in frame.columns:
        right = pd.api.types.is_numeric_dtype(frame[name])
        table.add_column(str(name).replace("_", " "), justify="right" if right else "left")
    for row in frame.itertuples(index=False):
        # Text, not str: a word such as "[b]" is not markup
        table.add_row(*(Text(_cell(value)) for value in row))
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

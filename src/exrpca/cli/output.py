"""Tables on standard output, remarks on standard error."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from exrpca.cli.options import TableStyle
from exrpca.cli.people_table import print_for_people

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
        TableStyle.TABLE: lambda: print_for_people(frame, title),
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


def counted(number: int, thing: str) -> str:
    """Return a number with what it counts: "1 sense", "2,000 senses"."""
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


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

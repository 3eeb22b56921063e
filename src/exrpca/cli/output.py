"""Tables and text on standard output, remarks on standard error."""

from __future__ import annotations

import contextlib
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from exrpca.cli.options import TableStyle
from exrpca.cli.people_table import print_for_people
from exrpca.files import atomic_path
from exrpca.progress import progress_bar

if TYPE_CHECKING:
    import pandas as pd

    from exrpca.senses.formats import OutputPlan
    from exrpca.text import Corpus


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
    if form is TableStyle.TABLE or sys.stdout.isatty():
        texts = frame.select_dtypes(exclude=["number", "bool"])
        frame = frame.assign(**{str(name): texts[name].map(printable) for name in texts})
        title = None if title is None else printable(title)
    printers: dict[TableStyle, Callable[[], None]] = {
        TableStyle.TABLE: lambda: print_for_people(frame, title),
        TableStyle.CSV: lambda: frame.to_csv(sys.stdout, index=False),
        TableStyle.JSON: lambda: print(
            frame.to_json(orient="records", force_ascii=False, indent=2, double_precision=10)
        ),
    }
    printers[form]()


def printable(value: Any) -> Any:
    r"""Return text that a terminal only shows: control characters of files become escapes.

    Examples
    --------
    >>> print(printable("bank[2J"))
    bank\x1b[2J
    """
    if not isinstance(value, str):
        return value
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", lambda found: f"\\x{ord(found[0]):02x}", value)


def remark(text: str, *, quiet: bool) -> None:
    """Say something on standard error, unless asked to be quiet."""
    if not quiet:
        print(printable(text), file=sys.stderr)


def counted(number: int, thing: str) -> str:
    """Return a number with what it counts: "1 sense", "2,000 senses"."""
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


@contextlib.contextmanager
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


# Lines between two reports of progress.
_REPORT_EVERY = 1000


def write_lines(
    lines: Iterable[str], corpus: Corpus, output: Path | None, *, label: str, quiet: bool
) -> None:
    """Write lines made from a corpus, with a bar that shows how much of it is read.

    Parameters
    ----------
    lines : iterable of str
    corpus : Corpus
    output : Path or None
        None writes to standard output.
    label : str
        Stands before the bar.
    quiet : bool
        Show no bar.
    """
    with progress_bar(label, corpus.size or 1, show=not quiet) as report, _opened(output) as file:
        for number, line in enumerate(lines, 1):
            file.write(line + "\n")
            if number % _REPORT_EVERY == 0:
                report(corpus.position(), f"{number:,} lines")


@contextlib.contextmanager
def _opened(output: Path | None) -> Iterator[IO[str]]:
    if output is None:
        # UTF-8 as in a file, whatever the terminal is set to
        with open(sys.stdout.fileno(), "w", encoding="utf-8", closefd=False) as stdout:
            yield stdout
        return
    with atomic_path(output) as temporary, temporary.open("w", encoding="utf-8") as file:
        yield file

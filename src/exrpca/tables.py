"""Tables that people write, one row per thing, and tables that are written for them."""

from __future__ import annotations

import csv
import io
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

from exrpca.errors import InputError, InputWarning
from exrpca.files import atomic_path, check_output, read_text

_ENDINGS = (".csv", ".json", ".parquet", ".xlsx")


def read_table(
    path: str | os.PathLike[str], columns: Sequence[str], add: Callable[..., object]
) -> None:
    r"""Pass some columns of a CSV file, row by row, to a function.

    Commas, tabs or semicolons separate the fields. Other columns and blank lines are ignored.

    Parameters
    ----------
    path : path-like
        A UTF-8 file, plain or compressed (gz, bz2, xz, zst).
    columns : sequence of str
        The columns that the file must have.
    add : callable
        Called with the fields of each row. The message of an `InputError` that it raises gets
        the file and the line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "forms.csv"
    >>> _ = path.write_text("word,form,note\nbank,banks,plural\n")
    >>> read_table(path, ["form", "word"], lambda form, word: print(form, word))
    banks bank
    """
    text = read_text(path)
    delimiter = max(",\t;", key=text.partition("\n")[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        header = next(rows, [])
        if missing := [name for name in columns if name not in header]:
            raise InputError(
                f"no column {', '.join(missing)} among {', '.join(header[:8]) or 'none'}"
            )
        places = [header.index(name) for name in columns]
        for row in filter(None, rows):
            if len(row) != len(header):
                raise InputError(f"{len(row)} fields, expected {len(header)}")
            add(*(row[place] for place in places))
    except csv.Error as error:
        raise InputError(f"is not a CSV file ({error})", path=path) from None
    except InputError as error:
        raise InputError(error.message, path=path, line=rows.line_num or 1) from None
    if not text.endswith("\n"):
        warnings.warn(
            f"{path}: the last line has no line end: its last field may be cut short",
            InputWarning,
            stacklevel=2,
        )


def read_words(path: str | os.PathLike[str]) -> list[str]:
    """Return the words in a file with one word per line."""
    if words := [line.strip() for line in read_text(path).splitlines() if line.strip()]:
        return words
    raise InputError("has no words, expected one per line", path=path)


def check_table(
    path: str | os.PathLike[str], *, other_than: Iterable[str | os.PathLike[str]] = ()
) -> None:
    """Refuse the name of a table that could not be written; to be called before the work.

    Parameters
    ----------
    path, other_than
        As for `files.check_output`. The name ends in .csv, .json, .parquet or .xlsx.

    Examples
    --------
    >>> check_table("senses.doc")
    Traceback (most recent call last):
        ...
    exrpca.errors.InputError: senses.doc: a table's name ends in .csv, .json, .parquet or .xlsx
    """
    check_output(path, other_than=other_than)
    ending = Path(path).suffix.lower()
    if ending not in _ENDINGS:
        raise InputError("a table's name ends in .csv, .json, .parquet or .xlsx", path=path)
    if ending == ".xlsx" and find_spec("xlsxwriter") is None:
        raise InputError("a workbook needs XlsxWriter: pip install 'exrpca[report]'", path=path)


def write_table(frame: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a data frame without its index, in the format that the name of the file says.

    Parameters
    ----------
    frame : DataFrame
    path : path-like
        Ends in .csv, .json (a list of objects), .parquet or .xlsx.

    Examples
    --------
    >>> import pandas as pd, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "senses.json"
    >>> write_table(pd.DataFrame({"word": ["bank"], "sense": [0]}), path)
    >>> path.read_text()
    '[{"word":"bank","sense":0}]'
    """
    check_table(path)
    with atomic_path(path) as temporary:
        match Path(path).suffix.lower():
            case ".csv":
                frame.to_csv(temporary, index=False)
            case ".json":
                frame.to_json(temporary, orient="records", force_ascii=False, double_precision=15)
            case ".parquet":
                frame.to_parquet(temporary, index=False)
            case ".xlsx":
                # a cell that begins with = stays text
                as_text = {"strings_to_formulas": False, "strings_to_urls": False}
                with temporary.open("wb") as file:
                    frame.to_excel(
                        file, index=False, engine="xlsxwriter", engine_kwargs={"options": as_text}
                    )

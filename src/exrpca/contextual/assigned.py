"""Tables of occurrences with their senses, as people and spreadsheets save them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from exrpca.errors import InputError

# "NA" and "null" are words; an empty cell is an empty text, but no number.
_TEXTS = ("word", "form", "left", "target", "right", "source", "name")
_TEXT_CELLS: dict[str, Any] = {
    "dtype": dict.fromkeys(_TEXTS, str),
    "keep_default_na": False,
    "na_values": {"probability": [""]},
}
_AS_TEXT: dict[str, dict[str, Any]] = {".csv": _TEXT_CELLS, ".xlsx": _TEXT_CELLS}


def read_assigned(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read a table of occurrences with their senses: .csv, .parquet, .json or .xlsx."""
    readers: dict[str, Callable[..., pd.DataFrame]] = {
        ".csv": pd.read_csv,
        ".parquet": pd.read_parquet,
        ".json": pd.read_json,
        ".xlsx": pd.read_excel,
    }
    suffix = Path(path).suffix.lower()
    if suffix not in readers:
        raise InputError(f"is not one of {', '.join(readers)}", path=path)
    if not Path(path).is_file():
        raise InputError("no such file", path=path)
    try:
        table = readers[suffix](path, **_AS_TEXT.get(suffix, {}))
    except (ValueError, OSError, ImportError) as error:
        raise InputError(f"cannot be read ({str(error).splitlines()[0]})", path=path) from None
    for name in ("word", "sense"):
        if name not in table:
            raise InputError(
                f"has no column {name!r}: expected what induce --assignments writes", path=path
            )
    if not pd.api.types.is_integer_dtype(table["sense"]):
        raise InputError("has a sense that is not a whole number", path=path)
    return table.assign(word=table["word"].astype(str))

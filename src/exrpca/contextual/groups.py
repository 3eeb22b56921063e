"""The group of each occurrence: a column, its folder, or its date in bins of years."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import pandas as pd

from exrpca.errors import InputError

# More groups than this are not periods or authors, but something like a line number.
_MOST_GROUPS = 20


def groups_of(assigned: pd.DataFrame, by: str, every: int | None = None) -> pd.Series[Any]:
    """Return the group of each row as a string, missing where the column is empty.

    Parameters
    ----------
    assigned : DataFrame
    by : str
        A column; "folder" is the folder of `source` if there is no such column.
    every : int, optional
        The column has dates or years; this many years make one group.

    Examples
    --------
    >>> table = pd.DataFrame({"date": ["1811-05-01", "1815", "1961"]})
    >>> groups_of(table, "date", every=50).tolist()
    ['1800–1849', '1800–1849', '1950–1999']
    """
    values = _column(assigned, by)
    if every is not None:
        values = _bins(values, by, every)
    groups = values.astype("string").str.strip()
    groups = groups.where(groups != "")
    n = groups.nunique()
    if n < 2:
        only = f"only {groups.dropna().iloc[0]!r}" if n else "no value"
        raise InputError(f"the column {by!r} has {only}: a comparison needs two groups")
    if n > _MOST_GROUPS:
        raise InputError(
            f"the column {by!r} has {n:,} different values, expected at most {_MOST_GROUPS} "
            "groups: for dates or years, pass every=50 for groups of 50 years"
        )
    return groups


def _column(assigned: pd.DataFrame, by: str) -> pd.Series[Any]:
    if by in assigned:
        return assigned[by]
    if by == "folder" and "source" in assigned:
        return assigned["source"].map(lambda source: str(PurePosixPath(str(source)).parent))
    known = ", ".join(map(str, assigned.columns))
    folder = ", or folder" if "source" in assigned else ""
    raise InputError(f"there is no column {by!r} to group by: choose one of {known}{folder}")


def _bins(values: pd.Series[Any], by: str, every: int) -> pd.Series[Any]:
    if every < 1:
        raise InputError(f"every={every} must be at least 1 year")
    # a year, alone or at the start of a date: pandas' own dates end at 1677
    years = values.astype("string").str.extract(r"^\s*(-?\d{1,4})(?:\D|$)", expand=False)
    years = pd.to_numeric(years, errors="coerce")
    if years.isna().all():
        shown = values.dropna().astype(str).unique()[:3]
        raise InputError(
            f"no value of {by!r} begins with a year: {', '.join(shown) or 'all are empty'}"
        )
    first = (years // every * every).astype("Int64")
    last = first + (every - 1)
    text = first.astype("string")
    return text if every == 1 else text + "–" + last.astype("string")

"""Occurrences of words that people have labeled with senses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from exrpca.errors import InputError

COLUMNS = ("word", "lemma", "left", "target", "right", "gold")
# What an occurrence cannot do without; a target may begin or end its text.
_NEEDED = ["word", "lemma", "target", "gold"]


@dataclass(frozen=True, eq=False)
class WsiData:
    """A data set of word sense induction: one row per occurrence of a word.

    Attributes
    ----------
    name : str
        Appears in the `dataset` column of results.
    table : DataFrame
        Columns of strings:

        - `word`: what is scored as one word, such as "access.n";
        - `lemma`: what is looked up in a vocabulary, such as "access";
        - `left`, `target`, `right`: the text before the occurrence, the occurrence itself in
          the form it has there, the text after it;
        - `gold`: the sense that people chose.

    Examples
    --------
    >>> table = pd.DataFrame({
    ...     "word": "bank.n", "lemma": "bank", "left": ["the river", "my"],
    ...     "target": ["banks", "bank"], "right": ["were steep", "lends money"],
    ...     "gold": ["shore", "money"],
    ... })
    >>> data = WsiData("banks", table)
    >>> len(data), data.n_words
    (2, 1)
    """

    name: str
    table: pd.DataFrame

    def __post_init__(self) -> None:
        if missing := [name for name in COLUMNS if name not in self.table]:
            raise InputError(f"the table of occurrences has no column {', '.join(missing)}")
        if (problem := find_problem(self.table)) is not None:
            raise InputError(str(problem))

    def __len__(self) -> int:
        return len(self.table)

    @property
    def n_words(self) -> int:
        """How many words there are."""
        return int(self.table["word"].nunique())


class Problem(NamedTuple):
    """What is wrong with a table of occurrences, and in which row, counted from 0."""

    message: str
    row: int | None = None

    def __str__(self) -> str:
        return self.message if self.row is None else f"row {self.row}: {self.message}"


def find_problem(table: pd.DataFrame) -> Problem | None:
    """Return the first problem of a table with all columns of `WsiData`, or None."""
    if len(table) == 0:
        return Problem("no occurrence, expected at least 1")
    first, message = len(table), ""
    for name in COLUMNS:
        bad = ~table[name].map(lambda value: isinstance(value, str)).to_numpy(dtype=bool)
        if name in _NEEDED:
            bad |= (table[name] == "").to_numpy(dtype=bool, na_value=True)
        if bad[:first].any():
            first = int(bad.argmax())
            value = table[name].iloc[first]
            empty = value == "" if isinstance(value, str) else pd.isna(value)
            message = f"{name} is {'empty' if empty else f'{value}, expected text'}"
    return Problem(message, first) if message else None

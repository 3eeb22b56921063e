"""Occurrences of words that people have labeled with senses."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from exrpca.errors import InputError

COLUMNS = ("word", "lemma", "left", "target", "right", "gold")
# The columns that may be empty: a target can begin or end its text.
_CONTEXT = ("left", "right")


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
        if len(self.table) == 0:
            raise InputError("no occurrence, expected at least 1")
        for name in COLUMNS:
            for row, value in enumerate(self.table[name]):
                if isinstance(value, str) and (value or name in _CONTEXT):
                    continue
                empty = value == "" or pd.isna(value)
                problem = "empty" if empty else f"{value!r}, expected text"
                raise InputError(f"row {row + 1}: {name} is {problem}")

    def __len__(self) -> int:
        return len(self.table)

    @property
    def n_words(self) -> int:
        """How many words there are."""
        return int(self.table["word"].nunique())

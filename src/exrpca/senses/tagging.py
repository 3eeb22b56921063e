"""Text in which each token names its sense: made with sense vectors, renamed after a merge."""

from __future__ import annotations

import csv
import io
import operator
import os
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pandas as pd

from exrpca.errors import InputError
from exrpca.files import open_plain
from exrpca.senses.choice import NO_WORD, SenseChooser, numbered_blocks
from exrpca.senses.formats.key_patterns import DEFAULT_KEY_PATTERN, sense_keys, sign_of
from exrpca.senses.sense_vectors import SenseVectors

MAPPING_COLUMNS = ("word", "old_sense", "new_sense")

# more digits are a slip, and may not fit an integer of a data frame
_SENSE_NUMBER = re.compile("[0-9]{1,9}")

Lines = Iterable[Sequence[str]]


def tag(
    senses: SenseVectors,
    lines: Lines,
    *,
    key_pattern: str = DEFAULT_KEY_PATTERN,
    window: int = 5,
) -> Iterator[list[str]]:
    """Yield the lines with each word of the vocabulary followed by its most probable sense.

    Parameters
    ----------
    senses : SenseVectors
        With centres and global vectors.
    lines : iterable of token sequences
    key_pattern : str, default "word#0"
        How a token shows word and sense; one of `KEY_PATTERNS`.
    window : int, default 5
        How many tokens on each side are the context; those in the vocabulary count.

    Examples
    --------
    >>> senses = SenseVectors(
    ...     ["bank", "river", "money"], [[2, 0], [0, 2], [1, 0], [0, 1]], [2, 1, 1],
    ...     centers=[[1, 0], [0, 1], [1, 1], [1, 1]], globals=[[1, 1], [1, 0], [0, 1]],
    ... )
    >>> list(tag(senses, [["the", "river", "bank"], ["money", "bank"]]))
    [['the', 'river#0', 'bank#0'], ['money#0', 'bank#1']]
    """
    chooser = SenseChooser(senses, window=window)
    keys = sense_keys(senses.words, senses.n_senses, key_pattern)
    positions = {word: at for at, word in enumerate(senses.words)}
    for block, tokens, starts in numbered_blocks(lines, positions):
        sense = chooser.choose(tokens, starts)
        rows = np.where(tokens >= 0, senses.offsets[tokens] + sense, NO_WORD).tolist()
        ends = starts.tolist()
        for line, start, end in zip(block, ends, ends[1:], strict=False):
            yield [
                keys[row] if row >= 0 else token
                for token, row in zip(line, rows[start:end], strict=True)
            ]


class Retagger:
    """Replaces the old senses of a tagged text by the new ones, and counts them.

    Parameters
    ----------
    mapping : DataFrame
        Columns `word`, `old_sense` and `new_sense`, as `merge` returns.
    key_pattern : str, default "word#0"
        How a token shows word and sense; one of `KEY_PATTERNS` that has a number.

    Attributes
    ----------
    n_known, n_renamed : int
        How many tokens named a sense of the map so far, and how many of these changed.

    Examples
    --------
    >>> mapping = pd.DataFrame({"word": "bank", "old_sense": [0, 1, 2], "new_sense": [0, 1, 1]})
    >>> retagger = Retagger(mapping)
    >>> list(retagger.retag([["the", "bank#2"], ["bank#0"]]))
    [['the', 'bank#1'], ['bank#0']]
    >>> retagger.n_known, retagger.n_renamed
    (2, 1)
    """

    def __init__(self, mapping: pd.DataFrame, *, key_pattern: str = DEFAULT_KEY_PATTERN) -> None:
        sign = sign_of(key_pattern)
        if not sign:
            raise InputError(f"key_pattern={key_pattern!r} names no sense that could be renamed")
        words, old, new = (mapping[column] for column in MAPPING_COLUMNS)
        self._new_token = {
            f"{w}{sign}{a}": f"{w}{sign}{b}" for w, a, b in zip(words, old, new, strict=True)
        }
        self.n_known = 0
        self.n_renamed = 0

    def retag(self, lines: Lines) -> Iterator[list[str]]:
        """Yield the lines with their senses renamed; tokens that name none of the map stay."""
        for line in lines:
            retagged = [self._new_token.get(token, token) for token in line]
            self.n_known += sum(token in self._new_token for token in line)
            self.n_renamed += sum(map(operator.ne, line, retagged))
            yield retagged


def read_mapping(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read the map of a merge from CSV: columns `word`, `old_sense` and `new_sense`."""
    with open_plain(path) as file, io.TextIOWrapper(file, "utf-8-sig", newline="") as text:
        rows = csv.reader(text, strict=True)
        try:
            return _mapping_of(rows)
        except (csv.Error, UnicodeDecodeError) as error:
            raise InputError(f"is no CSV ({error})", path=path) from None
        except InputError as error:
            raise InputError(error.message, path=path, line=rows.line_num or 1) from None


def _mapping_of(rows: Iterator[list[str]]) -> pd.DataFrame:
    header = next(rows, [])
    missing = [c for c in MAPPING_COLUMNS if c not in header]
    if missing:
        raise InputError(f"no column {', '.join(missing)}; `merge` writes them all")
    places = [header.index(column) for column in MAPPING_COLUMNS]
    new_sense: dict[tuple[str, int], int] = {}
    for row in filter(None, rows):  # a blank line is no row
        if len(row) != len(header):
            raise InputError(f"{len(row)} fields, expected {len(header)}")
        word, old, new = (row[place] for place in places)
        sense = word, _sense_number(old)
        if sense in new_sense:
            raise InputError(f"sense {old} of {word!r} stands twice: keep one of the rows")
        new_sense[sense] = _sense_number(new)
    found = [(word, old, new) for (word, old), new in new_sense.items()]
    return pd.DataFrame(found, columns=list(MAPPING_COLUMNS))


def _sense_number(field: str) -> int:
    if not _SENSE_NUMBER.fullmatch(field):
        raise InputError(f"the sense {field!r} must be a whole number of at most 9 digits")
    return int(field)

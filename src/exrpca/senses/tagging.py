"""Text in which each token names its sense: made with sense vectors, renamed after a merge."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pandas as pd

from exrpca.errors import InputError
from exrpca.files import open_plain
from exrpca.senses.choice import NO_WORD, SenseChooser, numbered_blocks
from exrpca.senses.formats.key_patterns import DEFAULT_KEY_PATTERN, sense_keys, sign_of
from exrpca.senses.sense_vectors import SenseVectors

MAPPING_COLUMNS = ("word", "old_sense", "new_sense")

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


def retag(
    lines: Lines, mapping: pd.DataFrame, *, key_pattern: str = DEFAULT_KEY_PATTERN
) -> Iterator[list[str]]:
    """Yield the tagged lines with each old sense replaced by the new one.

    Parameters
    ----------
    lines : iterable of token sequences
        What `tag` yields; tokens that name no sense of `mapping` stay.
    mapping : DataFrame
        Columns `word`, `old_sense` and `new_sense`, as `merge` returns.
    key_pattern : str, default "word#0"

    Examples
    --------
    >>> mapping = pd.DataFrame({"word": "bank", "old_sense": [0, 1, 2], "new_sense": [0, 1, 1]})
    >>> list(retag([["the", "bank#2"]], mapping))
    [['the', 'bank#1']]
    """
    sign = sign_of(key_pattern)
    words, old, new = (mapping[column] for column in MAPPING_COLUMNS)
    renamed = {f"{w}{sign}{a}": f"{w}{sign}{b}" for w, a, b in zip(words, old, new, strict=True)}
    for line in lines:
        yield [renamed.get(token, token) for token in line]


def read_mapping(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read the map of a merge from CSV: columns `word`, `old_sense` and `new_sense`."""
    with open_plain(path) as file:
        try:
            # "null" and "007" are words here
            mapping = pd.read_csv(file, dtype=str, keep_default_na=False)
        except (ValueError, UnicodeDecodeError) as error:
            raise InputError(f"is no CSV ({error})", path=path) from None
    missing = [c for c in MAPPING_COLUMNS if c not in mapping]
    if missing:
        raise InputError(f"no column {', '.join(missing)}; `merge` writes them all", path=path)
    for column in MAPPING_COLUMNS[1:]:
        bad = ~mapping[column].str.fullmatch("[0-9]+")
        if bad.any():
            found = mapping[column][bad].iloc[0]
            raise InputError(f"{column} {found!r} is no whole number", path=path)
    return mapping.astype({"old_sense": np.int64, "new_sense": np.int64})

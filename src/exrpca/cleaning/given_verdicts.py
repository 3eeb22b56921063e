"""Verdicts that a person gives: kept in a file, and put in place of those of `detect`."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Mapping
from typing import Literal, get_args

import pandas as pd

from exrpca.errors import InputError, UnknownWordError
from exrpca.files import atomic_path
from exrpca.senses import SenseVectors
from exrpca.tables import read_table

Verdict = Literal["real", "pseudo", "undecided"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

# A pair: the word and its two senses, the lower number first.
Pair = tuple[str, int, int]
Verdicts = Mapping[Pair, Verdict]

# No sense has a number of more digits.
_SENSE_NUMBER = re.compile(r"[0-9]{1,9}")

_COLUMNS = ("word", "sense_a", "sense_b", "verdict")


def read_verdicts(path: str | os.PathLike[str], senses: SenseVectors) -> dict[Pair, Verdict]:
    r"""Read a file of verdicts, as `exrpca explore --verdicts` writes it.

    Parameters
    ----------
    path : path-like
        A CSV file with the columns `word`, `sense_a`, `sense_b` and `verdict` ("real", "pseudo"
        or "undecided"); others are ignored.
    senses : SenseVectors
        The vectors that the verdicts are about. A pair that they do not have is an error.

    Returns
    -------
    dict
        The verdict on each pair (word, sense_a, sense_b) with sense_a < sense_b.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "verdicts.csv"
    >>> _ = path.write_text("word,sense_a,sense_b,verdict\nbank,1,0,pseudo\n")
    >>> read_verdicts(path, SenseVectors(["bank"], [[1, 0], [0, 1]], [2]))
    {('bank', 0, 1): 'pseudo'}
    """
    found: dict[Pair, Verdict] = {}

    def add(word: str, a: str, b: str, verdict: str) -> None:
        if not (_SENSE_NUMBER.fullmatch(a) and _SENSE_NUMBER.fullmatch(b)):
            raise InputError(f"the senses {a!r} and {b!r} must be whole numbers")
        pair = checked_pair(senses, word, int(a), int(b))
        if pair in found:
            raise InputError(f"senses {a} and {b} of {word!r} appear twice: keep one of the rows")
        found[pair] = _verdict(verdict)

    read_table(path, _COLUMNS, add)
    return found


def write_verdicts(path: str | os.PathLike[str], verdicts: Verdicts) -> None:
    r"""Write verdicts as a CSV file that `read_verdicts` reads.

    Parameters
    ----------
    path : path-like
    verdicts : mapping
        The verdict on each pair (word, sense_a, sense_b).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "verdicts.csv"
    >>> write_verdicts(path, {("bank", 0, 1): "pseudo"})
    >>> path.read_text()
    'word,sense_a,sense_b,verdict\nbank,0,1,pseudo\n'
    """
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(_COLUMNS)
        rows.writerows((*pair, verdict) for pair, verdict in verdicts.items())


def with_verdicts(pairs: pd.DataFrame, verdicts: Verdicts) -> pd.DataFrame:
    """Return pairs with the verdicts given instead of those found.

    Parameters
    ----------
    pairs : DataFrame
        As `detect` returns.
    verdicts : mapping
        As `read_verdicts` returns. Pairs without one keep theirs.

    Returns
    -------
    DataFrame
        A copy. Where a pair was given as real or pseudo, its probability is 1 or 0.

    Examples
    --------
    >>> pairs = pd.DataFrame({
    ...     "word": "bank", "sense_a": [0, 0], "sense_b": [1, 2],
    ...     "probability": [0.4, 0.4], "verdict": "undecided",
    ... })
    >>> with_verdicts(pairs, {("bank", 0, 2): "real"})
       word  sense_a  sense_b  probability    verdict
    0  bank        0        1          0.4  undecided
    1  bank        0        2          1.0       real
    """
    keys = zip(pairs["word"], pairs["sense_a"], pairs["sense_b"], strict=True)
    given = pd.Series([verdicts.get(key) for key in keys], index=pairs.index, dtype=object)
    known = given.map({"real": 1.0, "pseudo": 0.0})
    return pairs.assign(
        probability=pairs["probability"].where(known.isna(), known.astype(float)),
        verdict=pairs["verdict"].where(given.isna(), given),
    )


def checked_pair(senses: SenseVectors, word: str, sense_a: int, sense_b: int) -> Pair:
    """Return a pair with the lower sense first; `UnknownWordError` if vectors lack it."""
    n = int(senses.n_senses[senses.index(word)])
    a, b = sorted((sense_a, sense_b))
    if not 0 <= a < b < n:
        raise UnknownWordError(f"{word!r} has no pair of senses {sense_a} and {sense_b}")
    return word, a, b


def _verdict(text: str) -> Verdict:
    for verdict in VERDICTS:
        if text == verdict:
            return verdict
    raise InputError(f"the verdict {text!r} must be real, pseudo or undecided")

"""Word pairs that people have rated for similarity: WordSim-353, SimLex-999 and files like them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.files import read_text


@dataclass(frozen=True)
class Context:
    """The tokens before and after a word in its sentence."""

    left: tuple[str, ...]
    right: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class WordPairs:
    """Pairs of words with the mean rating people gave them.

    Attributes
    ----------
    name : str
        Stands in the `dataset` column of results.
    words : tuple of (str, str)
    ratings : ndarray of shape (n_pairs,)
    contexts : tuple of (Context, Context) or None
        Where the two words stood when they were rated; None when they were shown alone.
    """

    name: str
    words: tuple[tuple[str, str], ...]
    ratings: NDArray[np.float64]
    contexts: tuple[tuple[Context, Context], ...] | None = None

    def __len__(self) -> int:
        return len(self.words)


def read_word_pairs(path: str | os.PathLike[str], *, name: str | None = None) -> WordPairs:
    """Read a text file with two words and a rating per line, separated by tabs, commas or spaces.

    Empty lines and those that begin with `#` do not count. The first other line may be a
    heading.

    Parameters
    ----------
    path : path-like
    name : str, optional
        The name of the data set; by default the file's name without its ending.

    Returns
    -------
    WordPairs
    """
    words: list[tuple[str, str]] = []
    ratings: list[float] = []
    may_be_heading = True
    for number, fields in _fields(read_text(path)):
        if len(fields) != 3:
            raise InputError(
                f"{len(fields)} fields, expected 3: word, word, rating", path=path, line=number
            )
        try:
            rating = float(fields[2])
        except ValueError:
            if may_be_heading:
                may_be_heading = False
                continue
            raise InputError(
                f"the rating {fields[2]!r} is not a number", path=path, line=number
            ) from None
        may_be_heading = False
        if not np.isfinite(rating):
            raise InputError(f"the rating {fields[2]!r} is not finite", path=path, line=number)
        words.append((fields[0], fields[1]))
        ratings.append(rating)
    if len(words) < 2:
        raise InputError(f"{len(words)} word pairs, expected at least 2", path=path)
    return WordPairs(name or Path(path).stem, tuple(words), np.array(ratings))


def wordsim353() -> WordPairs:
    """Return WordSim-353: 353 word pairs rated for relatedness, bundled with the package.

    References
    ----------
    Finkelstein, Gabrilovich, Matias, Rivlin, Solan, Wolfman, Ruppin (2001). Placing Search in
    Context: The Concept Revisited. Proceedings of the 10th International Conference on World
    Wide Web, 406-414.

    Examples
    --------
    >>> pairs = wordsim353()
    >>> len(pairs), pairs.words[0], float(pairs.ratings[0])
    (353, ('love', 'sex'), 6.77)
    """
    with resources.as_file(resources.files("exrpca") / "data" / "wordsim353.tsv") as path:
        return read_word_pairs(path, name="WS-353")


def _fields(text: str) -> list[tuple[int, list[str]]]:
    """Return the numbered lines that count, each split at the kind of separator it has."""
    numbered = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, _split(line)) for number, line in numbered if line and line[0] != "#"]


def _split(line: str) -> list[str]:
    separator = next((mark for mark in ("\t", ",", ";") if mark in line), None)
    return [field.strip() for field in line.split(separator)]

"""Word pairs that people have rated for similarity: SCWS, WordSim-353, SimLex-999 and the like."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.files import read_text
from exrpca.text.tokens import Tokenizer, TokenizerName

Row = TypeVar("Row")

# SCWS: id, word, part of speech, word, part of speech, 2 contexts, mean rating, 10 ratings
_N_SCWS_FIELDS = 18
_TARGET = re.compile(r"<b>(.*?)</b>")


@dataclass(frozen=True)
class Context:
    """The tokens before and after a word in its sentence.

    Examples
    --------
    >>> Context(left=("the", "river"), right=("was", "wide"))
    Context(left=('the', 'river'), right=('was', 'wide'))
    """

    left: tuple[str, ...]
    right: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class WordPairs:
    """Pairs of words with the mean rating people gave them.

    Attributes
    ----------
    name : str
        What the `dataset` column of results says.
    words : tuple of (str, str)
    ratings : ndarray of shape (n_pairs,)
    contexts : tuple of (Context, Context) or None
        The sentences that the two words were rated in; None if they were shown alone.

    Examples
    --------
    >>> pairs = WordPairs("mine", (("bank", "money"), ("bank", "tree")), np.array([8.0, 1.5]))
    >>> len(pairs)
    2
    """

    name: str
    words: tuple[tuple[str, str], ...]
    ratings: NDArray[np.float64]
    contexts: tuple[tuple[Context, Context], ...] | None = None

    def __len__(self) -> int:
        return len(self.words)


def read_word_pairs(path: str | os.PathLike[str], *, name: str | None = None) -> WordPairs:
    r"""Read a text file with two words and a rating per line.

    Tabs, commas, semicolons or spaces separate the three. Empty lines and lines that begin with
    `#` are skipped. The first other line may be a header.

    Parameters
    ----------
    path : path-like
    name : str, optional
        The name of the data set; by default the file's name without its ending.

    Returns
    -------
    WordPairs

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "mine.csv"
    >>> _ = path.write_text("word 1,word 2,rating\nbank,money,8\nbank,tree,1.5\n")
    >>> read_word_pairs(path).words
    (('bank', 'money'), ('bank', 'tree'))
    """

    def parse(fields: list[str]) -> tuple[tuple[str, str], float]:
        if len(fields) != 3:
            raise ValueError(f"{len(fields)} fields, expected 3: word, word, rating")
        rating = _number(fields[2])
        if not np.isfinite(rating):
            raise ValueError(f"the rating {fields[2]!r} is not finite")
        return (fields[0], fields[1]), rating

    lines = [(number, line) for number, line in _lines(path) if not line.startswith("#")]
    if lines and _is_heading(_split(lines[0][1])):
        del lines[0]
    rows = _parsed(path, [(number, _split(line)) for number, line in lines], parse)
    words, ratings = zip(*rows, strict=True)
    return WordPairs(name or Path(path).stem, words, np.array(ratings))


def read_scws(
    path: str | os.PathLike[str], *, tokenizer: TokenizerName = "whitespace"
) -> WordPairs:
    r"""Read `ratings.txt` of SCWS, Stanford's Contextual Word Similarities, or a file like it.

    Each line has 18 fields separated by tabs. The word is marked once in its context, as
    `<b> word </b>`. `exrpca datasets get scws` fetches the file.

    Parameters
    ----------
    path : path-like
    tokenizer : {"words", "whitespace"}, default "whitespace"
        How the contexts become tokens; see `Tokenizer`. Those of SCWS are tokenized already.

    Returns
    -------
    WordPairs
        With contexts.

    References
    ----------
    Huang, Socher, Manning, Ng (2012). Improving Word Representations via Global Context and
    Multiple Word Prototypes. ACL 2012, 873-882.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> contexts = ["the river <b> bank </b> was", "a <b> loan </b> ."]
    >>> line = "\t".join(["1", "bank", "n", "loan", "n", *contexts, *["2.0"] * 11])
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ratings.txt"
    >>> _ = path.write_text(f"{line}\n{line}\n")
    >>> read_scws(path).contexts[0][0]
    Context(left=('the', 'river'), right=('was',))
    """
    split = Tokenizer(tokenizer).tokens

    def context(text: str) -> Context:
        targets = list(_TARGET.finditer(text))
        if len(targets) != 1:
            raise ValueError(f"a context has {len(targets)} words marked <b> … </b>, expected 1")
        start, end = targets[0].span()
        return Context(tuple(split(text[:start])), tuple(split(text[end:])))

    def parse(fields: list[str]) -> tuple[tuple[str, str], float, tuple[Context, Context]]:
        if len(fields) != _N_SCWS_FIELDS:
            raise ValueError(
                f"{len(fields)} tab-separated fields, expected {_N_SCWS_FIELDS} (SCWS's "
                "ratings.txt: id, word, part of speech, word, part of speech, 2 contexts, mean "
                "rating, 10 ratings)"
            )
        pair = fields[1].strip(), fields[3].strip()
        if not all(pair):
            raise ValueError("a word is empty")
        rating = _number(fields[7])
        if not 0 <= rating <= 10:
            raise ValueError(f"the rating {fields[7]} is not between 0 and 10")
        return pair, rating, (context(fields[5]), context(fields[6]))

    lines = [(number, line.split("\t")) for number, line in _lines(path)]
    words, ratings, contexts = zip(*_parsed(path, lines, parse), strict=True)
    return WordPairs("SCWS", words, np.array(ratings), contexts)


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


def _lines(path: str | os.PathLike[str]) -> list[tuple[int, str]]:
    """Return the lines that are not empty, with their numbers."""
    lines = read_text(path).replace("\r\n", "\n").split("\n")
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _parsed(
    path: str | os.PathLike[str],
    lines: list[tuple[int, list[str]]],
    parse: Callable[[list[str]], Row],
) -> list[Row]:
    """Return what `parse` makes of the fields of each line; its ValueErrors name the line."""
    rows = []
    for number, fields in lines:
        try:
            rows.append(parse(fields))
        except ValueError as error:
            raise InputError(str(error), path=path, line=number) from None
    if len(rows) < 2:
        raise InputError(f"{len(rows)} word pairs, expected at least 2", path=path)
    return rows


def _split(line: str) -> list[str]:
    separator = next((mark for mark in ("\t", ",", ";") if mark in line), None)
    return [field.strip() for field in line.split(separator)]


def _is_heading(fields: list[str]) -> bool:
    try:
        _number(fields[-1])
    except ValueError:
        return len(fields) == 3
    return False


def _number(field: str) -> float:
    try:
        return float(field)
    except ValueError:
        raise ValueError(f"the rating {field!r} is not a number") from None

"""Text in which each word names its sense: made with sense vectors, renamed after a merge."""

from __future__ import annotations

import csv
import io
import operator
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.files import open_plain
from exrpca.senses import SenseVectors
from exrpca.senses.formats import key_pattern_of
from exrpca.senses.formats.key_patterns import DEFAULT_KEY_PATTERN, key_pattern_named
from exrpca.senses.formats.key_writing import sense_keys
from exrpca.text.choice import check_without_encoder, choose_senses
from exrpca.text.context import ContextSettings
from exrpca.text.coverage import Coverage
from exrpca.text.forms import Forms, words_of_forms
from exrpca.text.lookup import Lookup
from exrpca.text.sense_encoder import TOKENS_PER_SENTENCE, SenseEncoder, choice_by_encoder
from exrpca.text.tokens import DEFAULT_TOKENIZER, TextTokens, Tokenizer, TokenizerName

MAPPING_COLUMNS = ("word", "old_sense", "new_sense")

Lines = Iterable[str] | Iterable[Sequence[str]]
Integers = NDArray[np.int64]
# From lines, the numbers of their tokens and where lines start to the sense of each token.
Choose = Callable[[Sequence[Sequence[str]], Integers, Integers], Integers]

# Tokens whose senses are chosen at a time: so many that threads are worth it, so few that a
# progress bar moves.
_BLOCK = 1 << 18

# more digits are a slip, and may not fit an integer of a data frame
_SENSE_NUMBER = re.compile("[0-9]{1,9}")


@overload
def tag(  # type: ignore[overload-overlap]  # a str is a sequence of str to mypy
    senses: SenseVectors,
    lines: Iterable[str],
    *,
    key_pattern: str | None = ...,
    window: int | None = ...,
    tokenizer: TokenizerName = ...,
    forms: Forms | None = ...,
    coverage: Coverage | None = ...,
    encoder: SenseEncoder | None = ...,
) -> Iterator[str]: ...
@overload
def tag(
    senses: SenseVectors,
    lines: Iterable[Sequence[str]],
    *,
    key_pattern: str | None = ...,
    window: int | None = ...,
    tokenizer: TokenizerName = ...,
    forms: Forms | None = ...,
    coverage: Coverage | None = ...,
    encoder: SenseEncoder | None = ...,
) -> Iterator[list[str]]: ...
def tag(
    senses: SenseVectors,
    lines: Lines,
    *,
    key_pattern: str | None = None,
    window: int | None = None,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    forms: Forms | None = None,
    coverage: Coverage | None = None,
    encoder: SenseEncoder | None = None,
) -> Iterator[str] | Iterator[list[str]]:
    """Return the lines with each word of the vocabulary replaced by its most probable sense.

    Parameters
    ----------
    senses : SenseVectors
        Centers and global vectors choose the senses; without them, the sense vectors do.
        Senses from `induce` need the encoder.
    lines : iterable of str, or of token sequences
        A context does not reach beyond its line.
    key_pattern : str, optional
        How a sense is written; one of `KEY_PATTERNS`. By default the one that the vectors came
        with if it has labels, as "word|NOUN", and "word#0" otherwise, with numbers from 0. The
        word has the form it has in the vocabulary: "Banks" becomes "banks#1" if that is how the
        vocabulary spells it.
    window : int, optional
        How many tokens on each side are the context. Tokens that are not in the vocabulary
        take a place but add nothing.
        By default, as many as the centers were made with.
    tokenizer : {"words", "whitespace"}, default "words"
        How a str becomes tokens; see `Tokenizer`.
    forms : mapping or path, optional
        The words of other forms, as {"banks": "bank"}, or a CSV file with the columns `form` and
        `word`: "banks" becomes "bank#1" if only "bank" has senses.
    coverage : Coverage, optional
        Counts the tokens that are tagged.
    encoder : exrpca.contextual.Encoder, optional
        Chooses among senses from `induce`, which need the encoder that they were made with.

    Returns
    -------
    iterator of str, or of lists of str
        A str for a str, with the text between the words unchanged; a list for a sequence.

    Examples
    --------
    >>> senses = SenseVectors(
    ...     ["bank", "river", "money"], [[2, 0], [0, 2], [1, 0], [0, 1]], [2, 1, 1],
    ...     centers=[[1, 0], [0, 1], [1, 1], [1, 1]], globals=[[1, 1], [1, 0], [0, 1]],
    ... )
    >>> list(tag(senses, ["The River, its Bank.", "(money in the bank)"]))
    ['The river#0, its bank#0.', '(money#0 in the bank#1)']
    >>> list(tag(senses, [["the", "river", "bank"], ["money", "bank"]]))
    [['the', 'river#0', 'bank#0'], ['money#0', 'bank#1']]
    >>> list(tag(senses, ["Banks of rivers"], forms={"banks": "bank", "rivers": "river"}))
    ['bank#0 of river#0']
    """
    choose, cost = _choice(senses, window, encoder)
    keys = keys_in_text(senses, key_pattern)
    lookup = Lookup(senses, words_of_forms(forms))
    split = _splitter(lines, Tokenizer(tokenizer), lookup.knows)
    coverage = coverage or Coverage()
    return _tagged(senses, map(split, lines), lookup, keys, choose, cost, coverage)  # type: ignore[return-value]


def keys_in_text(senses: SenseVectors, key_pattern: str | None = None) -> list[str]:
    """Return how each sense is written into a text; see `tag`."""
    if key_pattern is None:
        came_with = key_pattern_of(senses)
        is_labeled = key_pattern_named(came_with).is_labeled
        key_pattern = came_with if is_labeled else DEFAULT_KEY_PATTERN
    # numbers in a text count from 0, as in the mapping of `merge`, even if labels are numbers
    labels = senses.labels if key_pattern_named(key_pattern).is_labeled else None
    return sense_keys(senses.words, senses.n_senses, key_pattern, labels)


def _choice(
    senses: SenseVectors, window: int | None, encoder: SenseEncoder | None
) -> tuple[Choose, Callable[[list[int]], int]]:
    """Return what chooses the senses of lines, and what a line costs in tokens looked up."""
    if encoder is None:
        settings = ContextSettings.of(senses, window)
        check_without_encoder(senses)
        return lambda _, tokens, starts: choose_senses(senses, tokens, starts, settings), len
    several = set(np.flatnonzero(senses.n_senses > 1).tolist())

    def cost(tokens: list[int]) -> int:
        return len(tokens) + TOKENS_PER_SENTENCE * sum(token in several for token in tokens)

    return choice_by_encoder(senses, encoder, window), cost


def _tagged(
    senses: SenseVectors,
    lines: Iterable[Sequence[str]],
    lookup: Lookup,
    keys: list[str],
    choose: Choose,
    cost: Callable[[list[int]], int],
    coverage: Coverage,
) -> Iterator[str | list[str]]:
    for block, tokens, starts in numbered_blocks(lines, lookup.__getitem__, cost=cost):
        coverage.add(senses, tokens)
        sense = choose(block, tokens, starts)
        rows = np.where(tokens >= 0, senses.offsets[tokens] + sense, -1).tolist()
        ends = starts.tolist()
        for line, start, end in zip(block, ends, ends[1:], strict=False):
            yield _joined(
                line,
                [
                    keys[row] if row >= 0 else token
                    for token, row in zip(line, rows[start:end], strict=True)
                ],
            )


def numbered_blocks(
    lines: Iterable[Sequence[str]],
    number: Callable[[str], int],
    *,
    cost: Callable[[list[int]], int] = len,
) -> Iterator[tuple[list[Sequence[str]], Integers, Integers]]:
    """Yield lines, many at a time, with the numbers of their tokens and where each line starts.

    Parameters
    ----------
    lines : iterable of token sequences
    number : callable
        Returns the number of a token.
    cost : callable, default len
        Returns what a line with such numbers costs; a block costs about a million.

    Examples
    --------
    >>> for block, tokens, starts in numbered_blocks([["a", "b"], ["a"]], {"a": 7, "b": 8}.get):
    ...     print(block, tokens, starts)
    [['a', 'b'], ['a']] [7 8 7] [0 2 3]
    """
    block: list[Sequence[str]] = []
    tokens: list[int] = []
    starts, total = [0], 0
    for line in lines:
        block.append(line)
        numbers = [*map(number, line)]
        tokens += numbers
        starts.append(len(tokens))
        total += cost(numbers)
        if total >= _BLOCK:
            yield block, np.array(tokens, dtype=np.int64), np.array(starts, dtype=np.int64)
            block, tokens, starts, total = [], [], [0], 0
    yield block, np.array(tokens, dtype=np.int64), np.array(starts, dtype=np.int64)


def _splitter(
    lines: Lines, tokenizer: Tokenizer, known: Callable[[str], bool]
) -> Callable[[str | Sequence[str]], Sequence[str]]:
    """Return what turns a line into tokens."""
    if isinstance(lines, str):
        raise InputError("lines is a str, expected an iterable of lines: put it into a list")

    def split(line: str | Sequence[str]) -> Sequence[str]:
        return tokenizer.tokens(line, known) if isinstance(line, str) else line

    return split


def _joined(line: Sequence[str], tokens: list[str]) -> str | list[str]:
    """Return new tokens as the kind of line that the old ones were."""
    return line.text_with(tokens) if isinstance(line, TextTokens) else tokens


class Retagger:
    """Replaces the old senses of a tagged text by the new ones, and counts them.

    Parameters
    ----------
    mapping : DataFrame
        Columns `word`, `old_sense` and `new_sense`, as `merge` returns.
    key_pattern : str, default "word#0"
        How a sense is written in the text; one of `KEY_PATTERNS` that has a number.
    tokenizer : {"words", "whitespace"}, default "words"
        The one that the text was tagged with.

    Attributes
    ----------
    n_known, n_renamed : int
        How many tokens named a sense of the mapping so far, and how many of them changed.

    Examples
    --------
    >>> mapping = pd.DataFrame({"word": "bank", "old_sense": [0, 1, 2], "new_sense": [0, 1, 1]})
    >>> retagger = Retagger(mapping)
    >>> list(retagger.retag(["The bank#2, a bank#0."]))
    ['The bank#1, a bank#0.']
    >>> retagger.n_known, retagger.n_renamed
    (2, 1)
    """

    def __init__(
        self,
        mapping: pd.DataFrame,
        *,
        key_pattern: str = DEFAULT_KEY_PATTERN,
        tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    ) -> None:
        sign = key_pattern_named(key_pattern).sign
        if not sign:
            raise InputError(f"key_pattern={key_pattern!r} has no numbers that could be renamed")
        words, old, new = (mapping[column] for column in MAPPING_COLUMNS)
        self._new_token = {
            f"{w}{sign}{a}": f"{w}{sign}{b}" for w, a, b in zip(words, old, new, strict=True)
        }
        self._tokenizer = Tokenizer(tokenizer, sign=sign)
        self.n_known = 0
        self.n_renamed = 0

    @overload
    def retag(self, lines: Iterable[str]) -> Iterator[str]: ...  # type: ignore[overload-overlap]
    @overload
    def retag(self, lines: Iterable[Sequence[str]]) -> Iterator[list[str]]: ...
    def retag(self, lines: Lines) -> Iterator[str] | Iterator[list[str]]:
        """Return the lines with their senses renamed; tokens that name no known sense stay."""
        split = _splitter(lines, self._tokenizer, self._new_token.__contains__)
        return map(self._retagged, map(split, lines))  # type: ignore[return-value]

    def _retagged(self, line: Sequence[str]) -> str | list[str]:
        retagged = [self._new_token.get(token, token) for token in line]
        self.n_known += sum(token in self._new_token for token in line)
        self.n_renamed += sum(map(operator.ne, line, retagged))
        return _joined(line, retagged)


@overload
def retag(  # type: ignore[overload-overlap]
    mapping: pd.DataFrame,
    lines: Iterable[str],
    *,
    key_pattern: str = ...,
    tokenizer: TokenizerName = ...,
) -> Iterator[str]: ...
@overload
def retag(
    mapping: pd.DataFrame,
    lines: Iterable[Sequence[str]],
    *,
    key_pattern: str = ...,
    tokenizer: TokenizerName = ...,
) -> Iterator[list[str]]: ...
def retag(
    mapping: pd.DataFrame,
    lines: Lines,
    *,
    key_pattern: str = DEFAULT_KEY_PATTERN,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
) -> Iterator[str] | Iterator[list[str]]:
    """Return tagged lines with each old sense replaced by the one it was merged into.

    Parameters
    ----------
    mapping : DataFrame
        Columns `word`, `old_sense` and `new_sense`, as `merge` returns.
    lines : iterable of str, or of token sequences
        As `tag` returns them.
    key_pattern, tokenizer
        Those the text was tagged with.

    Examples
    --------
    >>> mapping = pd.DataFrame({"word": "bank", "old_sense": [0, 1, 2], "new_sense": [0, 1, 1]})
    >>> list(retag(mapping, [["the", "bank#2"], ["bank#0"]]))
    [['the', 'bank#1'], ['bank#0']]
    """
    return Retagger(mapping, key_pattern=key_pattern, tokenizer=tokenizer).retag(lines)


def read_mapping(path: str | os.PathLike[str]) -> pd.DataFrame:
    r"""Read the mapping that `exrpca merge --map` wrote.

    Parameters
    ----------
    path : path-like
        A CSV file with the columns `word`, `old_sense` and `new_sense`; others are ignored.

    Returns
    -------
    DataFrame
        The three columns, as `retag` needs them.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "map.csv"
    >>> _ = path.write_text("word,old_sense,new_sense\nbank,0,0\nbank,1,0\n")
    >>> read_mapping(path)
       word  old_sense  new_sense
    0  bank          0          0
    1  bank          1          0
    """
    with open_plain(path) as file, io.TextIOWrapper(file, "utf-8-sig", newline="") as text:
        rows = csv.reader(text, strict=True)
        try:
            return _mapping_of(rows)
        except (csv.Error, UnicodeDecodeError) as error:
            raise InputError(f"is not a CSV file ({error})", path=path) from None
        except InputError as error:
            raise InputError(error.message, path=path, line=rows.line_num or 1) from None


def _mapping_of(rows: Iterator[list[str]]) -> pd.DataFrame:
    header = next(rows, [])
    missing = [c for c in MAPPING_COLUMNS if c not in header]
    if missing:
        raise InputError(f"no column {', '.join(missing)}; `merge` writes them all")
    places = [header.index(column) for column in MAPPING_COLUMNS]
    new_sense: dict[tuple[str, int], int] = {}
    for row in filter(None, rows):  # blank lines are allowed
        if len(row) != len(header):
            raise InputError(f"{len(row)} fields, expected {len(header)}")
        word, old, new = (row[place] for place in places)
        sense = word, _sense_number(old)
        if sense in new_sense:
            raise InputError(f"sense {old} of {word!r} appears twice: keep one of the rows")
        new_sense[sense] = _sense_number(new)
    found = [(word, old, new) for (word, old), new in new_sense.items()]
    return pd.DataFrame(found, columns=list(MAPPING_COLUMNS))


def _sense_number(field: str) -> int:
    if not _SENSE_NUMBER.fullmatch(field):
        raise InputError(f"the sense {field!r} must be a whole number of at most 9 digits")
    return int(field)

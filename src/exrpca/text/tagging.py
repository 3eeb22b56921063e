"""Text in which each word names its sense: made with sense vectors, renamed after a merge."""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeVar, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.senses import SenseVectors
from exrpca.senses.formats import key_pattern_of
from exrpca.senses.formats.key_patterns import DEFAULT_KEY_PATTERN, key_pattern_named
from exrpca.senses.formats.key_writing import sense_keys
from exrpca.senses.metadata import is_induced
from exrpca.tables import read_table
from exrpca.text.choice import check_without_encoder, choose_senses
from exrpca.text.context import ContextSettings
from exrpca.text.lookup import Forms, lookup_in
from exrpca.text.sense_encoder import TOKENS_PER_SENTENCE, SenseEncoder, choice_by_encoder
from exrpca.text.tokens import DEFAULT_TOKENIZER, TextTokens, Tokenizer, TokenizerName

MAPPING_COLUMNS = ("word", "old_sense", "new_sense")

Lines = Iterable[str] | Iterable[Sequence[str]]
Integers = NDArray[np.int64]
# From lines, the numbers of their tokens and where lines start to the sense of each token.
Choose = Callable[[Sequence[Sequence[str]], Integers, Integers], Integers]

Line = TypeVar("Line", str, Sequence[str])

# How a tagged text is written: see `tag`.
TagForm = Literal["sense", "keep", "vertical"]

# Tokens whose senses are chosen at a time: enough that threads are worth it, few enough that a
# progress bar moves.
_BLOCK = 1 << 18

# more digits are a slip, and may not fit an integer of a data frame
_SENSE_NUMBER = re.compile("[0-9]{1,9}")


class Tagged(Iterator[Line]):
    """Tagged lines, which can be read once, and how much of the text has been tagged so far.

    `tag` makes them. Printed, they say how much was tagged.

    Attributes
    ----------
    n_tokens : int
        All tokens.
    n_tagged : int
        Those that are words of the vocabulary.
    n_chosen : int
        Those of them whose word has several senses.

    Examples
    --------
    >>> from exrpca import SenseVectors, tag
    >>> tagged = tag(
    ...     SenseVectors(["bank", "river"], [[1, 0], [0, 1], [0, 1]], [2, 1]), ["The river bank."]
    ... )
    >>> list(tagged)
    ['The river#0 bank#1.']
    >>> print(tagged)
    2 of 3 tokens tagged (66.7%), 1 of them with several senses to choose from; 2 different words,
    1 with several senses
    """

    def __init__(
        self,
        senses: SenseVectors,
        blocks: Iterator[tuple[list[Sequence[str]], Integers, Integers]],
        keys: list[str],
        choose: Choose,
        form: TagForm,
    ) -> None:
        self._form = form
        self.n_tokens = 0
        self.n_tagged = 0
        self.n_chosen = 0
        self._senses = senses
        self._occurred = np.zeros(len(senses.words), dtype=bool)
        self._lines = self._tagged(blocks, keys, choose)

    def __next__(self) -> Line:
        return next(self._lines)  # type: ignore[return-value]

    def _tagged(
        self,
        blocks: Iterator[tuple[list[Sequence[str]], Integers, Integers]],
        keys: list[str],
        choose: Choose,
    ) -> Iterator[str | list[str]]:
        for block, tokens, starts in blocks:
            self._count(tokens)
            sense = choose(block, tokens, starts)
            rows = np.where(tokens >= 0, self._senses.offsets[tokens] + sense, -1).tolist()
            ends = starts.tolist()
            for line, start, end in zip(block, ends, ends[1:], strict=False):
                named = zip(line, rows[start:end], strict=True)
                if self._form == "vertical":
                    yield _vertical(line, [keys[row] if row >= 0 else "" for _, row in named])
                elif self._form == "keep":
                    yield _joined(line, [f"{t}|{keys[row]}" if row >= 0 else t for t, row in named])
                else:
                    yield _joined(line, [keys[row] if row >= 0 else t for t, row in named])

    def _count(self, tokens: Integers) -> None:
        known = tokens[tokens >= 0]
        self._occurred[known] = True
        self.n_tokens += len(tokens)
        self.n_tagged += len(known)
        self.n_chosen += int((self._senses.n_senses[known] > 1).sum())

    def __str__(self) -> str:
        share = f" ({self.n_tagged / self.n_tokens:.1%})" if self.n_tokens else ""
        several = self._occurred & (self._senses.n_senses > 1)
        return (
            f"{self.n_tagged:,} of {self.n_tokens:,} tokens tagged{share}, {self.n_chosen:,} of "
            f"them with several senses to choose from; {self._occurred.sum():,} different words, "
            f"{several.sum():,} with several senses"
        )


def tag(
    senses: SenseVectors,
    lines: Iterable[Line],
    *,
    key_pattern: str | None = None,
    window: int | None = None,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    forms: Forms | None = None,
    encoder: SenseEncoder | None = None,
    form: TagForm = "sense",
) -> Tagged[Line]:
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
        with if it has labels, as "word|NOUN", and "word#0" otherwise, with numbers from 0, or
        the name that a person gave to an induced sense, as "bank#riverside". The
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
        `word`: "banks" becomes "bank#1" if only "bank" has senses. By default, for senses from
        `induce`, the lemmas of the language that their occurrences were found by.
    encoder : exrpca.contextual.Encoder, optional
        Chooses among senses from `induce`, which need the encoder that they were made with.
    form : {"sense", "keep", "vertical"}, default "sense"
        "sense" puts the sense in the place of the word. "keep" leaves the word as it was and
        appends the sense: "BANK|bank#1". "vertical" writes one token per line with its sense
        after a tab, and an empty line after each line of the text; marks are tokens, too.

    Returns
    -------
    Tagged
        The lines: a str for a str, with the text between the words unchanged; a list for a
        sequence. It also counts the tokens that are tagged.

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
    >>> list(tag(senses, ["The River, its BANK."], form="keep"))
    ['The River|river#0, its BANK|bank#0.']
    """
    if form not in get_args(TagForm):
        raise InputError(f"form={form!r} must be one of {', '.join(get_args(TagForm))}")
    choose, cost = _choice(senses, window, encoder)
    keys = keys_in_text(senses, key_pattern)
    lookup = lookup_in(senses, forms)
    split = _splitter(lines, Tokenizer(tokenizer), lookup.knows)
    blocks = numbered_blocks(map(split, lines), lookup.__getitem__, cost=cost)
    return Tagged(senses, blocks, keys, choose, form)


def keys_in_text(senses: SenseVectors, key_pattern: str | None = None) -> list[str]:
    """Return how each sense is written into a text; see `tag`."""
    if key_pattern is None and senses.labels is not None and is_induced(senses.metadata):
        # a person's names of senses, which may be several words
        numbers = [n for of_word in senses.n_senses for n in range(of_word)]
        named = zip(np.repeat(senses.words, senses.n_senses), senses.labels, numbers, strict=True)
        return [f"{word}#{'_'.join(name.split()) or number}" for word, name, number in named]
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


def _vertical(line: Sequence[str], senses: list[str]) -> str:
    """Return one token per line with its sense; what is between the tokens becomes tokens."""
    gaps = line.gaps() if isinstance(line, TextTokens) else [""] * (len(line) + 1)
    rows = [*gaps[0].split()]
    for token, sense, gap in zip(line, senses, gaps[1:], strict=True):
        rows += [f"{token}\t{sense}" if sense else token, *gap.split()]
    return "".join(f"{row}\n" for row in rows)


class Retagged(Iterator[Line]):
    """Lines with their senses renamed, which can be read once, and how many have been so far.

    `retag` makes them.

    Attributes
    ----------
    n_known, n_renamed : int
        How many tokens named a sense of the mapping, and how many of them changed.

    Examples
    --------
    >>> mapping = pd.DataFrame({"word": "bank", "old_sense": [0, 1, 2], "new_sense": [0, 1, 1]})
    >>> retagged = retag(mapping, ["The bank#2, a bank#0."])
    >>> list(retagged), retagged.n_known, retagged.n_renamed
    (['The bank#1, a bank#0.'], 2, 1)
    """

    def __init__(self, lines: Iterator[Sequence[str]], new_token: dict[str, str]) -> None:
        self.n_known = 0
        self.n_renamed = 0
        self._lines = lines
        self._new_token = new_token

    def __next__(self) -> Line:
        line = next(self._lines)
        retagged = [self._new_token.get(token, token) for token in line]
        self.n_known += sum(token in self._new_token for token in line)
        self.n_renamed += sum(map(operator.ne, line, retagged))
        return _joined(line, retagged)  # type: ignore[return-value]


def retag(
    mapping: pd.DataFrame,
    lines: Iterable[Line],
    *,
    key_pattern: str = DEFAULT_KEY_PATTERN,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
) -> Retagged[Line]:
    """Return tagged lines with each old sense replaced by the one it was merged into.

    Parameters
    ----------
    mapping : DataFrame
        Columns `word`, `old_sense` and `new_sense`, as `merge` returns.
    lines : iterable of str, or of token sequences
        As `tag` returns them.
    key_pattern : str, default "word#0"
        How a sense is written in the text; one of `KEY_PATTERNS` that has a number.
    tokenizer : {"words", "whitespace"}, default "words"
        The one that the text was tagged with.

    Returns
    -------
    Retagged
        The lines. Tokens that name no sense of the mapping stay. It also counts the senses.

    Examples
    --------
    >>> mapping = pd.DataFrame({"word": "bank", "old_sense": [0, 1, 2], "new_sense": [0, 1, 1]})
    >>> list(retag(mapping, [["the", "bank#2"], ["bank#0"]]))
    [['the', 'bank#1'], ['bank#0']]
    """
    sign = key_pattern_named(key_pattern).sign
    if not sign:
        raise InputError(f"key_pattern={key_pattern!r} has no numbers that could be renamed")
    words, old, new = (mapping[column] for column in MAPPING_COLUMNS)
    new_token = {f"{w}{sign}{a}": f"{w}{sign}{b}" for w, a, b in zip(words, old, new, strict=True)}
    split = _splitter(lines, Tokenizer(tokenizer, sign=sign), new_token.__contains__)
    return Retagged(map(split, lines), new_token)


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
    new_sense: dict[tuple[str, int], int] = {}

    def add(word: str, old: str, new: str) -> None:
        sense = word, _sense_number(old)
        if sense in new_sense:
            raise InputError(f"sense {old} of {word!r} appears twice: keep one of the rows")
        new_sense[sense] = _sense_number(new)

    read_table(path, MAPPING_COLUMNS, add)
    found = [(word, old, new) for (word, old), new in new_sense.items()]
    return pd.DataFrame(found, columns=list(MAPPING_COLUMNS))


def _sense_number(field: str) -> int:
    if not _SENSE_NUMBER.fullmatch(field):
        raise InputError(f"the sense {field!r} must be a whole number of at most 9 digits")
    return int(field)

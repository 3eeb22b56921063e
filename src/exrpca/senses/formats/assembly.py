"""Rows of a word, a sense number and a vector, in any order, put together as `SenseVectors`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from exrpca.errors import InputError, InputWarning
from exrpca.senses.example import Example
from exrpca.senses.formats.format import ReadOptions
from exrpca.senses.formats.key_patterns import (
    KeyPattern,
    are_numbers,
    broken_pattern,
    detect_key_pattern,
    key_pattern_named,
    pattern_of_regex,
    split_keys,
    unknown_separator,
)
from exrpca.senses.ragged import Integers, offsets_of, rows_of_groups
from exrpca.senses.sense_vectors import Floats, SenseVectors

# Rows looked at together when searching for NaN: keeps the temporary array small.
_CHECK_ROWS = 4096

# Above the size from which the C library gives memory back to the system when it is freed;
# what is not written to takes none.
_BLOCK_BYTES = 40 << 20


class GrowingRows:
    """Rows of float32 that grow in number, for files that do not say how many they have.

    They are kept in blocks until `finish` copies them into one array and frees each block on the
    way, so that the rows are never in memory twice.
    """

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self._block_rows = max(1, _BLOCK_BYTES // (4 * dim))
        self._blocks: list[Floats] = []
        self._n_used = self._block_rows  # of the last block

    def room(self, n_rows: int) -> Floats:
        """Return the next rows to write to: `n_rows` of them or fewer, at least one."""
        if self._n_used == self._block_rows:
            self._blocks.append(np.empty((self._block_rows, self.dim), dtype=np.float32))
            self._n_used = 0
        return self._blocks[-1][self._n_used : self._n_used + n_rows]

    def fill(self, n_rows: int) -> None:
        """Say that the first `n_rows` of the room have been written to."""
        self._n_used += n_rows

    def append(self, rows: Floats) -> None:
        """Add rows."""
        while len(rows):
            room = self.room(len(rows))
            room[:] = rows[: len(room)]
            self.fill(len(room))
            rows = rows[len(room) :]

    def finish(self) -> Floats:
        """Return all rows; nothing may be added after."""
        if len(self._blocks) == 1:
            return self._blocks[0][: self._n_used]
        n_rows = (len(self._blocks) - 1) * self._block_rows + self._n_used
        rows = np.empty((n_rows, self.dim), dtype=np.float32)
        for start in range(0, n_rows, self._block_rows):
            end = min(start + self._block_rows, n_rows)
            rows[start:end] = self._blocks.pop(0)[: end - start]
        return rows


@dataclass(frozen=True)
class Place:
    """Where rows come from, for error messages.

    Parameters
    ----------
    path : path-like, optional
    line_of : callable (row) -> line, optional
        Gives the line of a row in a text file; without it, errors name the row.
    """

    path: str | PathLike[str] | None = None
    line_of: Callable[[int], int] | None = None

    def error(self, message: str, row: int) -> InputError:
        """Return the error for one row, counted from 0."""
        if self.line_of is not None:
            return InputError(message, path=self.path, line=self.line_of(row))
        return InputError(f"row {row + 1}: {message}", path=self.path)


def from_keys(
    keys: Sequence[str],
    vectors: Floats,
    *,
    options: ReadOptions,
    place: Place,
    counts: Integers | None = None,
) -> SenseVectors:
    """Return the senses whose keys, such as `bank#0`, belong to the rows of `vectors`."""
    check_lengths(len(keys), len(vectors), place)
    read = read_keys(keys, options, place)
    return assemble(
        read.words,
        read.numbers,
        vectors,
        counts=counts,
        labels=read.labels,
        metadata=read.metadata,
        place=place,
    )


def from_words(words: Any, senses: Any, vectors: Floats, *, place: Place) -> SenseVectors:
    """Return the senses of given words and senses, numbers or labels, one per row of `vectors`."""
    words = [str(word) for word in words]
    check_lengths(len(words), len(vectors), place)
    check_lengths(len(senses), len(vectors), place, what="senses")
    array = np.asarray(senses)
    some = array if array.dtype.kind in "iu" else [str(sense) for sense in senses]
    numbers, labels = numbered_senses(words, [some], place)
    return assemble(words, numbers, vectors, labels=labels, place=place)


def check_lengths(n_words: int, n_vectors: int, place: Place, *, what: str = "words") -> None:
    """Refuse another number of words or keys than of vectors."""
    if n_words != n_vectors:
        raise InputError(f"{n_words:,} {what} for {n_vectors:,} vectors", path=place.path)


@dataclass(frozen=True)
class ReadKeys:
    """What keys say: the word and the number of each row, labels if any, and their pattern."""

    words: list[str]
    numbers: Integers
    labels: list[str] | None
    metadata: dict[str, str]


def read_keys(keys: Sequence[str], options: ReadOptions, place: Place) -> ReadKeys:
    """Split keys by the pattern that is asked for, or else by the one they follow."""
    if options.key_regex is not None:
        pattern = pattern_of_regex(options.key_regex)
    else:
        pattern = key_pattern_named(options.key_pattern or detect_key_pattern(keys))
        _warn_of_unknown_pattern(keys, pattern, options, place)
    parts = split_keys(keys, pattern)
    words = [part.word for part in parts]
    labels = [part.sense for part in parts]
    metadata = {"key_pattern": pattern.name} if pattern.name else {}
    if pattern.is_labeled and not are_numbers(label for label in labels if label):
        _check_keys_once(keys, place)
        return ReadKeys(words, _in_order_of_rows(words), labels, metadata)
    numbers = np.array([int(label or 0) for label in labels], dtype=np.int64)
    return ReadKeys(words, numbers, None, metadata)


def numbered_senses(
    words: Sequence[str | None], senses: Sequence[Any], place: Place
) -> tuple[Integers, list[str] | None]:
    """Return the number of each row's sense, and labels if the senses are not numbers.

    Parameters
    ----------
    words : sequence of str
        One per row.
    senses : sequence of arrays of int, or of lists of str
        Those of the first rows first; none at all if the rows of a word are its senses.
    place : Place
    """
    if not senses:
        return _in_order_of_rows(words), None
    if not any(isinstance(some, list) for some in senses):
        return np.concatenate(senses).astype(np.int64), None
    labels = [str(label) for some in senses for label in some]
    if are_numbers(labels):
        return np.array(labels).astype(np.int64), None
    seen: set[tuple[str | None, str]] = set()
    for row, named in enumerate(zip(words, labels, strict=True)):
        if named in seen:
            raise place.error(f"sense {named[1]!r} of the word {named[0]!r} appears twice", row)
        seen.add(named)
    return _in_order_of_rows(words), labels


def _check_keys_once(keys: Sequence[str], place: Place) -> None:
    seen: set[str] = set()
    for row, key in enumerate(keys):
        if key in seen:
            raise place.error(f"the key {key!r} appears twice", row)
        seen.add(key)


def _warn_of_unknown_pattern(
    keys: Sequence[str], pattern: KeyPattern, options: ReadOptions, place: Place
) -> None:
    if pattern.name != "word" or options.key_pattern is not None:
        return
    where = "" if place.path is None else f"{place.path}: "
    if name := broken_pattern(keys):
        warnings.warn(
            f"{where}many keys look like {name}, but have gaps in their numbers, or their word is "
            f"a key as well: each is read as a word. If they are senses, use --key-pattern {name}; "
            "if they are words, --key-pattern word",
            InputWarning,
            stacklevel=2,
        )
    elif separator := unknown_separator(keys):
        regex = f"(?P<word>.+){re.escape(separator)}(?P<sense>.+)"
        warnings.warn(
            f"{where}keys such as {keys[0]!r} look like senses, but of no known pattern: each is "
            f"read as a word. If they are senses, use --key-regex {regex!r}; if they are words, "
            "--key-pattern word",
            InputWarning,
            stacklevel=2,
        )


def _in_order_of_rows(words: Sequence[str | None]) -> Integers:
    """Return the number of each row among those of its word, from 0."""
    seen: dict[str | None, int] = {}
    numbers = np.empty(len(words), dtype=np.int64)
    for row, word in enumerate(words):
        numbers[row] = seen[word] = seen.get(word, -1) + 1
    return numbers


def assemble(
    words: Sequence[str | None],
    numbers: Integers,
    vectors: Floats,
    *,
    counts: Integers | None = None,
    centers: Floats | None = None,
    n_centers: Integers | None = None,
    globals: tuple[Floats, Integers] | None = None,
    labels: Sequence[str] | None = None,
    examples: Sequence[Sequence[Example]] | None = None,
    metadata: Mapping[str, Any] | None = None,
    place: Place,
) -> SenseVectors:
    """Put rows together as `SenseVectors`.

    Words keep the order of their first rows. The senses of a word are sorted by their number
    and counted from 0. Numbers that are not counted from 0, such as 3, 7 and 12, become labels,
    unless there are labels already.

    Parameters
    ----------
    words, numbers : sequence of str, array of int
        The word and the sense number of each row.
    vectors, counts, labels, examples
        One for each row.
    centers, n_centers : arrays, optional
        The centers of the first row first, and how many each row has; one each without
        `n_centers`.
    globals : pair of arrays, optional
        Global vectors, and the row each came from; the first of a word counts.
    metadata : mapping, optional
    place : Place
    """
    if len(words) == 0:
        raise InputError("no words", path=place.path)
    codes, vocabulary = pd.factorize(np.array(words, dtype=object))
    if codes.min() < 0:
        raise place.error("no word", int(codes.argmin()))
    for what, values in (("sense number", numbers), ("count", counts)):
        if values is not None and values.min() < 0:
            row = int(values.argmin())
            raise place.error(f"the {what} {values[row]} is negative", row)
    order = np.lexsort((numbers, codes))
    _check_once(words, numbers, codes, order, place)
    check_finite(vectors, place)
    if centers is not None:
        rows = None if n_centers is None else np.repeat(np.arange(len(n_centers)), n_centers)
        check_finite(centers, place, rows)
    in_order = np.array_equal(order, np.arange(len(order)))
    if labels is None and not _count_from_0(numbers[order], codes[order]):
        labels = [str(number) for number in numbers.tolist()]

    def sorted_rows(rows: Any) -> Any:
        return rows if rows is None or in_order else rows[order]

    def sorted_list(values: Sequence[Any] | None) -> Sequence[Any] | None:
        return values if values is None or in_order else [values[row] for row in order]

    center_order = order if n_centers is None else rows_of_groups(offsets_of(n_centers), order)
    return SenseVectors(
        vocabulary,
        sorted_rows(vectors),
        np.bincount(codes),
        counts=sorted_rows(counts),
        centers=centers if centers is None or in_order else centers[center_order],
        n_centers=sorted_rows(n_centers),
        globals=None if globals is None else _globals(*globals, codes, vocabulary, place),
        labels=sorted_list(labels),
        examples=sorted_list(examples),
        metadata=metadata,
    )


def _count_from_0(numbers: Integers, codes: Integers) -> bool:
    """Whether the sorted numbers of each word count from 0 without a gap."""
    first = np.flatnonzero(np.diff(codes, prepend=-1))
    sizes = np.diff(first, append=len(codes))
    return np.array_equal(numbers, np.arange(len(codes)) - np.repeat(first, sizes))


def _check_once(
    words: Sequence[str | None], numbers: Integers, codes: Integers, order: Integers, place: Place
) -> None:
    repeated = (np.diff(codes[order]) == 0) & (np.diff(numbers[order]) == 0)
    if repeated.any():
        row = int(order[1:][repeated].min())
        raise place.error(f"sense {numbers[row]} of the word {words[row]!r} appears twice", row)


def check_finite(vectors: Floats, place: Place, rows: Integers | None = None) -> None:
    """Refuse NaN and infinity; `rows` tells the row of the file that each vector comes from."""
    for start in range(0, len(vectors), _CHECK_ROWS):
        good = np.isfinite(vectors[start : start + _CHECK_ROWS]).all(axis=1)
        if not good.all():
            at = start + int(good.argmin())
            bad = vectors[at][~np.isfinite(vectors[at])][0]
            row = at if rows is None else int(rows[at])
            raise place.error(f"found {bad}, expected finite numbers", row)


def _globals(
    vectors: Floats, rows: Integers, codes: Integers, vocabulary: Any, place: Place
) -> Floats:
    words_with, first = np.unique(codes[rows], return_index=True)
    if len(words_with) < len(vocabulary):
        missing = np.setdiff1d(np.arange(len(vocabulary)), words_with)[0]
        raise InputError(f"the word {vocabulary[missing]!r} has no global vector", path=place.path)
    check_finite(vectors, place, rows)
    return vectors if np.array_equal(first, np.arange(len(vectors))) else vectors[first]

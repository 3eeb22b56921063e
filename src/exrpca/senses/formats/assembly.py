"""Rows of a word, a sense number and a vector, in any order, put together as `SenseVectors`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from exrpca.errors import InputError
from exrpca.senses.formats.key_patterns import detect_key_pattern, split_keys
from exrpca.senses.sense_vectors import Floats, Integers, SenseVectors

# Rows looked at together when searching for NaN: keeps the temporary array small.
_CHECK_ROWS = 16_384


class GrowingRows:
    """A (rows, dim) float32 array that grows in place, for files that do not tell their size.

    Growing is a `realloc`: pages not yet written cost no memory, and large blocks are moved
    without being copied on Linux.
    """

    def __init__(self, dim: int) -> None:
        self._array: Floats = np.empty((1024, dim), dtype=np.float32)
        self.dim = dim
        self.n_rows = 0

    def room(self, n_rows: int) -> Floats:
        """Return the next `n_rows` rows to write to; valid until the next call."""
        needed = self.n_rows + n_rows
        if needed > len(self._array):
            self._resize(max(needed, 2 * len(self._array)))
        return self._array[self.n_rows : needed]

    def append(self, rows: Floats) -> None:
        """Add rows."""
        self.room(len(rows))[:] = rows
        self.n_rows += len(rows)

    def finish(self) -> Floats:
        """Return the rows written; nothing may be added after."""
        self._resize(self.n_rows)
        return self._array

    def _resize(self, n_rows: int) -> None:
        # no view outlives the call that asked for it, so numpy need not look for any
        self._array.resize((n_rows, self.dim), refcheck=False)


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
    key_pattern: str | None,
    place: Place,
    counts: Integers | None = None,
) -> SenseVectors:
    """Return the senses whose keys, such as `bank#0`, stand for the rows of `vectors`."""
    key_pattern = key_pattern or detect_key_pattern(keys)
    words, numbers = split_keys(keys, key_pattern)
    return assemble(
        words,
        np.array(numbers, dtype=np.int64),
        vectors,
        counts=counts,
        metadata={"key_pattern": key_pattern},
        place=place,
    )


def assemble(
    words: Sequence[str | None],
    numbers: Integers,
    vectors: Floats,
    *,
    counts: Integers | None = None,
    centers: Floats | None = None,
    globals: tuple[Floats, Integers] | None = None,
    metadata: Mapping[str, Any] | None = None,
    place: Place,
) -> SenseVectors:
    """Put rows together as `SenseVectors`.

    Words keep the order of their first rows. The senses of a word are sorted by their number
    and counted from 0, so that files that count from 1 can be read.

    Parameters
    ----------
    words, numbers : sequence of str, array of int
        The word and the sense number of each row.
    vectors, counts, centers : arrays
        One row each.
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
    order = np.lexsort((numbers, codes))
    repeated = (np.diff(codes[order]) == 0) & (np.diff(numbers[order]) == 0)
    if repeated.any():
        row = int(order[1:][repeated].min())
        raise place.error(f"sense {numbers[row]} of the word {words[row]!r} stands twice", row)
    check_finite(vectors, place)
    if centers is not None:
        check_finite(centers, place)
    in_order = np.array_equal(order, np.arange(len(order)))

    def sorted_rows(rows: Any) -> Any:
        return rows if rows is None or in_order else rows[order]

    return SenseVectors(
        vocabulary,
        sorted_rows(vectors),
        np.bincount(codes),
        counts=sorted_rows(counts),
        centers=sorted_rows(centers),
        globals=None if globals is None else _globals(*globals, codes, vocabulary, place),
        metadata=metadata,
    )


def check_finite(vectors: Floats, place: Place) -> None:
    """Refuse NaN and infinity."""
    for start in range(0, len(vectors), _CHECK_ROWS):
        good = np.isfinite(vectors[start : start + _CHECK_ROWS]).all(axis=1)
        if not good.all():
            row = start + int(good.argmin())
            bad = vectors[row][~np.isfinite(vectors[row])][0]
            raise place.error(f"found {bad}, expected finite numbers", row)


def _globals(
    vectors: Floats, rows: Integers, codes: Integers, vocabulary: Any, place: Place
) -> Floats:
    words_with, first = np.unique(codes[rows], return_index=True)
    if len(words_with) < len(vocabulary):
        missing = np.setdiff1d(np.arange(len(vocabulary)), words_with)[0]
        raise InputError(f"the word {vocabulary[missing]!r} has no global vector", path=place.path)
    check_finite(vectors, place)
    return vectors if np.array_equal(first, np.arange(len(vectors))) else vectors[first]

"""Rows of a word, a sense number and a vector, in any order, put together as `SenseVectors`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from exrpca.errors import InputError
from exrpca.senses.example import Example
from exrpca.senses.formats.format import Place, ReadOptions
from exrpca.senses.formats.key_patterns import are_numbers
from exrpca.senses.formats.key_reading import order_within_words, read_keys
from exrpca.senses.ragged import Integers, offsets_of, rows_of_groups
from exrpca.senses.sense_vectors import Floats, SenseVectors

# Rows looked at together when searching for NaN: keeps the temporary array small.
_CHECK_ROWS = 4096


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
    words = strings(words, "word", place)
    check_lengths(len(words), len(vectors), place)
    check_lengths(len(senses), len(vectors), place, what="senses")
    array = np.asarray(senses)
    some = array if array.dtype.kind in "iu" else strings(senses, "sense", place)
    numbers, labels = numbered_senses(words, some, place)
    return assemble(words, numbers, vectors, labels=labels, place=place)


def strings(values: Iterable[Any], what: str, place: Place) -> list[str]:
    """Return values as a list; refuse any that is not a string."""
    found = list(values)
    for row, value in enumerate(found):
        if not isinstance(value, str):
            kind = type(value).__name__
            raise place.error(f"the {what} is of the type {kind}, expected a string", row)
    return [str(value) for value in found]


def check_lengths(n_words: int, n_vectors: int, place: Place, *, what: str = "words") -> None:
    """Refuse another number of words or keys than of vectors."""
    if n_words != n_vectors:
        raise InputError(f"{n_words:,} {what} for {n_vectors:,} vectors", path=place.path)


def numbered_senses(
    words: Sequence[str | None], senses: Any, place: Place
) -> tuple[Integers, list[str] | None]:
    """Return the number of each row's sense, and labels if the senses are not numbers.

    Parameters
    ----------
    words : sequence of str
        One per row.
    senses : array of int, list of str, or None
        One per row; None if the rows of a word are its senses.
    place : Place
    """
    if senses is None:
        return order_within_words(words), None
    if not isinstance(senses, list):
        return np.asarray(senses, dtype=np.int64), None
    if are_numbers(senses):
        return np.array(senses).astype(np.int64), None
    seen: set[tuple[str | None, str]] = set()
    for row, named in enumerate(zip(words, senses, strict=True)):
        if named in seen:
            raise place.error(f"sense {named[1]!r} of the word {named[0]!r} appears twice", row)
        seen.add(named)
    return order_within_words(words), senses


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

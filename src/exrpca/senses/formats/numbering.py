"""The number of each row's sense, given as a number, as a label, or by the order of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from exrpca.senses.formats.key_patterns import are_numbers
from exrpca.senses.formats.place import Place
from exrpca.senses.ragged import Integers


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
        return order_within_words(words), None
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
    return order_within_words(words), labels


def order_within_words(words: Sequence[str | None]) -> Integers:
    """Return the number of each row among those of its word, from 0."""
    seen: dict[str | None, int] = {}
    numbers = np.empty(len(words), dtype=np.int64)
    for row, word in enumerate(words):
        numbers[row] = seen[word] = seen.get(word, -1) + 1
    return numbers

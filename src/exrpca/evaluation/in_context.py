"""Words in their contexts, numbered as `exrpca.text.choice` takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from exrpca.text.lookup import Lookup


class NumberedContexts(NamedTuple):
    """Texts of one line each, with one word in question: arguments of `sense_cosines`."""

    tokens: NDArray[np.int64]
    starts: NDArray[np.int64]
    at: NDArray[np.int64]


def numbered(
    lookup: Lookup,
    words: Iterable[int],
    lefts: Iterable[Sequence[str]],
    rights: Iterable[Sequence[str]],
) -> NumberedContexts:
    """Look up the tokens before and after each word.

    Parameters
    ----------
    lookup : Lookup
    words : iterable of int
        The position of each word in the vocabulary.
    lefts, rights : iterable of sequences of str
        The tokens before and after it.

    Examples
    --------
    >>> from exrpca import SenseVectors
    >>> lookup = Lookup(SenseVectors(["bank", "river"], [[1], [2]], [1, 1]))
    >>> numbered(lookup, [0, 0], [["River"], []], [[], ["of", "a", "river"]]).tokens
    array([ 1,  0,  0, -1, -1,  1])
    """
    tokens: list[int] = []
    starts, at = [0], []
    for word, left, right in zip(words, lefts, rights, strict=True):
        tokens += [lookup[token] for token in left]
        at.append(len(tokens))
        tokens += [word, *(lookup[token] for token in right)]
        starts.append(len(tokens))
    return NumberedContexts(
        *(np.array(numbers, dtype=np.int64) for numbers in (tokens, starts, at))
    )

"""Words in their contexts, numbered as `exrpca.text.choice` takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from exrpca.text.lookup import Lookup

Integers = NDArray[np.int64]


def numbered(
    lookup: Lookup,
    words: Iterable[int],
    lefts: Iterable[Sequence[str]],
    rights: Iterable[Sequence[str]],
) -> tuple[Integers, Integers, Integers]:
    """Return texts of one line each, with one word in question, as `sense_cosines` takes them.

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
    >>> numbered(lookup, [0, 0], [["River"], []], [[], ["of", "a", "river"]])
    (array([ 1,  0,  0, -1, -1,  1]), array([0, 2, 6]), array([1, 2]))
    """
    tokens: list[int] = []
    starts, at = [0], []
    for word, left, right in zip(words, lefts, rights, strict=True):
        tokens += [lookup[token] for token in left]
        at.append(len(tokens))
        tokens += [word, *(lookup[token] for token in right)]
        starts.append(len(tokens))
    return np.array(tokens, dtype=np.int64), np.array(starts), np.array(at, dtype=np.int64)

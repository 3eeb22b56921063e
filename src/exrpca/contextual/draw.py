"""The rows of each word in a random order that only content and seed decide."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.contextual.centering import Integers, blocks
from exrpca.contextual.occurrences import Occurrences


def drawn_rows(occurrences: Occurrences, seed: int) -> dict[str, Integers]:
    """Return the rows of each word with occurrences, words sorted.

    The first n rows of a word are a random draw. How the rows were ordered has no influence.

    Examples
    --------
    >>> vectors = np.arange(8.0).reshape(4, 2)
    >>> one = drawn_rows(Occurrences.from_arrays(["b", "a", "b", "b"], vectors), 0)
    >>> two = drawn_rows(Occurrences.from_arrays(["b", "b", "a", "b"], vectors[::-1]), 0)
    >>> list(one), bool((one["b"] == 3 - two["b"]).all())
    (['a', 'b'], True)
    """
    return {
        word: rows[np.argsort(_keys(occurrences.vectors, rows, random(seed, word)), kind="stable")]
        for word, rows in sorted(occurrences.by_word(), key=lambda item: item[0])
        if len(rows)
    }


def random(seed: int, word: str) -> np.random.Generator:
    """Return the random numbers of a word, whatever its place among the words."""
    return np.random.default_rng((seed, zlib.crc32(word.encode(errors="surrogatepass"))))


def _keys(vectors: NDArray[Any], rows: Integers, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Return a hash of each row's vector."""
    factors = rng.integers(1 << 63, size=vectors.shape[1], dtype=np.uint64) | np.uint64(1)
    keys = [
        vectors[rows[part]].astype(np.float32).view(np.uint32).astype(np.uint64) @ factors
        for part in blocks(len(rows))
    ]
    return np.concatenate(keys)

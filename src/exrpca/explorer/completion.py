"""Completion: the most frequent words that begin with what was typed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np

from exrpca.senses import SenseVectors

_LAST_CHARACTER = chr(0x10FFFF)


class Completion:
    """Finds words by their beginning, ignoring case.

    The most frequent come first: by their counts, or, where there are none, in the order of
    the file, which is by frequency in all common formats.

    Parameters
    ----------
    senses : SenseVectors

    Examples
    --------
    >>> senses = SenseVectors(["band", "Bank", "banks"], [[1], [2], [3]], [1, 1, 1])
    >>> Completion(senses).find("bank", 5)
    ['Bank', 'banks']
    """

    def __init__(self, senses: SenseVectors) -> None:
        self._words = senses.words
        folded = sorted((word.casefold(), i) for i, word in enumerate(senses.words))
        self._keys = [key for key, _ in folded]
        self._positions = np.array([i for _, i in folded])
        if senses.counts is None:
            self._rank = np.arange(len(senses))
        else:
            counts = np.add.reduceat(senses.counts, senses.offsets[:-1])
            self._rank = np.argsort(np.argsort(-counts, kind="stable"))

    def find(self, beginning: str, n: int) -> list[str]:
        """Return up to `n` words; a word typed in full comes first."""
        key = beginning.casefold()
        start = bisect_left(self._keys, key)
        found = self._positions[start : bisect_left(self._keys, key + _LAST_CHARACTER)]
        n_exact = bisect_right(self._keys, key) - start
        longer = np.arange(len(found)) >= n_exact
        best = found[np.lexsort((self._rank[found], longer))[:n]]
        return [self._words[i] for i in best]

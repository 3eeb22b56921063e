"""Completion: the most frequent words that begin with what was typed."""

from __future__ import annotations

import numpy as np

from exrpca.senses import SenseVectors


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
        words = list(senses.words)
        if senses.counts is not None:
            counts = np.add.reduceat(senses.counts, senses.offsets[:-1])
            words = [words[i] for i in np.argsort(-counts, kind="stable")]
        self._words = [(word.casefold(), word) for word in words]

    def find(self, beginning: str, n: int) -> list[str]:
        """Return up to `n` words; a word typed in full comes first."""
        key = beginning.casefold()
        found = [each for each in self._words if each[0].startswith(key)]
        return [word for _, word in sorted(found, key=lambda each: each[0] != key)[:n]]

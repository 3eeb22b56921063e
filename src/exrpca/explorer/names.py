"""Names for senses: the neighbors that tell a sense from the other senses of its word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exrpca.explorer.neighbors import Floats, NeighborSearch, among_largest, names_of
from exrpca.senses import SenseVectors

# Neighbors of a sense among which the telling ones are chosen.
_CANDIDATES = 40
# Shorter tokens are mostly numbers, letters and parts of names.
_SHORTEST = 3


class SenseNames:
    """Names senses, or groups of senses, by neighbors that the others do not have.

    Parameters
    ----------
    senses : SenseVectors
    search : NeighborSearch
    """

    def __init__(self, senses: SenseVectors, search: NeighborSearch) -> None:
        self._senses = senses
        self._search = search

    def of(
        self, word: str, groups: Sequence[Sequence[int]] | None = None, n: int = 2
    ) -> list[list[str]]:
        """Return up to `n` telling neighbors of each group of senses.

        Parameters
        ----------
        word : str
        groups : sequence of sequences of int, optional
            Senses that belong together; by default each sense is a group of its own.
        n : int, default 2
        """
        cosines = self._search.cosines(word)
        if groups is not None:
            cosines = np.stack([cosines[list(group)].mean(axis=0) for group in groups])
        taken: set[str] = set()
        names = []
        for group in range(len(cosines)):
            name = self._name(word, cosines, group, n, taken)
            taken.update(name)
            names.append(name)
        return names

    def _name(self, word: str, cosines: Floats, group: int, n: int, taken: set[str]) -> list[str]:
        own = cosines[group]
        rows = among_largest(own, min(_CANDIDATES, len(own)))
        others = np.delete(cosines, group, axis=0)[:, rows]
        ahead = own[rows] - others.max(axis=0) if len(others) else 0
        # near to this sense, and nearer to it than to the others
        order = rows[np.argsort(-(own[rows] + ahead), kind="stable")]
        name: list[str] = []
        for other, _ in names_of(self._senses, order):
            if len(name) < n and other not in taken and other not in name and _tells(other, word):
                name.append(other)
        return name


def _tells(other: str, word: str) -> bool:
    """Whether a neighbor says something about a word: it is not a form of it, nor a fragment."""
    a, b = other.casefold(), word.casefold()
    short, long = sorted((a, b), key=len)
    same_stem = long.startswith(short) or (len(short) > 4 and a[:-2] == b[: len(a) - 2])
    return not same_stem and len(a) >= _SHORTEST and not a.isdigit()

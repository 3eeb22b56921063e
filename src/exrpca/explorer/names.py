"""Names for senses: the neighbors that tell a sense from the other senses of its word.

Induced senses have few neighbors, since only some words were encoded. They are named by words of
their sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from exrpca.explorer.function_words import is_function_word
from exrpca.explorer.neighbors import Floats, NeighborSearch, among_largest, names_of
from exrpca.explorer.telling_words import telling_words
from exrpca.senses import SenseVectors
from exrpca.senses.metadata import is_induced

# A name is chosen among the nearest neighbors, which the card of the sense shows; if they do not
# suffice, among some more.
_NEAREST = 10
_CANDIDATES = 40
# How much it counts that a neighbor is nearer to this sense than to the others.
_AHEAD = 0.25
# Shorter tokens are mostly numbers, letters and parts of names.
_SHORTEST = 3
# Of words with so many letters, the last two may be an ending.
_LONG = 6


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
        self._by_sentences = senses.examples is not None and is_induced(senses.metadata)

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
        if self._by_sentences:
            return self._from_sentences(word, groups, n)
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

    def _from_sentences(
        self, word: str, groups: Sequence[Sequence[int]] | None, n: int
    ) -> list[list[str]]:
        examples = self._senses.examples
        own = [] if examples is None else examples[self._senses.rows(word)]
        groups = [[sense] for sense in range(len(own))] if groups is None else groups
        sentences = [[each for sense in group for each in own[sense]] for group in groups]
        return [found[:n] for found in telling_words(sentences, partial(_tells, word=word))]

    def _name(self, word: str, cosines: Floats, group: int, n: int, taken: set[str]) -> list[str]:
        own = cosines[group]
        rows = among_largest(own, min(_CANDIDATES, len(own)))
        rows = rows[np.argsort(-own[rows], kind="stable")][:_CANDIDATES]
        others = np.delete(cosines, group, axis=0)[:, rows]
        ahead = own[rows] - others.max(axis=0) if len(others) else 0
        # near to this sense, and nearer to it than to the others
        telling = own[rows] + _AHEAD * ahead
        later = np.arange(len(rows)) >= _NEAREST
        order = rows[np.lexsort((-telling, later))]
        name: list[str] = []
        for other, _ in names_of(self._senses, order):
            is_new = other not in taken and not any(_are_forms(other, each) for each in name)
            if len(name) < n and is_new and _tells(other, word):
                name.append(other)
        return name


def _tells(other: str, word: str) -> bool:
    """Whether a neighbor says something about a word: no form of it, no fragment, no "the"."""
    says_nothing = is_function_word(other) and not is_function_word(word)
    is_fragment = len(other) < _SHORTEST or other.isdigit()
    return not (says_nothing or is_fragment or _are_forms(other, word))


def _are_forms(one: str, other: str) -> bool:
    """Whether two words look like forms of one: they begin alike.

    Examples
    --------
    >>> _are_forms("phone", "phones"), _are_forms("phone", "photo")
    (True, False)
    """
    short, long = sorted((one.casefold(), other.casefold()), key=len)
    return long.startswith(short if len(short) < _LONG else short[:-2])

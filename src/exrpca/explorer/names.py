"""Names for senses: the neighbors that tell a sense from the other senses of its word.

Induced senses have few neighbors, since only some words were encoded. They are named by words of
their sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from exrpca.explorer.neighbors import Floats, NeighborSearch, largest, names_of
from exrpca.senses import Example, SenseVectors
from exrpca.senses.metadata import is_induced
from exrpca.text import Tokenizer

# A name is chosen among the nearest neighbors, which the card of the sense shows; if they do not
# suffice, among some more.
_NEAREST = 10
_CANDIDATES = 40
# How much it counts that a neighbor is nearer to this sense than to the others.
_AHEAD = 0.25
# Shorter tokens are mostly numbers, letters and parts of names.
_SHORTEST = 3
# Of words with this many letters or more, the last two may be an ending.
_LONG = 6

Groups = Sequence[Sequence[int]]


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

    def of(self, word: str, groups: Groups | None = None, n: int = 2) -> list[list[str]]:
        """Return up to `n` telling neighbors of each group of senses.

        Parameters
        ----------
        word : str
        groups : sequence of sequences of int, optional
            Senses that belong together; by default each sense is a group of its own.
        n : int, default 2
        """
        groups = groups or [[sense] for sense in range(len(self._senses[word]))]
        find = self._telling_words if self._by_sentences else self._telling_neighbors
        names: list[list[str]] = []
        for candidates in find(word, groups):
            taken = {each for name in names for each in name}
            names.append(_chosen(candidates, word, taken, n))
        return names

    def _telling_neighbors(self, word: str, groups: Groups) -> Iterable[list[str]]:
        """Yield the neighbors of each group, those nearer to it than to the others first."""
        all_cosines = self._search.cosines(word)
        cosines: Floats = np.stack([all_cosines[list(group)].mean(axis=0) for group in groups])
        for group, own in enumerate(cosines):
            rows = largest(own, _CANDIDATES)
            others = np.delete(cosines, group, axis=0)[:, rows]
            ahead = own[rows] - others.max(axis=0) if len(others) else 0
            later = np.arange(len(rows)) >= _NEAREST
            order = rows[np.lexsort((-own[rows] - _AHEAD * ahead, later))]
            yield [other for other, _ in names_of(self._senses, order)]

    def _telling_words(self, word: str, groups: Groups) -> Iterable[list[str]]:
        """Yield the words of each group's sentences that more of them have than of any other's.

        Among equals, the one that comes nearer to the word itself.
        """
        examples = self._senses.examples
        own = [] if examples is None else examples[self._senses.rows(word)]
        near = [[_distances(each) for sense in group for each in own[sense]] for group in groups]
        counts = [Counter(other for found in sentences for other in found) for sentences in near]
        for group, sentences in enumerate(near):
            others = counts[:group] + counts[group + 1 :]
            ahead = {
                each: n - max((other[each] for other in others), default=0)
                for each, n in counts[group].items()
            }
            nearest = {
                each: min(found[each] for found in sentences if each in found) for each in ahead
            }
            order = sorted(ahead, key=lambda each: (-ahead[each], nearest[each], each))
            yield [each for each in order if ahead[each] > 0]


def is_function_word(word: str) -> bool:
    """Whether a word is an English function word: frequent, and least worth a person's time.

    Examples
    --------
    >>> is_function_word("The"), is_function_word("bank")
    (True, False)
    """
    return word.casefold() in ENGLISH_STOP_WORDS


def _chosen(candidates: Iterable[str], word: str, taken: set[str], n: int) -> list[str]:
    """Return the first `n` that say something: no two forms of one word, none taken before."""
    name: list[str] = []
    for other in candidates:
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


def _distances(sentence: Example) -> dict[str, int]:
    """Return how many words each word of a sentence is away from the target."""
    tokens = Tokenizer().tokens
    found: dict[str, int] = {}
    for side in (tokens(sentence.left)[::-1], tokens(sentence.right)):
        for distance, token in enumerate(side, 1):
            key = token.casefold()
            found[key] = min(distance, found.get(key, distance))
    return found

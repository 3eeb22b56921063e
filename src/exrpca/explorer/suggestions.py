"""Words to begin with: clear examples of each verdict, no two of them of the same kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from exrpca.explorer.inventory import Inventory, Selection, Verdict
from exrpca.explorer.neighbors import NeighborSearch, names_of
from exrpca.senses import SenseVectors
from exrpca.senses.metadata import is_induced
from exrpca.text import disambiguate

# Words looked at for each verdict, and words suggested.
_CANDIDATES = 120
_SUGGESTED = 8
_NEIGHBORS = 10
# A sense with fewer tokens is too rare to convince anybody, unless most senses are.
_FEWEST_TOKENS = 50
_SMALLEST_SHARE = 0.1
# A template of a corpus, such as an infobox, gives many words a sense with the same neighbors.
# Senses that share so many neighbors are alike; a word with more others like it comes last.
_ALIKE = 2
_MOST_ALIKE = 2

# Words that many people know to be ambiguous, each with a sentence that shows one of its meanings.
_KNOWN_WORDS = {
    "apple": "She ate an apple and some bread with olive oil.",
    "rock": "Layers of sand and volcanic rock under the lake contain water and iron.",
    "plant": "The leaves of the plant are green and its flowers are white.",
    "cell": "Each cell of the body contains the same proteins.",
    "bank": "They walked along the bank of the river to the lake.",
    "star": "The star is larger and brighter than the sun.",
    "mouse": "The cat ran after a mouse in the kitchen.",
}
_CLEAR = 0.5

Kinds = list[set[str]]


@dataclass(frozen=True)
class Suggestions:
    """Words to begin with.

    Attributes
    ----------
    real, pseudo, undecided : list of str
    worked : str or None
        The word that is shown in full.
    sentence : str
        A sentence that shows one of its meanings; may be empty.
    """

    real: list[str]
    pseudo: list[str]
    undecided: list[str]
    worked: str | None
    sentence: str


def suggest(senses: SenseVectors, inventory: Inventory, search: NeighborSearch) -> Suggestions:
    """Choose words by probability, enough tokens, and neighbors that no other word shares."""
    chooser = _Chooser(senses, inventory, search)
    real = chooser.words("real")
    pseudo = chooser.words("pseudo", other_than=real)
    undecided = chooser.words("undecided", other_than=real + pseudo)
    worked, sentence = _worked(senses, inventory)
    if worked is None:
        worked = next(iter(real + pseudo + undecided), None)
    return Suggestions(real, pseudo, undecided, worked, sentence)


class _Chooser:
    def __init__(self, senses: SenseVectors, inventory: Inventory, search: NeighborSearch) -> None:
        self._senses = senses
        self._inventory = inventory
        self._search = search
        self._fewest_tokens = (
            0 if senses.counts is None else min(_FEWEST_TOKENS, np.median(senses.counts))
        )

    def words(self, verdict: Verdict, other_than: Sequence[str] = ()) -> list[str]:
        """Return the clearest words with a verdict, or undecided ones that are common."""
        found: dict[str, Kinds] = {}
        for word in self._frequent(verdict):
            # it does not matter into how many senses "the" was split
            if word in other_than or (verdict != "real" and is_function_word(word)):
                continue
            kinds = self._neighbor_words(word)
            # a real pair whose senses have the same neighbors convinces nobody
            if verdict != "real" or not set.intersection(*kinds):
                found[word] = kinds
            if len(found) == _CANDIDATES:
                break
        chosen: list[str] = []
        for word in sorted(found, key=lambda word: _n_alike(word, found) > _MOST_ALIKE):
            if not any(_are_alike(found[word], found[other]) for other in chosen):
                chosen.append(word)
        return chosen[:_SUGGESTED]

    def _frequent(self, verdict: Verdict) -> Iterator[str]:
        """Yield words with such a pair, the clearest first, whose two senses are frequent."""
        order = Selection(verdict=verdict, sort="probability", descending=verdict != "pseudo")
        pairs = self._inventory.pairs.iloc[self._inventory.select(order)]
        seen: set[str] = set()
        for word, a, b in pairs[["word", "sense_a", "sense_b"]].itertuples(index=False):
            if word not in seen and self._has_tokens(word, [a, b]):
                seen.add(word)
                yield word

    def _has_tokens(self, word: str, pair: list[int]) -> bool:
        if self._senses.counts is None:
            return True
        counts = self._senses.counts[self._senses.rows(word)]
        least = max(self._fewest_tokens, _SMALLEST_SHARE * counts.sum())
        return bool((counts[pair] >= least).all())

    def _neighbor_words(self, word: str) -> Kinds:
        nearest = self._search.of(word, _NEIGHBORS)
        return [
            {other for other, _ in names_of(self._senses, near.rows)} - {word} for near in nearest
        ]


def is_function_word(word: str) -> bool:
    """Whether a word is an English function word."""
    return word.casefold() in ENGLISH_STOP_WORDS


def _n_alike(word: str, found: dict[str, Kinds]) -> int:
    return sum(other != word and _are_alike(found[word], kinds) for other, kinds in found.items())


def _are_alike(a: Kinds, b: Kinds) -> bool:
    return any(len(one & other) >= _ALIKE for one in a for other in b)


def _worked(senses: SenseVectors, inventory: Inventory) -> tuple[str | None, str]:
    """Return a known word with a real pair, if possible without undecided ones, and a sentence."""
    found: list[tuple[bool, str, str]] = []
    for word, sentence in _KNOWN_WORDS.items():
        verdicts = set(inventory.of_word(word)["verdict"])
        if "real" not in verdicts:
            continue
        if is_induced(senses.metadata):
            found.append(("undecided" in verdicts, word, ""))
        elif np.max(disambiguate(senses, word, sentence)["probability"]) >= _CLEAR:
            found.append(("undecided" in verdicts, word, sentence))
    if not found:
        return None, ""
    return min(found, key=lambda each: each[0])[1:]

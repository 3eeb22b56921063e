"""Words to begin with: clear examples of each verdict, no two of them of the same kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from exrpca.explorer.function_words import is_function_word
from exrpca.explorer.inventory import Inventory, Selection, Verdict
from exrpca.explorer.neighbors import NeighborSearch, names_of
from exrpca.senses import SenseVectors
from exrpca.senses.metadata import is_induced
from exrpca.text import disambiguate

# Words looked at for each verdict, and words suggested.
_CANDIDATES = 300
_SUGGESTED = 8
_NEIGHBORS = 10
# A sense with fewer tokens is too rare to convince anybody, unless most senses are.
_FEWEST_TOKENS = 50
_SMALLEST_SHARE = 0.1
# A template of a corpus, such as an infobox, gives many words a sense with the same neighbors.
# Senses that share so many neighbors are alike: only one of their words is suggested.
_ALIKE = 2
# A sense with more function words among its neighbors is not about anything that can be told.
_MOST_FUNCTION_WORDS = 2

# Words that many people know to be ambiguous, each with a sentence that shows one of its meanings.
_KNOWN_WORDS = {
    "apple": "An apple is a sweet fruit, eaten fresh or cooked.",
    "rock": "Layers of sand and volcanic rock under the lake contain water and iron.",
    "plant": "The leaves of the plant are green and its flowers are white.",
    "cell": "Each cell of the body contains the same proteins.",
    "bank": "They walked along the bank of the river to the lake.",
    "star": "The star is larger and brighter than the sun.",
    "mouse": "The cat ran after a mouse in the kitchen.",
}
_CLEAR = 0.5


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


@dataclass(frozen=True)
class _Candidate:
    """A word with a pair of senses.

    Attributes
    ----------
    word : str
    kinds : list of set of str
        The neighbors of each sense.
    margin : float
        How much nearer the two senses are to their own neighbors than to those of the other.
    """

    word: str
    kinds: list[set[str]]
    margin: float

    @property
    def has_topics(self) -> bool:
        """Whether few neighbors of each sense are function words."""
        n_function_words = [sum(map(is_function_word, kind)) for kind in self.kinds]
        return max(n_function_words) <= _MOST_FUNCTION_WORDS

    def is_like(self, other: _Candidate) -> bool:
        """Whether two senses share so many neighbors that they may come from one template."""
        return any(len(one & two) >= _ALIKE for one in self.kinds for two in other.kinds)


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
        """Return the clearest words with a verdict, or undecided ones that a person can judge."""
        pairs = [pair for pair in self._clearest(verdict) if pair[0] not in other_than]
        # rare senses are better than none
        frequent = [pair for pair in pairs if self._has_tokens(*pair)] or pairs
        found = [self._candidate(*pair) for pair in frequent[:_CANDIDATES]]
        if verdict == "real":
            # senses with the same neighbors convince nobody of two meanings
            found = [each for each in found if not set.intersection(*each.kinds)]
        if verdict == "pseudo":
            found.sort(key=lambda each: (self._is_split(each.word), -each.margin), reverse=True)
        else:
            found.sort(key=lambda each: -each.margin)
        chosen: list[_Candidate] = []
        for each in sorted(found, key=lambda each: not each.has_topics):
            if not any(each.is_like(other) for other in chosen):
                chosen.append(each)
        return [each.word for each in chosen[:_SUGGESTED]]

    def _clearest(self, verdict: Verdict) -> Iterator[tuple[str, int, int]]:
        """Yield the clearest such pair of each word."""
        order = Selection(verdict=verdict, sort="probability", descending=verdict != "pseudo")
        pairs = self._inventory.pairs.iloc[self._inventory.select(order)]
        seen: set[str] = set()
        for word, a, b in pairs[["word", "sense_a", "sense_b"]].itertuples(index=False):
            # nobody cares in how many senses "the", "p" or "000" was split
            says_nothing = is_function_word(word) or sum(map(str.isalpha, word)) < 2
            if word not in seen and not says_nothing:
                seen.add(word)
                yield word, a, b

    def _is_split(self, word: str) -> bool:
        """Whether all senses of a word are one meaning."""
        return bool((self._inventory.of_word(word)["verdict"] == "pseudo").all())

    def _has_tokens(self, word: str, a: int, b: int) -> bool:
        if self._senses.counts is None:
            return True
        counts = self._senses.counts[self._senses.rows(word)]
        least = max(self._fewest_tokens, _SMALLEST_SHARE * counts.sum())
        return bool(min(counts[a], counts[b]) >= least)

    def _candidate(self, word: str, a: int, b: int) -> _Candidate:
        cosines = self._search.cosines(word)
        first, last = self._senses.rows(word).start, self._senses.rows(word).stop
        nearest = [
            near.rows[(near.rows < first) | (near.rows >= last)]
            for near in self._search.of(word, _NEIGHBORS)
        ]

        def nearness(sense: int, neighbors_of: int) -> float:
            rows = nearest[neighbors_of]
            return float(cosines[sense][rows].mean()) if len(rows) else 0.0

        margin = min(nearness(a, a), nearness(b, b)) - max(nearness(a, b), nearness(b, a))
        kinds = [{name for name, _ in names_of(self._senses, rows)} for rows in nearest]
        return _Candidate(word, kinds, margin)


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

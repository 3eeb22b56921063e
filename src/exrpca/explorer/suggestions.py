"""Words to begin with: clear examples of each verdict, no two of them about the same."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.explorer.inventory import VERDICTS, Inventory, Verdict
from exrpca.explorer.names import is_function_word
from exrpca.senses import SenseVectors
from exrpca.senses.cosine import unit_vectors

# Pairs looked at for each verdict, and words suggested.
_CANDIDATES = 300
_SUGGESTED = 8
# Words that many people know to be ambiguous: one of them is shown first if a pair of it is real.
_KNOWN_WORDS = ("apple", "rock", "plant", "cell", "bank", "star", "mouse")


class Suggestions(NamedTuple):
    """Words to begin with, by verdict, and the one that is shown in full."""

    words: dict[Verdict, list[str]]
    worked: str | None


def suggest(senses: SenseVectors, inventory: Inventory) -> Suggestions:
    """Choose words by probability, and difference from each other."""
    words: dict[Verdict, list[str]] = {}
    for verdict in ("real", "pseudo", "undecided"):
        taken = {word for own in words.values() for word in own}
        words[verdict] = _clear_words(senses, inventory.pairs, verdict, taken)
    known = [word for word in _KNOWN_WORDS if (inventory.of_word(word)["verdict"] == "real").any()]
    worked = next(iter([*known, *(word for verdict in VERDICTS for word in words[verdict])]), None)
    return Suggestions(words, worked)


def _clear_words(
    senses: SenseVectors, pairs: pd.DataFrame, verdict: Verdict, taken: set[str]
) -> list[str]:
    pairs = pairs[(pairs["verdict"] == verdict) & ~pairs["word"].isin(taken)]
    # nobody cares in how many senses "the", "p" or "000" was split
    tells = [
        len(word) > 2 and word.isalpha() and not is_function_word(word) for word in pairs["word"]
    ]
    pairs = pairs[np.array(tells, dtype=bool)]
    probability = pairs["probability"].fillna(0.5)
    clear = (1 - probability if verdict == "pseudo" else probability).rename("clear")
    best = clear.sort_values(ascending=False, kind="stable").index
    candidates = pairs.loc[best].drop_duplicates("word").head(_CANDIDATES)
    return _unlike(senses, candidates["word"].tolist(), clear[candidates.index].to_numpy())


def _unlike(senses: SenseVectors, words: list[str], clear: NDArray[np.float64]) -> list[str]:
    """Choose by maximal marginal relevance: how clear a word is, less its likeness to a chosen one.

    A template of a corpus, such as an infobox, gives many words a sense with the same neighbors:
    two words are as alike as their most similar senses.
    """
    unit = [unit_vectors(senses[word]) for word in words]
    chosen: list[str] = []
    score = clear.copy()
    while len(chosen) < min(_SUGGESTED, len(words)):
        best = int(score.argmax())
        chosen.append(words[best])
        likeness = np.array([float((own @ unit[best].T).max()) for own in unit])
        score = np.minimum(score, clear - likeness)
        score[best] = -np.inf
    return chosen

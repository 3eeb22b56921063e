"""Which cuts of a word stay: the strength needed, and what all words tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from exrpca.contextual.centering import CenteredVectors, Floats, Integers
from exrpca.contextual.draw import random
from exrpca.contextual.split import Side, cut_in_two, settled
from exrpca.contextual.strength import DEFAULT_LOST, strength, strength_needed

# Occurrences of a word that decide; all others go to the nearest center.
SAMPLE = 600

MOST_SENSES = 6

# How many times as strong as a cut of the word a cut of a part must be: most words have few senses.
_BELOW_WHOLE = 2.0


@dataclass(frozen=True)
class Decision:
    """What decides about cuts.

    Attributes
    ----------
    typical : float
        The distance 1 − cos of two occurrences of a word: the median over words of its mean.
    needed : float
        The strength that a cut of a whole word needs.
    seed : int
    """

    typical: float
    needed: float
    seed: int

    @classmethod
    def learn(
        cls,
        centered: CenteredVectors,
        words: Mapping[str, Integers],
        *,
        lost: float = DEFAULT_LOST,
        seed: int,
    ) -> Decision:
        """Learn from all words."""
        distances = [_mean_distance(centered, rows) for rows in words.values() if len(rows) > 1]
        return cls(
            typical=float(np.median(distances)) if distances else 1.0,
            needed=strength_needed(lost),
            seed=seed,
        )

    def split(self, word: str, x: Floats, n_senses: int | None = None) -> Integers:
        """Cut the occurrences of a word in two, and the parts again, the largest part first.

        With a number of senses, the strongest cut is made until there are that many.
        """
        gram = x @ x.T
        labels = np.zeros(len(x), dtype=np.int64)
        if n_senses is not None:
            return settled(gram, self._split_into(n_senses, word, gram))
        n_senses, parts = 1, [np.arange(len(x))]
        while parts and n_senses < MOST_SENSES:
            part = parts.pop(max(range(len(parts)), key=lambda i: len(parts[i])))
            if len(part) < 2:
                continue
            side, found = self.cut(word, gram[np.ix_(part, part)])
            if self.is_enough(found, whole=len(part) == len(x)):
                labels[part[side]] = n_senses
                n_senses += 1
                parts += [part[~side], part[side]]
        return settled(gram, labels)

    def _split_into(self, n: int, word: str, gram: Floats) -> Integers:
        labels = np.zeros(len(gram), dtype=np.int64)
        cuts = {0: self.cut(word, gram)} if n > 1 else {}
        for new in range(1, n):
            strongest = max(cuts, key=lambda label: cuts[label][1])
            part = np.flatnonzero(labels == strongest)
            labels[part[cuts.pop(strongest)[0]]] = new
            for label in (strongest, new):
                part = np.flatnonzero(labels == label)
                if len(part) > 1:
                    cuts[label] = self.cut(word, gram[np.ix_(part, part)])
        return labels

    def cut(self, word: str, gram: Floats) -> tuple[Side, float]:
        """Cut some occurrences of a word in two; return their sides, and how strong the cut is."""
        side = cut_in_two(gram)
        # the same draws for each cut: its strength does not depend on those judged before
        rng = random(self.seed, word)
        return side, strength(gram, side, typical=self.typical, rng=rng)

    def given_strength(self, word: str, x: Floats, side: Side) -> float:
        """Return how strong the cut between two clusters is that somebody made."""
        rng = random(self.seed, word)
        return strength(x @ x.T, side, typical=self.typical, rng=rng, given=True)

    def is_enough(self, found: float, *, whole: bool) -> bool:
        """Whether a cut of a word, or of a part of it, stays."""
        return found > self.needed * (1.0 if whole else _BELOW_WHOLE)


def _mean_distance(centered: CenteredVectors, rows: Integers) -> float:
    """Return the mean of 1 − cos over all pairs of occurrences, from sums alone."""
    m, total, squares = len(rows), np.zeros(centered.dim), 0.0
    for _, x in centered.blocks(rows):
        total += x.sum(axis=0, dtype=np.float64)
        squares += float(np.vdot(x, x))
    return float((m * squares - total @ total) / (m * (m - 1)))

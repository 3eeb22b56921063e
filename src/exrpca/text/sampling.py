"""Contexts of words, drawn from a text in one pass: at most so many per word, each as likely."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exrpca.compiling import cached_njit
from exrpca.senses import SenseVectors
from exrpca.text.context import ContextSettings, windows
from exrpca.text.lookup import NO_WORD, Lookup
from exrpca.text.tagging import numbered_blocks

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class SampledContexts:
    """The contexts that were drawn for each of some words.

    Attributes
    ----------
    counts : ndarray of int64
        How often each word of the vocabulary occurred in the text; 0 for words not asked for.
    slots : ndarray of int64
        The place of each word of the vocabulary in `drawn`; −1 for words not asked for.
    drawn : ndarray of int32, shape (n_slots, most, 2 * window + 1)
        The words around each occurrence, with the occurrence itself in the middle. `NO_WORD` is a
        token without a word, or a place beyond the line. Only as many as were drawn are filled.
    """

    counts: Integers
    slots: Integers
    drawn: NDArray[np.int32]

    def n_drawn(self, words: Integers) -> Integers:
        """Return how many contexts each of these words has."""
        return np.minimum(self.counts[words], self.drawn.shape[1])

    def as_text(self, words: Integers) -> tuple[Integers, Integers, Integers]:
        """Return the contexts of some words as a text of one line per context.

        Returns
        -------
        tokens, starts, at : ndarray
            The words, where each line begins, and the place of each line's occurrence.
        """
        filled = np.arange(self.drawn.shape[1]) < self.n_drawn(words)[:, None]
        lines = self.drawn[self.slots[words]][filled].astype(np.int64)
        starts = np.arange(len(lines) + 1) * self.drawn.shape[2]
        return lines.ravel(), starts, starts[:-1] + self.drawn.shape[2] // 2


def sample_contexts(
    senses: SenseVectors,
    lines: Iterable[Sequence[str]],
    words: Integers,
    most: int,
    *,
    seed: int = 0,
) -> SampledContexts:
    """Draw contexts of some words from a text.

    Parameters
    ----------
    senses : SenseVectors
        Its metadata say how far a context reaches. A context ends with its line.
    lines : iterable of token sequences
    words : ndarray of int64
        The positions of the words in the vocabulary.
    most : int
        How many contexts are drawn per word. All occurrences are equally likely.
    seed : int, default 0

    Examples
    --------
    >>> senses = SenseVectors(["bank", "river"], [[2, 0], [0, 2], [0, 1]], [2, 1])
    >>> lines = [["the", "river", "bank"], ["bank"]]
    >>> found = sample_contexts(senses, lines, np.array([0]), 5)
    >>> found.counts
    array([2, 0])
    >>> found.drawn[0, :2, 3:]  # two words before, none after
    array([[-1,  1,  0, -1, -1, -1, -1, -1],
           [-1, -1,  0, -1, -1, -1, -1, -1]], dtype=int32)
    """
    settings = ContextSettings.of(senses)
    slots = np.full(len(senses.words) + 1, -1, dtype=np.int64)  # the last is that of NO_WORD
    slots[words] = np.arange(len(words))
    seen = np.zeros(len(words), dtype=np.int64)
    # memory that is never written to is never taken: rare words cost nothing
    drawn = np.empty((len(words), most, 2 * settings.window + 1), dtype=np.int32)
    rng = np.random.default_rng(seed)
    for _, tokens, starts in numbered_blocks(lines, Lookup(senses).__getitem__):
        at = np.flatnonzero(slots[tokens] >= 0)
        around = windows(starts, at, settings)
        _draw(tokens, slots, at, around.begins, around.ends, rng.random(len(at)), seen, drawn)
    counts = np.zeros(len(senses.words), dtype=np.int64)
    counts[words] = seen
    return SampledContexts(counts, slots[:-1], drawn)


@cached_njit()
def _draw(
    tokens: Integers,
    slots: Integers,
    at: Integers,
    begins: Integers,
    ends: Integers,
    chances: NDArray[np.float64],
    seen: Integers,
    drawn: NDArray[np.int32],
) -> None:
    """Let each occurrence take a place: a free one, or by chance that of an earlier one."""
    most, middle = drawn.shape[1], drawn.shape[2] // 2
    for i in range(len(at)):
        slot = slots[tokens[at[i]]]
        place = seen[slot]
        seen[slot] += 1
        if place >= most:
            place = np.int64(chances[i] * seen[slot])
            if place >= most:
                continue
        line = drawn[slot, place]
        line[:] = NO_WORD
        for k in range(begins[i], ends[i]):
            line[middle + k - at[i]] = tokens[k]

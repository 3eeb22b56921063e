"""Evidence: the sentences of a text that are most typical of each sense."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from exrpca.senses import Example, SenseVectors
from exrpca.text import ContextSettings, Corpus, Lookup, Tokenizer
from exrpca.text.choice import check_without_encoder, sense_cosines
from exrpca.text.context import windows
from exrpca.text.lookup import NO_WORD
from exrpca.text.tagging import numbered_blocks
from exrpca.text.tokens import TextTokens

Integers = NDArray[np.int64]

_SENTENCES = 3
# Tokens shown on each side of the word.
_SHOWN = 12
# A sense is chosen by chance if fewer words of the context are known.
_FEWEST_KNOWN = 3


class Evidence:
    """Typical sentences of senses: those that the vectors bring, or those found in a text.

    Parameters
    ----------
    senses : SenseVectors
        A text can be read unless they were induced, which brings sentences of its own.
    corpus : sequence of Path
        Files of text; may be empty.
    """

    def __init__(self, senses: SenseVectors, corpus: Sequence[Path] = ()) -> None:
        if corpus:
            check_without_encoder(senses)
        self._senses = senses
        self._corpus = Corpus(list(corpus))
        self.is_read = not corpus
        # for each sense, its sentences with their probabilities, the most probable first
        self._found: dict[int, list[tuple[float, Example]]] = {}
        self._least = np.zeros(len(senses.vectors))

    @property
    def exists(self) -> bool:
        """Whether there are sentences, or a text to find them in."""
        return self._senses.examples is not None or not self.is_read or bool(self._found)

    def of(self, word: str) -> list[list[Example]]:
        """Return up to three sentences of each sense of a word, as far as they are known."""
        rows = self._senses.rows(word)
        examples = self._senses.examples
        given = examples[rows] if examples is not None else [()] * (rows.stop - rows.start)
        return [
            [example for _, example in self._found.get(row, [])] or list(own[:_SENTENCES])
            for row, own in zip(range(rows.start, rows.stop), given, strict=True)
        ]

    def read(self) -> None:
        """Read the text once, and keep the most typical sentences of each sense."""
        lookup, tokenizer = Lookup(self._senses), Tokenizer()
        lines = (tokenizer.tokens(line, lookup.knows) for line in self._corpus.lines())
        for block, tokens, starts in numbered_blocks(lines, lookup.__getitem__):
            self._keep_best(block, tokens, starts)  # type: ignore[arg-type]
        self.is_read = True

    def _keep_best(self, block: list[TextTokens], tokens: Integers, starts: Integers) -> None:
        settings = ContextSettings.of(self._senses)
        several = np.append(self._senses.n_senses > 1, False)  # the last is that of NO_WORD
        at = np.flatnonzero(several[tokens])
        around = windows(starts, at, settings)
        n_known = np.append(0, np.cumsum(tokens != NO_WORD))
        # the word itself is among those known
        at = at[n_known[around.ends] - n_known[around.begins] - 1 >= _FEWEST_KNOWN]
        cosines = sense_cosines(self._senses, tokens, starts, at, settings)
        best = cosines.best()
        probability = cosines.probabilities()[cosines.offsets[:-1] + best]
        rows = self._senses.offsets[tokens[at]] + best
        for i in _highest_of_each(rows, np.where(probability > self._least[rows], probability, 0)):
            line = int(np.searchsorted(starts, at[i], side="right")) - 1
            sentence = block[line].around(int(at[i] - starts[line]), _SHOWN)
            self._add(int(rows[i]), float(probability[i]), Example(*sentence))

    def _add(self, row: int, probability: float, example: Example) -> None:
        kept = self._found.get(row, [])
        if any("".join(other) == "".join(example) for _, other in kept):
            return
        best = sorted([*kept, (probability, example)], key=lambda each: -each[0])[:_SENTENCES]
        self._found[row] = best
        if len(best) == _SENTENCES:
            self._least[row] = best[-1][0]


def _highest_of_each(groups: Integers, values: NDArray[np.float64]) -> Integers:
    """Return where the three highest values of each group are; those that are 0 are left out.

    Examples
    --------
    >>> _highest_of_each(np.array([7, 8, 7, 7, 7]), np.array([0.1, 0.5, 0.4, 0.2, 0.3]))
    array([2, 4, 3, 1])
    """
    order = np.lexsort((-values, groups))
    ordered = groups[order]
    first = np.searchsorted(ordered, ordered)
    place = np.arange(len(order)) - first
    return order[(place < _SENTENCES) & (values[order] > 0)]

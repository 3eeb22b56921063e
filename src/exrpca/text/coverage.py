"""How much of a text a vocabulary covers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exrpca.senses import SenseVectors


class Coverage:
    """Counts the tokens of a text that have senses, while the text is tagged.

    Attributes
    ----------
    n_tokens : int
        All tokens.
    n_tagged : int
        Those that are words of the vocabulary.
    n_chosen : int
        Those of them whose word has several senses.
    n_words, n_words_of_several : int
        How many different words of the vocabulary occurred, and how many with several senses.

    Examples
    --------
    >>> from exrpca import SenseVectors, tag
    >>> senses = SenseVectors(["bank", "river"], [[1, 0], [0, 1], [0, 1]], [2, 1])
    >>> coverage = Coverage()
    >>> list(tag(senses, ["The river bank."], coverage=coverage))
    ['The river#0 bank#1.']
    >>> print(coverage)
    2 of 3 tokens tagged (66.7%), 1 of them with several senses to choose from; 2 different words,
    1 with several senses
    """

    def __init__(self) -> None:
        self.n_tokens = 0
        self.n_tagged = 0
        self.n_chosen = 0
        self.n_words = 0
        self.n_words_of_several = 0
        self._seen: NDArray[np.bool_] | None = None

    def add(self, senses: SenseVectors, tokens: NDArray[np.int64]) -> None:
        """Count tokens, given by the positions of their words; −1 for those without a word."""
        if self._seen is None:
            self._seen = np.zeros(len(senses.words), dtype=bool)
        known = tokens[tokens >= 0]
        several = senses.n_senses > 1
        self._seen[known] = True
        self.n_tokens += len(tokens)
        self.n_tagged += len(known)
        self.n_chosen += int(several[known].sum())
        self.n_words = int(self._seen.sum())
        self.n_words_of_several = int((self._seen & several).sum())

    def __str__(self) -> str:
        share = f" ({self.n_tagged / self.n_tokens:.1%})" if self.n_tokens else ""
        return (
            f"{self.n_tagged:,} of {self.n_tokens:,} tokens tagged{share}, {self.n_chosen:,} of "
            f"them with several senses to choose from; {self.n_words:,} different words, "
            f"{self.n_words_of_several:,} with several senses"
        )

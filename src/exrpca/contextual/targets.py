"""The words whose occurrences are looked for, and the forms that count as them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence

from exrpca.errors import InputError
from exrpca.tables import read_words
from exrpca.text import Corpus, Tokenizer
from exrpca.text.lookup import Lookup, WordsOfForms, lower_case

Words = Sequence[str] | str | os.PathLike[str] | int


class Targets:
    """Words that are looked for, and which forms count as them.

    Parameters
    ----------
    words : iterable of str
        Duplicates count once.
    forms : WordsOfForms, optional
        The words of other forms. A word is always a form of itself.

    Attributes
    ----------
    words : list of str
    lookup : Lookup
        The position of each token's word, or `NO_WORD`.

    Examples
    --------
    >>> targets = Targets(["bank"], {"banks": "bank", "cells": "cell"})
    >>> [targets.lookup[token] for token in ("Banks", "cells")], targets.form("Banks", 0)
    ([0, -1], 'banks')
    """

    def __init__(self, words: Iterable[str], forms: WordsOfForms | None = None) -> None:
        self.words = list(dict.fromkeys(words))
        if not self.words:
            raise InputError("no words to look for")
        self._positions = {word: position for position, word in enumerate(self.words)}
        self.lookup = Lookup(self, forms)

    def __contains__(self, word: object) -> bool:
        return word in self._positions

    def index(self, word: str) -> int:
        """Return the position of a word in `words`."""
        return self._positions[word]

    def form(self, token: str, word: int) -> str:
        """Return the form of a word that a token is: in lower case, if that is how the word is."""
        is_lower = self.words[word] == lower_case(self.words[word])
        return lower_case(token) if is_lower else token

    def check_tokens(self, tokenizer: Tokenizer) -> None:
        """Raise `InputError` for a word that the tokenizer never finds as one token."""
        for word in self.words:
            if list(tokenizer.tokens(word, self.__contains__)) != [word]:
                raise InputError(
                    f"the word {word!r} is never one token of the text: leave it out, or use "
                    "another tokenizer"
                )


def find_targets(
    words: Words, forms: WordsOfForms | None, corpus: Corpus, tokenizer: Tokenizer
) -> Targets:
    """Return the words that a person asked for: a list, a file, or how many frequent ones."""
    if isinstance(words, int):
        return Targets(_most_frequent(words, forms or {}, corpus, tokenizer), forms)
    named = read_words(words) if isinstance(words, str | os.PathLike) else words
    targets = Targets(named, forms)
    targets.check_tokens(tokenizer)
    return targets


def _most_frequent(n: int, forms: WordsOfForms, corpus: Corpus, tokenizer: Tokenizer) -> list[str]:
    if n < 1:
        raise InputError(f"words={n} must be at least 1")
    if not corpus.can_be_read_again:
        raise InputError(
            "finding the most frequent words needs text that can be read twice: save it to a file"
        )
    counts: Counter[str] = Counter()
    for passage in corpus.passages():
        text = passage.text
        counts.update(tokenizer.tokens(text) if isinstance(text, str) else text)
    of_word: Counter[str] = Counter()
    for token, count in counts.items():
        form = lower_case(token)
        # numbers and punctuation marks are not words
        if any(map(str.isalpha, form)):
            of_word[forms.get(form) or form] += count
    return [word for word, _ in of_word.most_common(n)]

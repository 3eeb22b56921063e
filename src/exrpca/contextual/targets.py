"""The words whose occurrences are looked for, and the forms that count as them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from exrpca.errors import InputError
from exrpca.tables import read_words
from exrpca.text import Corpus, Tokenizer
from exrpca.text.lookup import Forms, lower_case, words_of_forms

Words = Sequence[str] | str | os.PathLike[str] | int


class Targets:
    """Words and their forms: the vocabulary that `Lookup` finds tokens in.

    Parameters
    ----------
    words : iterable of str
        Duplicates count once.
    forms : mapping from form to word, optional
        Other forms of the words; those of other words are left out. A word is always a form of
        itself.

    Attributes
    ----------
    words, forms : list of str
    word_of : list of int
        The position of each form's word.

    Examples
    --------
    >>> targets = Targets(["bank"], {"banks": "bank", "cells": "cell"})
    >>> targets.forms, targets.word_of, "banks" in targets
    (['bank', 'banks'], [0, 0], True)
    """

    def __init__(self, words: Iterable[str], forms: Mapping[str, str] | None = None) -> None:
        self.words = list(dict.fromkeys(words))
        if not self.words:
            raise InputError("no words to look for")
        positions = {word: position for position, word in enumerate(self.words)}
        word_of_form = dict(positions)
        for form, word in (forms or {}).items():
            if word in positions:
                word_of_form.setdefault(form, positions[word])
        self.forms = list(word_of_form)
        self.word_of = list(word_of_form.values())
        self._index = {form: number for number, form in enumerate(self.forms)}

    def __contains__(self, form: object) -> bool:
        return form in self._index

    def index(self, form: str) -> int:
        """Return the position of a form in `forms`."""
        return self._index[form]

    def check_tokens(self, tokenizer: Tokenizer) -> None:
        """Raise `InputError` for a word that the tokenizer never finds as one token."""
        for word in self.words:
            if list(tokenizer.tokens(word, self.__contains__)) != [word]:
                raise InputError(
                    f"the word {word!r} is never one token of the text: leave it out, or use "
                    "another tokenizer"
                )


def find_targets(
    words: Words, forms: Forms | None, corpus: Corpus, tokenizer: Tokenizer
) -> Targets:
    """Return the words that a person asked for: a list, a file, or how many frequent ones."""
    of_form = words_of_forms(forms)
    if isinstance(words, int):
        return Targets(_most_frequent(words, of_form, corpus, tokenizer), of_form)
    named = read_words(words) if isinstance(words, str | os.PathLike) else words
    targets = Targets(named, of_form)
    targets.check_tokens(tokenizer)
    return targets


def _most_frequent(
    n: int, forms: Mapping[str, str], corpus: Corpus, tokenizer: Tokenizer
) -> list[str]:
    if n < 1:
        raise InputError(f"words={n} must be at least 1")
    if not corpus.can_be_read_again:
        raise InputError(
            "finding the most frequent words needs text that can be read twice: save it to a file"
        )
    counts: Counter[str] = Counter()
    for _, line in corpus.located():
        counts.update(tokenizer.tokens(line) if isinstance(line, str) else line)
    of_word: Counter[str] = Counter()
    for token, count in counts.items():
        form = lower_case(token)
        # numbers and punctuation marks are not words
        if any(map(str.isalpha, form)):
            of_word[forms.get(form, form)] += count
    return [word for word, _ in of_word.most_common(n)]

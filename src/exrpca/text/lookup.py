"""Which word of the vocabulary a token is: the one rule."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Protocol

from exrpca.errors import UnknownWordError
from exrpca.senses.metadata import encoding_entry, is_induced
from exrpca.tables import read_table
from exrpca.text.lemmas import Lemmas

if TYPE_CHECKING:
    from exrpca.senses import SenseVectors

NO_WORD: Final = -1

Forms = Mapping[str, str] | str | os.PathLike[str]

# Tokens whose word is remembered, so that a text of any size fits in memory.
_REMEMBERED = 1 << 20


class Vocabulary(Protocol):
    """Words and their positions, as in `SenseVectors`."""

    def __contains__(self, word: object, /) -> bool:
        """Whether it has the word."""

    def index(self, word: str, /) -> int:
        """Return the position of a word that it has."""


class WordsOfForms(Protocol):
    """The word that a form belongs to: a mapping, or `exrpca.text.lemmas.Lemmas`."""

    def get(self, form: str, /) -> str | None:
        """Return the word, None if the form is unknown."""


class Lookup(dict[str, int]):
    """The position of each token's word in the vocabulary; `NO_WORD` if it has none.

    The spellings of a token are tried in this order. The first one in the vocabulary counts:

    1. the token as it is;
    2. in lower case;
    3. with composed accents (Unicode NFC) and straight apostrophes;
    4. the same in lower case, where Turkish "İ" is a plain "i".

    A vocabulary with capitals therefore prefers the exact spelling: "Polish" is the language
    if there is such a word, and "polish" otherwise.

    Parameters
    ----------
    vocabulary : SenseVectors, or anything else with words and their positions
    forms : WordsOfForms, optional
        What else counts as a word of the vocabulary. A word is always a form of itself.

    Examples
    --------
    >>> from exrpca.senses import SenseVectors
    >>> senses = SenseVectors(["polish", "Polish", "don't"], [[1], [2], [3]], [1, 1, 1])
    >>> lookup = Lookup(senses)
    >>> [lookup[token] for token in ("Polish", "POLISH", "Don’t", "shine")]
    [1, 0, 2, -1]
    >>> Lookup(senses, {"polishes": "polish"})["Polishes"]
    0
    """

    def __init__(self, vocabulary: Vocabulary, forms: WordsOfForms | None = None) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._word_of_form: WordsOfForms = {} if forms is None else forms

    def __missing__(self, token: str) -> int:
        words = self._vocabulary
        tried = (word for spelling in _spellings(token) for word in self._words_spelled(spelling))
        found = next((words.index(word) for word in tried if word in words), NO_WORD)
        if len(self) < _REMEMBERED:
            self[token] = found
        return found

    def _words_spelled(self, spelling: str) -> tuple[str, ...]:
        word = self._word_of_form.get(spelling)
        return (spelling,) if word is None else (spelling, word)

    def knows(self, token: str) -> bool:
        """Whether the vocabulary has the token's word."""
        return self[token] != NO_WORD


def _spellings(token: str) -> tuple[str, ...]:
    plain = unicodedata.normalize("NFC", token).replace("’", "'").replace("ʼ", "'")
    return token, token.lower(), plain, lower_case(plain)


def lower_case(text: str) -> str:
    """Return a text in lower case, without the second dot that Unicode gives the i of "İ".

    Examples
    --------
    >>> lower_case("İSTANBUL"), len("İSTANBUL".lower())
    ('istanbul', 9)
    """
    return text.lower().replace("i\u0307", "i")


def lookup_in(senses: SenseVectors, forms: Forms | None = None) -> Lookup:
    """Return how tokens are looked up among senses.

    Parameters
    ----------
    senses : SenseVectors
    forms : mapping or path, optional
        As for `words_of_forms`. By default, senses from `induce` are looked up as their
        occurrences were: by the lemmas of their language.
    """
    if forms is None and is_induced(senses.metadata):
        language = encoding_entry(senses.metadata).get("language", "none")
        if language != "none":
            return Lookup(senses, Lemmas(language))
    return Lookup(senses, words_of_forms(forms))


def words_of_forms(forms: Forms | None) -> Mapping[str, str]:
    """Return the word of each form.

    A file is a CSV file with the columns `form` and `word`. If a form appears several times, its
    first row counts.

    Examples
    --------
    >>> words_of_forms({"banks": "bank"}), words_of_forms(None)
    ({'banks': 'bank'}, {})
    """
    if forms is None or isinstance(forms, Mapping):
        return forms or {}
    found: dict[str, str] = {}
    read_table(forms, ["form", "word"], lambda form, word: found.setdefault(form, word))
    return found


def find_word(vocabulary: SenseVectors, word: str) -> str:
    """Return the word of the vocabulary that a person means, regardless of case.

    Parameters
    ----------
    vocabulary : SenseVectors
    word : str
        Looked up as a token; see `Lookup`. If it is not found, a word that differs only in
        capitals is meant, if there is just one.

    Raises
    ------
    UnknownWordError
        With close matches, or with the words that could be meant.

    Examples
    --------
    >>> from exrpca.senses import SenseVectors
    >>> find_word(SenseVectors(["Paris"], [[1]], [1]), "paris")
    'Paris'
    """
    place = Lookup(vocabulary)[word]
    if place != NO_WORD:
        return vocabulary.words[place]
    folded = word.casefold()
    meant = [other for other in vocabulary.words if other.casefold() == folded]
    if len(meant) > 1:
        raise UnknownWordError(f"no word {word!r}; did you mean {' or '.join(meant)}?")
    return meant[0] if meant else vocabulary.words[vocabulary.index(word)]

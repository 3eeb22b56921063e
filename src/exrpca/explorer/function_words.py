"""Function words: frequent, and the least worth a person's time."""

from __future__ import annotations

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS


def is_function_word(word: str) -> bool:
    """Whether a word is an English function word.

    Examples
    --------
    >>> is_function_word("The"), is_function_word("bank")
    (True, False)
    """
    return word.casefold() in ENGLISH_STOP_WORDS

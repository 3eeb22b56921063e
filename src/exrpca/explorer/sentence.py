"""Sentences as people type them, as tokens of a vocabulary."""

from __future__ import annotations

from collections.abc import Sequence

from exrpca.evaluation import Context
from exrpca.senses import SenseVectors

_PUNCTUATION = ".,;:!?\"'()[]{}<>«»“”‘’„…–—-"


def tokens_of(text: str, senses: SenseVectors) -> list[str]:
    """Split a text at white space and bring each token to the form the vocabulary knows.

    Each is tried as it stands, without punctuation, and in lower case; one that is not known
    in any form keeps its place, as in a text that is evaluated.

    Examples
    --------
    >>> senses = SenseVectors(["bank", "the", "C."], [[1], [2], [3]], [1, 1, 1])
    >>> tokens_of("The bank, owned by C.", senses)
    ['the', 'bank', 'owned', 'by', 'C.']
    """
    return [_known_form(token, senses) for token in text.split()]


def context_of(word: str, tokens: Sequence[str], window: int) -> Sequence[str]:
    """Return the tokens that count when a sense is chosen: those around the word, or all."""
    if word not in tokens:
        return tokens
    at = tokens.index(word)
    return Context(tuple(tokens[:at]), tuple(tokens[at + 1 :])).within(window)


def _known_form(token: str, senses: SenseVectors) -> str:
    bare = token.strip(_PUNCTUATION)
    return next((form for form in (token, bare, bare.lower()) if form in senses), token)

"""Telling words: what the sentences of one sense have, and those of the other senses have not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from exrpca.senses import Example
from exrpca.text import Tokenizer


def telling_words(
    sentences: Sequence[Sequence[Example]], tells: Callable[[str], bool]
) -> list[list[str]]:
    """Return the words in the sentences of each sense, the most telling first.

    A word tells the more, the more sentences of the sense have it than of any other sense;
    among equals, the one that comes nearer to the word itself.

    Parameters
    ----------
    sentences : sequence of sequences of Example
        Of each sense.
    tells : function
        Whether a word may be taken.

    Examples
    --------
    >>> money = [Example("the ", "bank", " lent money"), Example("money in the ", "bank", "")]
    >>> river = [Example("a river ", "bank", "")]
    >>> telling_words([money, river], lambda word: len(word) > 3)
    [['money', 'lent'], ['river']]
    """
    near = [[_distances(sentence) for sentence in own] for own in sentences]
    counts = [Counter(word for found in own for word in found) for own in near]
    words = []
    for sense, own in enumerate(counts):
        others = counts[:sense] + counts[sense + 1 :]
        ahead = {
            word: n - max((other[word] for other in others), default=0) for word, n in own.items()
        }
        nearest = {word: min(found[word] for found in near[sense] if word in found) for word in own}
        order = sorted(ahead, key=lambda word: (-ahead[word], nearest[word], word))
        words.append([word for word in order if ahead[word] > 0 and tells(word)])
    return words


def _distances(sentence: Example) -> dict[str, int]:
    """Return how many words each word of a sentence is away from the target."""
    tokens = Tokenizer().tokens
    left = [token.casefold() for token in reversed(tokens(sentence.left))]
    right = [token.casefold() for token in tokens(sentence.right)]
    found: dict[str, int] = {}
    for side in (left, right):
        for distance, token in enumerate(side, 1):
            found[token] = min(distance, found.get(token, distance))
    return found

"""How a text becomes tokens: `words` for text as people write it, `whitespace` otherwise."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, get_args

from exrpca.errors import InputError

TokenizerName = Literal["words", "whitespace"]
TOKENIZERS: tuple[TokenizerName, ...] = get_args(TokenizerName)
DEFAULT_TOKENIZER: TokenizerName = "words"


class TextTokens(list[str]):
    """The tokens of a text, which can be written back with other tokens in their place.

    Parameters
    ----------
    tokens : iterable of str
    between : list of str, optional
        The text before, between and after the tokens, one more than there are tokens. By
        default there are single spaces between them.

    Examples
    --------
    >>> tokens = TextTokens(["Hello", "world"], ["", ", ", "!"])
    >>> tokens, tokens.text_with(["Hi", "all"])
    (['Hello', 'world'], 'Hi, all!')
    """

    __slots__ = ("_between",)

    def __init__(self, tokens: Iterable[str], between: list[str] | None = None) -> None:
        super().__init__(tokens)
        self._between = between

    def around(self, place: int, window: int) -> tuple[str, str, str]:
        """Return the text before a token, the token, and the text after it.

        Parameters
        ----------
        place : int
        window : int
            How many tokens on each side the text reaches.

        Examples
        --------
        >>> TextTokens(["a", "b", "c"], ["(", " ", ", ", ")"]).around(1, 1)
        ('(a ', 'b', ', c)')
        """
        return self.before(place, window), self[place], self.after(place + 1, window)

    def before(self, place: int, window: int) -> str:
        """Return the text of the last tokens before a place, with what follows each of them."""
        first = max(place - window, 0)
        start = self._gap(0) if first == 0 else ""
        return start + "".join(self[i] + self._gap(i + 1) for i in range(first, place))

    def after(self, place: int, window: int) -> str:
        """Return the text of the first tokens from a place on, with what precedes each of them."""
        last = min(place + window, len(self))
        end = self._gap(last) if last == len(self) else ""
        return "".join(self._gap(i) + self[i] for i in range(place, last)) + end

    def gaps(self) -> list[str]:
        """Return the text before each token, and after the last one.

        Examples
        --------
        >>> TextTokens(["Hello", "world"], ["", ", ", "!"]).gaps()
        ['', ', ', '!']
        """
        return [self._gap(place) for place in range(len(self) + 1)]

    def _gap(self, place: int) -> str:
        """Return the text before a token; after the last one there is a gap, too."""
        if self._between is None:
            return " " if 0 < place < len(self) else ""
        return self._between[place]

    def text_with(self, tokens: Sequence[str]) -> str:
        """Return the text with other tokens; the text between them stays."""
        if self._between is None:
            return " ".join(tokens)
        parts = [""] * (2 * len(self) + 1)
        parts[::2] = self._between
        parts[1::2] = tokens
        return "".join(parts)


class Tokenizer:
    """Finds the tokens of a text and keeps the text between them.

    "words" finds words among punctuation. A word is a run of letters and digits of any
    script. An apostrophe or an underscore inside a word belongs to it (don't, rock'n'roll,
    new_york). Any other character separates words, so "well-known" is two words and "1,000"
    too. The exception: words joined by single signs are one token if the vocabulary has it
    (x-ray, and/or). Scripts that put no space between words need text that is already split.

    "whitespace" takes everything between whitespace as a token. It is for text that is
    already tokenized, in which punctuation marks are tokens of their own or are missing.

    Parameters
    ----------
    name : {"words", "whitespace"}, default "words"
    sign : str, default ""
        For text tagged with senses: the sign between word and sense number, such as "#".

    Examples
    --------
    >>> Tokenizer().tokens("The Plant, a well-known factory, didn't close.")
    ['The', 'Plant', 'a', 'well', 'known', 'factory', "didn't", 'close']
    >>> Tokenizer("whitespace").tokens("The plant , closed .")
    ['The', 'plant', ',', 'closed', '.']
    """

    def __init__(self, name: TokenizerName = DEFAULT_TOKENIZER, *, sign: str = "") -> None:
        if name not in TOKENIZERS:
            raise InputError(f"tokenizer={name!r} must be one of {', '.join(TOKENIZERS)}")
        self._token, self._joined = _patterns(name, sign)

    def tokens(self, text: str, known: Callable[[str], bool] | None = None) -> TextTokens:
        """Return the tokens of a text.

        Parameters
        ----------
        text : str
        known : callable, optional
            Whether the vocabulary has a token. Without it, joined words are always split.

        Examples
        --------
        >>> Tokenizer().tokens("an X-ray, please")
        ['an', 'X', 'ray', 'please']
        >>> Tokenizer().tokens("an X-ray, please", known={"X-ray"}.__contains__)
        ['an', 'X-ray', 'please']
        """
        if self._joined is None and " ".join(tokens := text.split()) == text:
            return TextTokens(tokens)  # the same in a fraction of the time
        parts = self._token.split(text)
        if known is not None and self._joined is not None and _has_single_signs(parts):
            parts = self._joined_where_known(self._joined.split(text), known)
        return TextTokens(parts[1::2], parts[::2])

    def _joined_where_known(self, joined: list[str], known: Callable[[str], bool]) -> list[str]:
        parts = joined[:1]
        for token, between in zip(joined[1::2], joined[2::2], strict=True):
            # a split token begins and ends with an empty part
            parts += [token] if known(token) else self._token.split(token)[1:-1]
            parts.append(between)
        return parts


def _has_single_signs(parts: list[str]) -> bool:
    return any(len(between) == 1 and not between.isspace() for between in parts[2:-1:2])


@functools.cache
def _patterns(name: TokenizerName, sign: str) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """Return the pattern of a token, and that of several ones joined by single signs."""
    if name == "whitespace":
        return re.compile(r"(\S+)"), None
    # re knows no class of combining marks: accents, and the vowel signs of Indic scripts.
    # Beyond this range there are only variation selectors. The zero-width joiners (U+200C,
    # U+200D) are a part of words in Persian and Indic scripts.
    codes = map(chr, range(0x300, 0x20000))
    marks = "".join(c for c in codes if unicodedata.category(c).startswith("M")) + "\u200c\u200d"
    letters = r"[^\W_]++"
    # looking first at what ends nearly all words, ASCII without ' and _, is five times as fast
    more = rf"(?![\x00-\x26\x28-\x5e\x60-\x7f])(?:['’_]{letters}|[{marks}]++(?:{letters})?)"
    word = rf"{letters}(?:{more})*+"
    if sign:
        word = rf"{word}(?:{re.escape(sign)}[0-9]+(?!\w))?"
    return re.compile(f"({word})"), re.compile(rf"({word}(?:[^\w\s]{word})*)")

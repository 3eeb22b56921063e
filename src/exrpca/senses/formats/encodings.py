"""Words from bytes and back."""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from exrpca.errors import InputError
from exrpca.senses.formats.place import Place

_SEPARATORS = frozenset(" \t\r\n")


def check_encoding(encoding: str) -> None:
    """Refuse an encoding that Python does not know."""
    try:
        codecs.lookup(encoding)
    except LookupError:
        raise InputError(f"encoding={encoding!r} is unknown, expected for example utf-8") from None


def decode_words(words: Sequence[bytes], encoding: str, place: Place) -> list[str]:
    """Decode the words of rows, one row each."""
    decoded = []
    for row, word in enumerate(words):
        try:
            decoded.append(word.decode(encoding))
        except UnicodeDecodeError:
            raise place.error(
                f"the word {word!r} is not in {encoding}: give the encoding, "
                "for example iso-8859-15",
                row,
            ) from None
    return decoded


def encode_words(words: Sequence[str], format_name: str) -> list[bytes]:
    """Encode all words in UTF-8 for a format whose fields are separated by whitespace."""
    encoded = []
    for word in words:
        if not word or not _SEPARATORS.isdisjoint(word):
            raise InputError(
                f"the word {word!r} is empty or contains whitespace, which {format_name} "
                "cannot hold: use .parquet"
            )
        try:
            encoded.append(word.encode())
        except UnicodeEncodeError:
            raise InputError(f"the word {word!r} cannot be written in UTF-8") from None
    return encoded

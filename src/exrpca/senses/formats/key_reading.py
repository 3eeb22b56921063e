"""What the keys of a file say: words, senses and their labels."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exrpca.errors import InputError, InputWarning
from exrpca.senses.formats.format import ReadOptions
from exrpca.senses.formats.key_detection import (
    broken_pattern,
    detect_key_pattern,
    unknown_separator,
)
from exrpca.senses.formats.key_patterns import (
    KeyParts,
    KeyPattern,
    are_numbers,
    key_pattern_named,
    pattern_of_regex,
    split_keys,
)
from exrpca.senses.formats.numbering import order_within_words
from exrpca.senses.formats.place import Place
from exrpca.senses.ragged import Integers

# A longer key is cut in a warning.
_LONGEST_SHOWN = 40


@dataclass(frozen=True)
class ReadKeys:
    """What keys say: the word and the number of each row, labels if any, and their pattern."""

    words: list[str]
    numbers: Integers
    labels: list[str] | None
    metadata: dict[str, str]


def read_keys(keys: Sequence[str], options: ReadOptions, place: Place) -> ReadKeys:
    """Split keys by the pattern that is asked for, or else by the one they follow."""
    if options.key_regex is not None:
        pattern = pattern_of_regex(options.key_regex)
    else:
        pattern = key_pattern_named(options.key_pattern or detect_key_pattern(keys))
        _warn_of_unknown_pattern(keys, pattern, options, place)
    parts = split_keys(keys, pattern)
    if options.key_regex is not None:
        _check_regex(parts, place)
    words = [part.word for part in parts]
    labels = [part.sense for part in parts]
    metadata = {"key_pattern": pattern.name} if pattern.name else {}
    if pattern.is_labeled and not are_numbers(label for label in labels if label):
        _check_keys_once(keys, place)
        return ReadKeys(words, order_within_words(words), labels, metadata)
    numbers = np.array([int(label or 0) for label in labels], dtype=np.int64)
    return ReadKeys(words, numbers, None, metadata)


def _check_regex(parts: Sequence[KeyParts], place: Place) -> None:
    """Refuse a regular expression that matches no key, or says the same of two keys."""
    if not any(part.sense for part in parts):
        raise InputError("key_regex matches none of the keys", path=place.path)
    seen: set[KeyParts] = set()
    for row, part in enumerate(parts):
        if not part.word or part in seen:
            what = "appears twice" if part.word else "has no word"
            raise place.error(f"by key_regex, {part.word!r} with sense {part.sense!r} {what}", row)
        seen.add(part)


def _check_keys_once(keys: Sequence[str], place: Place) -> None:
    seen: set[str] = set()
    for row, key in enumerate(keys):
        if key in seen:
            raise place.error(f"the key {key!r} appears twice", row)
        seen.add(key)


def _warn_of_unknown_pattern(
    keys: Sequence[str], pattern: KeyPattern, options: ReadOptions, place: Place
) -> None:
    if pattern.name != "word" or options.key_pattern is not None:
        return
    where = "" if place.path is None else f"{place.path}: "
    if name := broken_pattern(keys):
        warnings.warn(
            f"{where}many keys look like {name}, but have gaps in their numbers, or their word is "
            f"a key as well: each is read as a word. If they are senses, use --key-pattern {name}; "
            "if they are words, --key-pattern word",
            InputWarning,
            stacklevel=2,
        )
    elif separator := unknown_separator(keys):
        regex = f"(?P<word>.+){_escaped(separator)}(?P<sense>.+)"
        shown = keys[0] if len(keys[0]) <= _LONGEST_SHOWN else f"{keys[0][:_LONGEST_SHOWN]}…"
        warnings.warn(
            f"{where}keys such as {shown!r} look like senses, but of no known pattern: each is "
            f"read as a word. If they are senses, use --key-regex '{regex}'; if they are words, "
            "--key-pattern word",
            InputWarning,
            stacklevel=2,
        )


def _escaped(separator: str) -> str:
    """Return a separator as a regular expression has it; `re.escape` escapes more than it must."""
    return re.sub(r"[.^$*+?{}\[\]\\|()]", r"\\\g<0>", separator)

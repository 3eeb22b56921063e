"""What the keys of a file say: words, senses and their labels."""

from __future__ import annotations

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from exrpca.errors import InputError, InputWarning
from exrpca.senses.formats.format import Place, ReadOptions
from exrpca.senses.formats.key_patterns import (
    KEY_PATTERNS,
    KeyParts,
    KeyPattern,
    are_numbers,
    key_pattern_named,
    pattern_of_regex,
    split_keys,
)
from exrpca.senses.ragged import Integers

# A longer key is cut in a warning.
_LONGEST_SHOWN = 40

# What may be between word and sense in keys of a pattern that is not known, longest first.
_SEPARATORS = ("__", "::", *"#|%:_-./@~$^=+,")

# Keys get a warning if this share of them look like senses: each has its word in common with
# others, but not with more than a word has senses. Vocabularies with "new_york" have fewer.
_SHARE_LIKE_SENSES = 0.5
_MOST_SENSES = 20


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


def detect_key_pattern(keys: Sequence[str]) -> str:
    """Return the name of the pattern that the keys follow; "word" when they follow none.

    A pattern is taken when every key follows it, or when those that do look like senses: some
    word has several, none of the words is a key by itself, and numbers count from 0 or 1 without
    a gap. So `covid_19` among plain words is a word.

    Examples
    --------
    >>> detect_key_pattern(["bank|0", "bank|1", "river"])
    'word|0'
    >>> detect_key_pattern(["bank%1:14:00::", "bank%1:17:01::"])
    'word%1:00:00::'
    >>> detect_key_pattern(["virus", "covid_19"])
    'word'
    """
    distinct = dict.fromkeys(keys).keys()
    patterns = [pattern for pattern in KEY_PATTERNS.values() if pattern.sign]
    for pattern in patterns:
        if all(pattern.sign in key and pattern.regex.fullmatch(key) for key in distinct):
            return pattern.name
    found = next((pattern for pattern in patterns if _some_are_senses(distinct, pattern)), None)
    return found.name if found else "word"


def _some_are_senses(keys: Collection[str], pattern: KeyPattern) -> bool:
    senses: dict[str, list[str]] = defaultdict(list)
    for key in keys:
        if pattern.sign in key and (parts := pattern.split(key)):
            senses[parts.word].append(parts.sense)
    if all(len(of_word) == 1 for of_word in senses.values()) or not senses.keys().isdisjoint(keys):
        return False
    return not pattern.is_numbered or all(_count_up(of_word) for of_word in senses.values())


def _count_up(senses: list[str]) -> bool:
    """Whether distinct numbers count from 0 or 1 without a gap."""
    numbers = list(map(int, senses))
    return min(numbers) <= 1 and max(numbers) - min(numbers) == len(numbers) - 1


def likely_separator(keys: Sequence[str]) -> str | None:
    """Return what separates word and sense in keys that look like senses.

    Examples
    --------
    >>> likely_separator(["bank/money", "bank/river", "plant/factory", "plant/tree"])
    '/'
    >>> likely_separator(["bank", "river", "well-known"]) is None
    True
    """
    separator: str
    for separator in _SEPARATORS:
        parts = (key.rpartition(separator) for key in keys if separator in key)
        sizes = Counter(word for word, _, sense in parts if word and sense).values()
        n_alike = sum(size for size in sizes if 1 < size <= _MOST_SENSES)
        if n_alike >= _SHARE_LIKE_SENSES * len(keys):
            return separator
    return None


def _warn_of_unknown_pattern(
    keys: Sequence[str], pattern: KeyPattern, options: ReadOptions, place: Place
) -> None:
    if pattern.name != "word" or options.key_pattern is not None:
        return
    separator = likely_separator(keys)
    if separator is None:
        return
    numbered = KEY_PATTERNS.get(f"word{separator}0")
    key = next(key for key in keys if separator in key)
    if numbered and numbered.split(key):
        look, option = f"like {numbered.name}", f"key_pattern={numbered.name!r}"
        why = "but have gaps in their numbers, or their word is a key as well"
    else:
        look, option = (
            "like senses",
            f"key_regex='(?P<word>.+){_escaped(separator)}(?P<sense>.+)'",
        )
        why = "but of no known pattern"
    where = "" if place.path is None else f"{place.path}: "
    shown = key if len(key) <= _LONGEST_SHOWN else f"{key[:_LONGEST_SHOWN]}…"
    warnings.warn(
        f"{where}keys such as {shown!r} look {look}, {why}: each is read as a word. If they are "
        f"senses, use {option}; if they are words, key_pattern='word'",
        InputWarning,
        stacklevel=2,
    )


def _escaped(separator: str) -> str:
    """Return a separator as a regular expression has it; `re.escape` escapes more than it must."""
    return re.sub(r"[.^$*+?{}\[\]\\|()]", r"\\\g<0>", separator)


def order_within_words(words: Sequence[str | None]) -> Integers:
    """Return the number of each row among those of its word, from 0."""
    seen: dict[str | None, int] = {}
    numbers = np.empty(len(words), dtype=np.int64)
    for row, word in enumerate(words):
        numbers[row] = seen[word] = seen.get(word, -1) + 1
    return numbers

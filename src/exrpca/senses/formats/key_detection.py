"""Which pattern keys follow, and what they look like if they follow none."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from exrpca.senses.formats.key_patterns import KEY_PATTERNS, NUMBER, KeyPattern

_NUMBERED_KEY = re.compile(
    f"(.+)({'|'.join(re.escape(p.sign) for p in KEY_PATTERNS.values() if p.sign)})({NUMBER})",
    re.DOTALL,
)

# A labeled pattern must be followed by this share of the keys: words such as "a|b" are not senses.
_SHARE_LABELED = 0.5

# Words may end with a number: fewer keys than this do not indicate senses.
_SHARE_BROKEN = 0.1

# Keys looked at before all of them are.
_SAMPLE = 1000

# What may be between word and sense in keys of a pattern that is not known, longest first.
_SEPARATORS = (
    "__",
    "::",
    "#",
    "|",
    "%",
    ":",
    "_",
    "-",
    ".",
    "/",
    "@",
    "~",
    "$",
    "^",
    "=",
    "+",
    ",",
)

# Keys look like senses if so many of them have the separator, ...
_SHARE_SEPARATED = 0.8

# ... so many share their word with another key, ...
_SHARE_OF_SEVERAL = 0.2

# ... and the words have at most so many senses on average.
_SENSES_AT_MOST = 20


def detect_key_pattern(keys: Sequence[str]) -> str:
    """Return the name of the pattern that the keys follow; "word" when they follow none.

    A pattern is taken when every key follows it. When some keys are plain words, the others
    have to look like senses: at least one word with several, numbered without a gap from 0 or
    1, and none of these words a plain key as well. So `covid_19` among plain words is a word.
    With labels instead of numbers, at least half of the keys must follow.

    Examples
    --------
    >>> detect_key_pattern(["bank|0", "bank|1", "river"])
    'word|0'
    >>> detect_key_pattern(["bank%1:14:00::", "bank%1:17:01::"])
    'word%1:00:00::'
    >>> detect_key_pattern(["virus", "covid_19"])
    'word'
    """
    distinct = list(dict.fromkeys(keys))
    patterns = [p for p in KEY_PATTERNS.values() if p.is_numbered or p.is_labeled]
    for pattern in patterns:
        if all(pattern.regex.fullmatch(key) for key in distinct):
            return pattern.name
    found = _partly_numbered(distinct)
    for pattern in patterns:
        if pattern.is_labeled and _mostly_labeled(distinct, pattern):
            return pattern.name
        if pattern.is_numbered and _are_senses(found[pattern.sign], set(distinct)):
            return pattern.name
    return "word"


def _partly_numbered(keys: list[str]) -> dict[str, dict[str, set[int]]]:
    """Return the words and their numbers by sign, in one pass."""
    found: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for key in keys:
        if match := _NUMBERED_KEY.fullmatch(key):
            found[match[2]][match[1]].add(int(match[3]))
    return found


def _are_senses(numbers: dict[str, set[int]], keys: set[str]) -> bool:
    return (
        keys.isdisjoint(numbers)
        and any(len(found) > 1 for found in numbers.values())
        and all(
            min(found) <= 1 and max(found) - min(found) == len(found) - 1
            for found in numbers.values()
        )
    )


def broken_pattern(keys: Sequence[str]) -> str | None:
    """Return the numbered pattern of keys that `detect_key_pattern` does not take for senses.

    A gap in the numbers, or a word that is a plain key as well, is enough for that.

    Examples
    --------
    >>> broken_pattern(["bank#0", "bank#2", "river"])
    'word#0'
    >>> broken_pattern(["virus", "covid_19"]) is None
    True
    """
    found = _partly_numbered(list(dict.fromkeys(keys)))
    for pattern in KEY_PATTERNS.values():
        sizes = [len(numbers) for numbers in found[pattern.sign].values()]
        if max(sizes, default=0) > 1 and sum(sizes) >= _SHARE_BROKEN * len(keys):
            return pattern.name
    return None


def _mostly_labeled(keys: list[str], pattern: KeyPattern) -> bool:
    sample = keys[:: max(1, len(keys) // _SAMPLE)]
    if sum(pattern.split(key) is not None for key in sample) < _SHARE_LABELED * len(sample) / 2:
        return False
    words = Counter(parts.word for key in keys if (parts := pattern.split(key)))
    return (
        sum(words.values()) >= _SHARE_LABELED * len(keys)
        and max(words.values()) > 1
        and words.keys().isdisjoint(keys)
    )


def unknown_separator(keys: Sequence[str]) -> str | None:
    """Return what separates word and sense in keys that look like senses of no known pattern.

    Examples
    --------
    >>> unknown_separator(["bank/money", "bank/river", "plant/factory", "plant/tree"])
    '/'
    >>> unknown_separator(["bank", "river", "well-known"]) is None
    True
    """
    for separator in _SEPARATORS:
        parts = [key.rpartition(separator) for key in keys]
        words = Counter(word for word, sign, sense in parts if word and sense)
        n_separated, n_several = sum(words.values()), sum(n for n in words.values() if n > 1)
        if (
            n_separated >= _SHARE_SEPARATED * len(keys)
            and n_several >= _SHARE_OF_SEVERAL * len(keys)
            and n_separated <= _SENSES_AT_MOST * len(words)
        ):
            return separator
    return None

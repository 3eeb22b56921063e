"""Keys that hold a word and the number of its sense, such as `bank#0`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from exrpca.errors import InputError

# The name of a pattern shows it at work; the value is the sign between word and number.
# "word" has no sign: each key is a word of its own, with one sense.
KEY_PATTERNS: dict[str, str] = {
    "word#0": "#",
    "word_s0": "_s",
    "word:0": ":",
    "word|0": "|",
    "word_0": "_",
    "word": "",
}
DEFAULT_KEY_PATTERN = "word#0"

# Word, sign, number. "007" does not count as a number: two keys would mean the same sense.
_NUMBERED_KEY = re.compile(
    f"(.+)({'|'.join(re.escape(sign) for sign in KEY_PATTERNS.values() if sign)})(0|[1-9][0-9]*)",
    re.DOTALL,
)


def sign_of(key_pattern: str) -> str:
    """Return the sign between word and number of a pattern, given by name."""
    try:
        return KEY_PATTERNS[key_pattern]
    except KeyError:
        raise InputError(
            f"key_pattern={key_pattern!r} must be one of {', '.join(KEY_PATTERNS)}"
        ) from None


def sense_keys(words: Sequence[str], n_senses: Iterable[int], key_pattern: str) -> list[str]:
    """Return the keys of all senses, word after word.

    Examples
    --------
    >>> sense_keys(["bank", "river"], [2, 1], "word_s0")
    ['bank_s0', 'bank_s1', 'river_s0']
    """
    sign = sign_of(key_pattern)
    n_senses = [int(n) for n in n_senses]
    if "" in words:
        raise InputError("the word '' is empty and cannot be part of a key: use .parquet")
    if sign:
        counted = zip(words, n_senses, strict=True)
        return [f"{word}{sign}{sense}" for word, n in counted for sense in range(n)]
    if max(n_senses, default=1) > 1:
        raise InputError(
            "key_pattern='word' has room for one sense per word: collapse the senses first"
        )
    return list(words)


def split_keys(keys: Iterable[str], key_pattern: str) -> tuple[list[str], list[int]]:
    """Return the word and the sense number of each key; a key without a number is sense 0.

    The last sign counts, so words may contain it.

    Examples
    --------
    >>> split_keys(["bank#0", "bank#1", "c##0", "river"], "word#0")
    (['bank', 'bank', 'c#', 'river'], [0, 1, 0, 0])
    """
    sign = sign_of(key_pattern)
    words, senses = [], []
    for key in keys:
        match = _NUMBERED_KEY.fullmatch(key)
        numbered = match is not None and match[2] == sign
        words.append(match[1] if match and numbered else key)
        senses.append(int(match[3]) if match and numbered else 0)
    return words, senses


def detect_key_pattern(keys: Sequence[str]) -> str:
    """Return the name of the pattern that the keys follow; "word" when they follow none.

    A pattern is taken when every key follows it. When some keys are plain words, the others
    have to look like senses: at least one word with several, numbered without a gap from 0 or
    1, and none of these words a plain key as well. So `covid_19` among plain words is a word.

    Examples
    --------
    >>> detect_key_pattern(["bank|0", "bank|1", "river"])
    'word|0'
    >>> detect_key_pattern(["virus", "covid_19"])
    'word'
    """
    found: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for key in keys:
        if match := _NUMBERED_KEY.fullmatch(key):
            found[match[2]][match[1]].add(int(match[3]))
    distinct = set(keys)
    for name, sign in KEY_PATTERNS.items():
        n_found = sum(map(len, found[sign].values()))
        if n_found == len(distinct) or (n_found and _look_like_senses(found[sign], distinct)):
            return name
    return "word"


def _look_like_senses(numbers: dict[str, set[int]], keys: set[str]) -> bool:
    return (
        keys.isdisjoint(numbers)
        and any(len(found) > 1 for found in numbers.values())
        and all(
            min(found) <= 1 and max(found) - min(found) == len(found) - 1
            for found in numbers.values()
        )
    )

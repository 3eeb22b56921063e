"""Keys that hold a word and its sense, such as `bank#0`, `bank|NOUN` or `bank%1:14:00::`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple

from exrpca.errors import InputError

# "007" does not count as a number: two keys would mean the same sense.
# Nor does one of more than nine digits, which no sense has.
_NUMBER = "0|[1-9][0-9]{0,8}"
_SYNSET = "bn:[0-9]{8}[a-z]"


@dataclass(frozen=True)
class KeyPattern:
    """How keys hold a word and its sense.

    Attributes
    ----------
    name : str
        Shows it at work: "word#0".
    regex : compiled pattern
        Its groups are `word`, and `number` or `label`; without `label`, the whole key is the
        label.
    template : str
        How a key is written, with `{word}`, `{number}` and `{label}`.
    """

    name: str
    regex: re.Pattern[str]
    template: str

    @property
    def is_numbered(self) -> bool:
        """Whether keys hold numbers; else they hold labels, or words alone."""
        return "number" in self.regex.groupindex

    @property
    def is_labeled(self) -> bool:
        """Whether keys hold labels."""
        return "{label}" in self.template

    @property
    def sign(self) -> str:
        """What is between the word and the number; empty if there is no number."""
        before, _, _ = self.template.partition("{number}")
        return before.removeprefix("{word}") if self.is_numbered else ""

    def split(self, key: str) -> KeyParts | None:
        """Return the parts of a key; None if it does not follow the pattern."""
        match = self.regex.fullmatch(key)
        if match is None:
            return None
        groups = match.groupdict()
        if self.is_numbered:
            return KeyParts(groups["word"], groups["number"])
        return KeyParts(groups["word"], groups.get("label", key) if self.is_labeled else "")

    def key(self, word: str, number: int, label: str = "") -> str:
        """Return the key of a sense."""
        return self.template.format(word=word, number=number, label=label)


class KeyParts(NamedTuple):
    """The word of a key, and its sense: a number or a label as a string; empty for none."""

    word: str
    sense: str


def _numbered(sign: str) -> KeyPattern:
    regex = f"(?P<word>.+){re.escape(sign)}(?P<number>{_NUMBER})"
    return KeyPattern(f"word{sign}0", re.compile(regex, re.DOTALL), f"{{word}}{sign}{{number}}")


def _labeled(name: str, regex: str, template: str = "{label}") -> KeyPattern:
    return KeyPattern(name, re.compile(regex, re.DOTALL), template)


KEY_PATTERNS: dict[str, KeyPattern] = {
    pattern.name: pattern
    for pattern in (
        *map(_numbered, ("#", "_s", ":", "|", "_")),
        # the sense keys of WordNet: LMMS, ARES, SensEmBERT
        _labeled("word%1:00:00::", "(?P<word>[^%]+)%[1-5]:[0-9]{2}:[0-9]{2}:[^:]*:[0-9]*"),
        _labeled("word.n.01", r"(?P<word>.+)\.[nvasr]\.[0-9]{2,}"),
        _labeled("word-n-0", f"(?P<word>.+)-[nvasr]-(?:{_NUMBER})"),
        # the synsets of BabelNet: SensEmbed, and NASARI
        _labeled("word_bn:00000000n", f"(?P<word>.+)_(?P<label>{_SYNSET})", "{word}_{label}"),
        _labeled("bn:00000000n__word", f"(?P<label>{_SYNSET})__(?P<word>.+)", "{label}__{word}"),
        # sense2vec
        _labeled("word|NOUN", r"(?P<word>.+)\|(?P<label>(?![0-9]+$)[^|\s]+)", "{word}|{label}"),
        KeyPattern("word", re.compile("(?P<word>.+)", re.DOTALL), "{word}"),
    )
}
DEFAULT_KEY_PATTERN = "word#0"

_NUMBERED_KEY = re.compile(
    f"(.+)({'|'.join(re.escape(p.sign) for p in KEY_PATTERNS.values() if p.sign)})({_NUMBER})",
    re.DOTALL,
)

# A labeled pattern must be followed by this share of the keys: words such as "a|b" are no senses.
_SHARE_LABELED = 0.5
# Words may end with a number: fewer keys than this are no sign of senses.
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


def key_pattern_named(name: str) -> KeyPattern:
    """Return a pattern by its name."""
    try:
        return KEY_PATTERNS[name]
    except KeyError:
        names = ", ".join(KEY_PATTERNS)
        raise InputError(f"key_pattern={name!r} must be one of {names}") from None


def pattern_of_regex(regex: str) -> KeyPattern:
    r"""Return the pattern that a regular expression with the groups word and sense describes.

    Examples
    --------
    >>> pattern_of_regex(r"(?P<word>.+)/(?P<sense>\w+)").split("bank/money")
    KeyParts(word='bank', sense='money')
    """
    named = regex.replace("(?P<sense>", "(?P<label>")
    try:
        compiled = re.compile(named, re.DOTALL)
    except re.error as error:
        raise InputError(f"key_regex={regex!r} is not a regular expression: {error}") from None
    if {"word", "label"} - compiled.groupindex.keys():
        raise InputError(f"key_regex={regex!r} must have the groups (?P<word>…) and (?P<sense>…)")
    return KeyPattern("", compiled, "{label}")


def sense_keys(
    words: Sequence[str],
    n_senses: Iterable[int],
    key_pattern: str,
    labels: Sequence[str] | None = None,
) -> list[str]:
    """Return the keys of all senses, word after word.

    Parameters
    ----------
    words, n_senses
        The words, and how many senses each has.
    key_pattern : str
        One of `KEY_PATTERNS`.
    labels : sequence of str, optional
        The labels of all senses. A pattern with labels needs them. A pattern with numbers
        writes labels that are numbers in place of its own.

    Examples
    --------
    >>> sense_keys(["bank", "river"], [2, 1], "word_s0")
    ['bank_s0', 'bank_s1', 'river_s0']
    >>> sense_keys(["bank", "river"], [2, 1], "word|NOUN", ["NOUN", "VERB", "NOUN"])
    ['bank|NOUN', 'bank|VERB', 'river|NOUN']
    """
    pattern = key_pattern_named(key_pattern)
    n_senses = [int(n) for n in n_senses]
    if "" in words:
        raise InputError("the word '' is empty and cannot be part of a key: use .parquet")
    if pattern.is_labeled:
        return _labeled_keys(words, n_senses, pattern, labels)
    if pattern.is_numbered:
        numbers = [str(sense) for n in n_senses for sense in range(n)]
        if labels is not None and labels_are_numbers(n_senses, labels):
            numbers = list(labels)
        repeated = (word for word, n in zip(words, n_senses, strict=True) for _ in range(n))
        return [
            word + pattern.sign + number for word, number in zip(repeated, numbers, strict=True)
        ]
    if max(n_senses, default=1) > 1:
        raise InputError(
            "key_pattern='word' has room for one sense per word: collapse the senses first"
        )
    return list(words)


def are_numbers(labels: Iterable[str]) -> bool:
    """Whether all labels are whole numbers without leading zeros."""
    number = re.compile(_NUMBER)
    return all(number.fullmatch(label) for label in labels)


def labels_are_numbers(n_senses: Iterable[int], labels: Sequence[str]) -> bool:
    """Whether the labels of each word are increasing numbers, which keep their order in a file."""
    if not are_numbers(labels):
        return False
    numbers = map(int, labels)
    return all(
        before < after for n in n_senses for before, after in pairwise(islice(numbers, int(n)))
    )


def _labeled_keys(
    words: Sequence[str], n_senses: list[int], pattern: KeyPattern, labels: Sequence[str] | None
) -> list[str]:
    keys = []
    rest = iter([""] * sum(n_senses) if labels is None else labels)
    for word, n in zip(words, n_senses, strict=True):
        for number in range(n):
            label = next(rest)
            # a word with one sense and no label stood for itself
            plain = n == 1 and not label and pattern.split(word) is None
            key = word if plain else pattern.key(word, number, label)
            if not plain and pattern.split(key) != (word, label):
                raise InputError(
                    f"sense {number} of {word!r} has the label {label!r}, which the key pattern "
                    f"{pattern.name} cannot hold: use {DEFAULT_KEY_PATTERN}, or .parquet"
                )
            keys.append(key)
    twice = [key for key, times in Counter(keys).items() if times > 1]
    if twice:
        raise InputError(f"two senses have the key {twice[0]!r}: use {DEFAULT_KEY_PATTERN}")
    return keys


def split_keys(keys: Iterable[str], pattern: KeyPattern) -> list[KeyParts]:
    """Return the word and the sense of each key; a key of another form is a word alone.

    The last sign counts, so words may contain it.

    Examples
    --------
    >>> for parts in split_keys(["bank#1", "c##0", "river"], KEY_PATTERNS["word#0"]):
    ...     print(parts)
    KeyParts(word='bank', sense='1')
    KeyParts(word='c#', sense='0')
    KeyParts(word='river', sense='')
    """
    return [pattern.split(key) or KeyParts(key, "") for key in keys]


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

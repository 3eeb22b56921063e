"""Keys that hold a word and its sense, such as `bank#0`, `bank|NOUN` or `bank%1:14:00::`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from exrpca.errors import InputError

# "007" does not count as a number: two keys would mean the same sense.
# Nor does one of more than nine digits, which no sense has.
NUMBER = "0|[1-9][0-9]{0,8}"
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
    sign : str
        What every key of the pattern contains; in those with a number, it is before the number.
    """

    name: str
    regex: re.Pattern[str]
    template: str
    sign: str = ""

    @property
    def is_numbered(self) -> bool:
        """Whether keys hold numbers; else they hold labels, or words alone."""
        return "number" in self.regex.groupindex

    @property
    def is_labeled(self) -> bool:
        """Whether keys hold labels."""
        return "{label}" in self.template

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
    regex = f"(?P<word>.+){re.escape(sign)}(?P<number>{NUMBER})"
    template = f"{{word}}{sign}{{number}}"
    return KeyPattern(f"word{sign}0", re.compile(regex, re.DOTALL), template, sign)


def _labeled(name: str, sign: str, regex: str, template: str = "{label}") -> KeyPattern:
    return KeyPattern(name, re.compile(regex, re.DOTALL), template, sign)


KEY_PATTERNS: dict[str, KeyPattern] = {
    pattern.name: pattern
    for pattern in (
        *map(_numbered, ("#", "_s", ":", "|", "_")),
        # the sense keys of WordNet: LMMS, ARES, SensEmBERT
        _labeled("word%1:00:00::", "%", "(?P<word>[^%]+)%[1-5]:[0-9]{2}:[0-9]{2}:[^:]*:[0-9]*"),
        _labeled("word.n.01", ".", r"(?P<word>.+)\.[nvasr]\.[0-9]{2,}"),
        _labeled("word-n-0", "-", f"(?P<word>.+)-[nvasr]-(?:{NUMBER})"),
        # the synsets of BabelNet: SensEmbed, and NASARI
        _labeled(
            "word_bn:00000000n", "_bn:", f"(?P<word>.+)_(?P<label>{_SYNSET})", "{word}_{label}"
        ),
        _labeled(
            "bn:00000000n__word", "__", f"(?P<label>{_SYNSET})__(?P<word>.+)", "{label}__{word}"
        ),
        # sense2vec
        _labeled(
            "word|NOUN", "|", r"(?P<word>.+)\|(?P<label>(?![0-9]+$)[^|\s]+)", "{word}|{label}"
        ),
        KeyPattern("word", re.compile("(?P<word>.+)", re.DOTALL), "{word}"),
    )
}
DEFAULT_KEY_PATTERN = "word#0"


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


def are_numbers(labels: Iterable[str]) -> bool:
    """Whether all labels are whole numbers without leading zeros."""
    number = re.compile(NUMBER)
    return all(number.fullmatch(label) for label in labels)

"""The keys of senses, as files of keys are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

from exrpca.errors import InputError
from exrpca.senses.formats.key_patterns import (
    DEFAULT_KEY_PATTERN,
    KEY_PATTERNS,
    KeyPattern,
    are_numbers,
    key_pattern_named,
)
from exrpca.senses.formats.key_reading import detect_key_pattern
from exrpca.senses.sense_vectors import SenseVectors


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
            # a word with one sense and no label is its own key
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


def key_pattern_of(senses: SenseVectors) -> str:
    """Return the key pattern that vectors came with if it has room for them, else the default."""
    kept = senses.metadata.get("key_pattern", DEFAULT_KEY_PATTERN)
    if kept not in KEY_PATTERNS or (KEY_PATTERNS[kept].is_labeled and not _has_room(senses, kept)):
        return DEFAULT_KEY_PATTERN
    # keys without numbers serve if each word has one sense, and no word looks like a sense
    if kept == "word" and (senses.n_senses.max() > 1 or detect_key_pattern(senses.words) != "word"):
        return DEFAULT_KEY_PATTERN
    return str(kept)


def _has_room(senses: SenseVectors, key_pattern: str) -> bool:
    """Whether a labeled pattern can hold all senses; after a merge there are no labels."""
    try:
        sense_keys(senses.words, senses.n_senses, key_pattern, senses.labels)
    except InputError:
        return False
    return True

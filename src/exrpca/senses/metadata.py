"""The entries of `SenseVectors.metadata`: one place for their names and types.

Metadata is JSON: settings and origin, kept by the native format. Entries that are not listed
here belong to the user; they are kept as they are.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypedDict, Unpack, cast

from exrpca.errors import InputError

# What a reader notes about the file it read. Says nothing about the vectors themselves.
FILE_ENTRIES = ("format", "key_pattern", "encoding")

# Tokens on each side: in the paper and in the MSSG release; in `encode`.
_DEFAULT_WINDOW = 5
_DEFAULT_ENCODING_WINDOW = 20


class ReadOnly(Mapping[str, Any]):
    """A mapping that cannot be changed, and whose `repr` fits a screen.

    Examples
    --------
    >>> ReadOnly({"tokens": 9, "word_counts": list(range(10_000))})
    {'tokens': 9, 'word_counts': [0, 1, 2, 3, 4, 5, ...]}
    """

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, key: str) -> Any:
        return self._entries[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        short = reprlib.Repr()
        short.maxdict, short.maxstring, short.maxlevel = 20, 60, 3
        return short.repr(self._entries)


class ContextEntry(TypedDict, total=False):
    """What the contexts were made of whose means are the centers."""

    window: int  # words on each side


class CleanedEntry(TypedDict):
    """How the vectors were cleaned."""

    method: str
    rank: int


class MergedEntry(TypedDict):
    """What the vectors were merged from."""

    senses_before: int


class EncodingEntry(TypedDict, total=False):
    """How the vectors of occurrences were made."""

    encoder: str  # its name on the Hub, that of its folder, or of one that comes with exrpca
    revision: str | None  # its commit on the Hub
    digest: str  # of its files
    vector: str  # what the vectors are made of
    layer: int | str  # the number of a hidden layer, or the name of an output
    window: int  # tokens on each side that the encoder read
    language: str  # whose lemmas said which forms belong to a word
    tokenizer: Literal["words", "whitespace"]
    missing_words: list[str]


class InductionEntry(TypedDict):
    """How senses were induced, and what a new occurrence needs to find its sense.

    A vector is compared with centers at length 1, minus `mean`, at length 1 again.
    """

    mean: list[float]
    spread: float  # the variance of occurrences around their center, between centers
    lost: float
    seed: int
    occurrences: int
    vectors: dict[str, Any]  # what the occurrences say about their vectors, such as the encoder


class Metadata(TypedDict, total=False):
    """The entries that exrpca writes; each is optional."""

    origin: str  # where the vectors come from, in words
    training: dict[str, Any]  # the settings of `train`, see training.Settings
    threads: int  # of `train`
    tokens: int  # of the training text
    word_counts: list[int]  # of the training text, one per word
    context: ContextEntry
    cleaned: CleanedEntry
    merged: MergedEntry
    induction: InductionEntry
    format: str  # the name of the format the vectors were read from
    key_pattern: str  # the key pattern they were read with
    encoding: str  # the encoding they were read with


def updated(metadata: Mapping[str, Any], **entries: Unpack[Metadata]) -> dict[str, Any]:
    """Return a copy with some entries set; all others are kept.

    Examples
    --------
    >>> updated({"note": "mine"}, cleaned={"method": "pca", "rank": 2})
    {'note': 'mine', 'cleaned': {'method': 'pca', 'rank': 2}}
    """
    return {**metadata, **entries}


def without_file_entries(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the metadata says about the vectors, not about the file they came in.

    Examples
    --------
    >>> without_file_entries({"format": "mssg", "encoding": "utf-8", "tokens": 9})
    {'tokens': 9}
    """
    return {key: value for key, value in metadata.items() if key not in FILE_ENTRIES}


def context_entry(metadata: Mapping[str, Any]) -> ContextEntry:
    """Return what the contexts of the centers were made of.

    Vectors trained by version 0.1 do not say it: their window is that of the training. Vectors
    from elsewhere get the usual window of 5.

    Examples
    --------
    >>> context_entry({"training": {"window": 8}})
    {'window': 8}
    >>> context_entry({})
    {'window': 5}
    """
    window = _section(metadata, "training").get("window", _DEFAULT_WINDOW)
    settings = {"window": window, **_section(metadata, "context")}
    if not isinstance(settings["window"], int) or settings["window"] < 1:
        found = settings["window"]
        raise InputError(f"metadata: the window {found!r} must be a whole number of at least 1")
    return cast(ContextEntry, settings)


def induction_entry(metadata: Mapping[str, Any]) -> InductionEntry:
    """Return how senses were induced; `InputError` if they were not.

    Examples
    --------
    >>> induction_entry({"induction": {"mean": [0.0, 0.5], "spread": 0.1}})["mean"]
    [0.0, 0.5]
    """
    entry = _section(metadata, "induction")
    if not {"mean", "spread"} <= entry.keys():
        raise InputError(
            "these senses were not induced from occurrences: leave out the encoder, or use `induce`"
        )
    return cast(InductionEntry, entry)


def encoding_entry(metadata: Mapping[str, Any]) -> EncodingEntry:
    """Return how the occurrences were encoded whose senses were induced.

    Occurrences from elsewhere say nothing: the window is then that of `encode`.

    Examples
    --------
    >>> vectors = {"encoder": "all-MiniLM-L6-v2", "window": 10}
    >>> encoding_entry({"induction": {"mean": [0.0], "spread": 0.1, "vectors": vectors}})
    {'window': 10, 'encoder': 'all-MiniLM-L6-v2'}
    """
    vectors = induction_entry(metadata).get("vectors", {})
    return cast(EncodingEntry, {"window": _DEFAULT_ENCODING_WINDOW, **vectors})


def is_induced(metadata: Mapping[str, Any]) -> bool:
    """Whether senses come from `induce`."""
    return "induction" in metadata


def is_merged(metadata: Mapping[str, Any]) -> bool:
    """Whether senses have been merged."""
    return "merged" in metadata


def _section(metadata: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = metadata.get(name, {})
    if not isinstance(section, Mapping):
        raise InputError(f"metadata: {name} is {section!r}, expected an object with settings")
    return section

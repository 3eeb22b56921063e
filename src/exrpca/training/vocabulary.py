"""One pass over the text: the vocabulary, and a file of word numbers to train from.

Thanks to the file of numbers the text is read only once: standard input works, further epochs do
not read and split it again, and a run can continue at any place.
"""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.files import atomic_path, naming_full_disk
from exrpca.progress import ProgressCallback
from exrpca.text.corpus import Corpus
from exrpca.training.kernel import LINE_END

# Numbers written or rewritten at a time.
_BLOCK = 1 << 20

TOKENS_FILE = "tokens.i32"
VOCABULARY_FILE = "vocabulary.json"


@dataclass(frozen=True)
class Vocabulary:
    """The words that are trained, the most frequent first.

    Attributes
    ----------
    words : list of str
    counts : ndarray of shape (n_words,)
        The number of tokens of each word.
    """

    words: list[str]
    counts: NDArray[np.int64]

    @property
    def n_tokens(self) -> int:
        """The number of tokens of the text that are in the vocabulary."""
        return int(self.counts.sum())


class _Numbering(dict[str, int]):
    """Gives each new token the next number; `map` then needs no Python call per token."""

    def __missing__(self, token: str) -> int:
        number = self[token] = len(self)
        return number


def number_tokens(
    corpus: Corpus, folder: Path, *, min_count: int, report: ProgressCallback
) -> tuple[Vocabulary, NDArray[np.int32]]:
    """Read the corpus once; leave its vocabulary and its tokens as numbers in `folder`.

    Parameters
    ----------
    corpus : Corpus
    folder : Path
        An existing folder.
    min_count : int
        Words with fewer tokens are left out of the vocabulary, and their tokens out of the text.
    report : callable
        Called with the number of bytes read so far and a text with the number of tokens.

    Returns
    -------
    vocabulary : Vocabulary
    tokens : memory map of int32
        Positions in the vocabulary; `LINE_END` where a line ends.
    """
    path = folder / TOKENS_FILE
    numbering, counts = _write_first_seen_numbers(corpus, path, report)
    if not numbering:
        raise InputError("the corpus is empty: expected lines of text")
    kept = np.flatnonzero(counts >= min_count)
    if len(kept) < 2:
        raise InputError(
            f"only {len(kept)} of the {len(numbering):,} different tokens occur at least "
            f"min_count={min_count} times, expected 2 or more: lower min_count or add text"
        )
    kept = kept[np.argsort(-counts[kept], kind="stable")]
    renumber = np.full(len(counts) + 1, _DROPPED, dtype=np.int32)
    renumber[kept] = np.arange(len(kept))
    renumber[LINE_END] = LINE_END
    all_words = list(numbering)
    vocabulary = Vocabulary([all_words[i] for i in kept], counts[kept])
    del numbering, all_words
    _renumber(path, renumber)
    record = {"words": vocabulary.words, "counts": vocabulary.counts.tolist()}
    with atomic_path(folder / VOCABULARY_FILE) as temporary:
        temporary.write_text(json.dumps(record), encoding="utf-8")
    return vocabulary, _memory_map(path)


def numbered_tokens(folder: Path) -> tuple[Vocabulary, NDArray[np.int32]]:
    """Return what `number_tokens` left in a folder."""
    record = json.loads((folder / VOCABULARY_FILE).read_text(encoding="utf-8"))
    vocabulary = Vocabulary(record["words"], np.array(record["counts"], dtype=np.int64))
    return vocabulary, _memory_map(folder / TOKENS_FILE)


_DROPPED = -2


def _memory_map(path: Path) -> NDArray[np.int32]:
    return np.memmap(path, dtype=np.int32, mode="r")


def _write_first_seen_numbers(
    corpus: Corpus, path: Path, report: ProgressCallback
) -> tuple[_Numbering, NDArray[np.int64]]:
    """Write the tokens as numbers in order of first appearance; return numbers and counts."""
    numbering = _Numbering()
    counts = np.zeros(0, dtype=np.int64)
    buffer = array("i")
    with naming_full_disk(path), path.open("wb") as file:

        def flush() -> None:
            nonlocal counts, buffer
            block = np.frombuffer(buffer, dtype=np.int32)
            fresh = np.bincount(block[block != LINE_END], minlength=len(numbering))
            fresh[: len(counts)] += counts
            counts = fresh
            buffer.tofile(file)
            buffer = array("i")

        for tokens in corpus.pieces():
            buffer.extend(map(numbering.__getitem__, tokens))
            buffer.append(LINE_END)
            if len(buffer) >= _BLOCK:
                flush()
                report(corpus.position(), f"{counts.sum() / 1e6:,.1f} million tokens")
        flush()
    return numbering, counts


def _renumber(path: Path, renumber: NDArray[np.int32]) -> None:
    """Replace each number by its new one, in place; drop tokens without one."""
    with naming_full_disk(path), path.open("rb+") as file:
        n_written = 0
        while True:
            block = np.fromfile(file, dtype=np.int32, count=_BLOCK)
            if not len(block):
                break
            read_to = file.tell()
            block = renumber[block]
            block = block[block != _DROPPED]
            file.seek(n_written * 4)
            block.tofile(file)
            n_written += len(block)
            file.seek(read_to)
        file.truncate(n_written * 4)

"""The text format of the MSSG release (Neelakantan et al. 2014).

The first line is `V D` or `V D S maxout`: words, dimensions, senses at most, and whether
centers are left out. For each word follow a line `word k [counts…]`, a line with its global
vector, and k times a line with a sense vector and, unless maxout is 1, one with its center.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

import numpy as np

from exrpca.errors import InputError
from exrpca.senses.formats.encodings import decode_words, encode_words
from exrpca.senses.formats.format import SEVERAL_CENTERS, Format, ReadOptions, WriteOptions
from exrpca.senses.formats.growing_rows import GrowingRows
from exrpca.senses.formats.output import number_lines, open_output, row_blocks
from exrpca.senses.formats.place import Place
from exrpca.senses.formats.vector_text import (
    MOST_DIMENSIONS,
    VectorText,
    fields_of,
    is_number,
    open_text,
    shown,
    whole_number,
)
from exrpca.senses.sense_vectors import Floats, SenseVectors

_FALLBACK_ENCODING = "iso-8859-15"
# Senses of a word parsed together: a wrong number of senses in a file takes no memory.
_SENSES_AT_ONCE = 64
_VALUES_AT_ONCE = 1 << 20
_BLOCK_WORDS = 1024


@dataclass(frozen=True)
class _Header:
    n_words: int
    dim: int
    has_centers: bool

    @classmethod
    def parse(cls, line: bytes) -> _Header | None:
        numbers = [whole_number(field) for field in fields_of(line)]
        if len(numbers) not in (2, 4) or None in numbers:
            return None
        n_words, dim, *rest = (number or 0 for number in numbers)
        if not 0 < dim <= MOST_DIMENSIONS or rest[1:] not in ([], [0], [1]):
            return None
        return cls(n_words, dim, has_centers=rest[1:] != [1])


@dataclass(frozen=True)
class _WordLine:
    word: bytes
    n_senses: int
    counts: list[int]

    @classmethod
    def parse(cls, line: bytes) -> _WordLine | None:
        fields = fields_of(line)
        n_senses = whole_number(fields[1]) if len(fields) > 1 else None
        if n_senses is None or len(fields) not in (2, 2 + n_senses):
            return None
        counts = [_count(field) for field in fields[2:]]
        known = [count for count in counts if count is not None]
        return cls(fields[0], n_senses, known) if len(known) == len(counts) else None


def _count(field: bytes) -> int | None:
    """Return a count, which may be written as 17, 17.0 or 1.7e1; None for anything else."""
    try:
        count = Decimal(field.decode()) if is_number(field) else Decimal("nan")
    except InvalidOperation:  # an exponent of 20 digits
        return None
    is_count = count.is_finite() and 0 <= count < 2**63 and count == int(count)
    return int(count) if is_count else None


class _Reader:
    """What has been read of a file so far."""

    def __init__(self, text: VectorText) -> None:
        self._text = text
        line = text.next_line() or b""
        header = _Header.parse(line)
        if header is None:
            raise text.error(
                f"found {shown(line)}, expected the header: words, dimensions, "
                "and perhaps senses and maxout (0 or 1)"
            )
        self.header = header
        self.words: list[bytes] = []
        self.n_senses: list[int] = []
        self.counts: list[int] = []
        self.vectors = GrowingRows(header.dim)
        self.centers = GrowingRows(header.dim) if header.has_centers else None
        self.globals = GrowingRows(header.dim)
        self._lines_a_sense = 2 if header.has_centers else 1
        self._at_once = max(1, min(_SENSES_AT_ONCE, _VALUES_AT_ONCE // header.dim))
        n_lines = self._at_once * self._lines_a_sense
        self._lines = np.empty((n_lines, header.dim), dtype=np.float32)

    def read_all(self) -> None:
        for _ in range(self.header.n_words):
            self._read_word()
        self._text.expect_end(f"{self.header.n_words} words")

    def _read_word(self) -> None:
        word = self._word_line()
        self.words.append(word.word)
        self.n_senses.append(word.n_senses)
        self.counts += word.counts
        self._text.read_vectors(self.globals.room(1))
        self.globals.fill(1)
        for start in range(0, word.n_senses, self._at_once):
            n_senses = min(word.n_senses - start, self._at_once)
            lines = self._lines[: n_senses * self._lines_a_sense]
            self._text.read_vectors(lines)
            self.vectors.append(lines[:: self._lines_a_sense])
            if self.centers is not None:
                self.centers.append(lines[1::2])

    def _word_line(self) -> _WordLine:
        line = self._text.next_line()
        if line is None:
            n_words = self.header.n_words
            raise self._text.error(f"the file ends after {len(self.words)} of {n_words} words")
        word = _WordLine.parse(line)
        if word is None:
            raise self._text.error(
                f"found {shown(line)}, expected a word, its number of senses and "
                "perhaps a count for each"
            )
        if word.n_senses == 0:
            raise self._text.error(
                f"the word {shown(word.word)} has 0 senses, expected at least one"
            )
        if self.words and bool(word.counts) != bool(self.counts):
            expected = "counts" if self.counts else "no counts"
            raise self._text.error(f"found {shown(line)}, expected {expected} as for other words")
        return word

    def line_of(self, word: int) -> int:
        """Return the line that a word is on."""
        return 2 + 2 * word + self._lines_a_sense * sum(self.n_senses[:word])


def _read(path: Path, options: ReadOptions) -> SenseVectors:
    with open_text(path, progress=options.progress) as text:
        found = _Reader(text)
        found.read_all()
    place = Place(path, line_of=found.line_of)
    words, encoding = _decoded(found.words, options.encoding, place)
    _check_once(words, place)
    globals_ = found.globals.finish()
    return SenseVectors(
        words,
        found.vectors.finish(),
        found.n_senses,
        counts=found.counts or None,
        centers=None if found.centers is None else found.centers.finish(),
        # the format has no other way to say that there are none
        globals=globals_ if globals_.any() else None,
        metadata={"encoding": encoding},
    )


def _decoded(words: list[bytes], encoding: str | None, place: Place) -> tuple[list[str], str]:
    if encoding is not None:
        return decode_words(words, encoding, place), encoding
    try:
        return decode_words(words, "utf-8", place), "utf-8"
    except InputError:
        return decode_words(words, _FALLBACK_ENCODING, place), _FALLBACK_ENCODING


def _check_once(words: list[str], place: Place) -> None:
    if not words:
        raise InputError("no words", path=place.path)
    seen: set[str] = set()
    for row, word in enumerate(words):
        if word in seen:
            raise place.error(f"the word {word!r} appears twice", row)
        seen.add(word)


def _check(senses: SenseVectors) -> None:
    encode_words(senses.words, "MSSG text")


def _write(senses: SenseVectors, path: Path, options: WriteOptions) -> None:
    words = encode_words(senses.words, "MSSG text")
    centers = senses.mean_centers
    maxout = int(centers is None)
    with open_output(path) as file:
        file.write(b"%d %d %d %d\n" % (len(words), senses.dim, senses.n_senses.max(), maxout))
        for block in row_blocks(len(words), _BLOCK_WORDS, path, progress=options.progress):
            file.write(b"\n".join(_lines(senses, centers, words, block)) + b"\n")


def _lines(
    senses: SenseVectors, all_centers: Floats | None, words: list[bytes], block: slice
) -> list[bytes]:
    """Return the lines of a block of words."""
    offsets = senses.offsets[block.start : block.stop + 1]
    rows = slice(int(offsets[0]), int(offsets[-1]))
    vectors = number_lines(senses.vectors[rows])
    centers = None if all_centers is None else number_lines(all_centers[rows])
    counts = None if senses.counts is None else senses.counts[rows].tolist()
    no_globals = np.zeros((block.stop - block.start, senses.dim), dtype=np.float32)
    globals_ = number_lines(no_globals if senses.globals is None else senses.globals[block])
    lines = []
    starts = (offsets - offsets[0]).tolist()
    for i, word in enumerate(words[block]):
        own = range(starts[i], starts[i + 1])
        numbers = [len(own)] if counts is None else [len(own), *(counts[row] for row in own)]
        lines += [word + b" " + " ".join(map(str, numbers)).encode(), globals_[i]]
        for row in own:
            lines += [vectors[row]] if centers is None else [vectors[row], centers[row]]
    return lines


def _recognizes(path: Path, head: bytes) -> bool:
    lines = head.split(b"\n", 3)
    header = _Header.parse(lines[0])
    if header is None:
        return False
    if len(fields_of(lines[0])) == 4:
        return True
    if len(lines) < 3 or _WordLine.parse(lines[1]) is None:
        return False
    # a word2vec line has one field more than there are dimensions, the word
    global_vector = fields_of(lines[2])
    if len(global_vector) == header.dim:
        return all(map(is_number, global_vector))
    return len(fields_of(lines[1])) != header.dim + 1


FORMAT = Format(
    name="mssg",
    description="text of the MSSG release: counts, global vectors, sense vectors, centers",
    recognizes=_recognizes,
    read=_read,
    write=_write,
    endings=(".mssg",),
    keyword="mssg",
    is_text=True,
    drops=("labels", "examples", SEVERAL_CENTERS, "metadata"),
    check=lambda senses, options: _check(senses),
)

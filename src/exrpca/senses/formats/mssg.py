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
from exrpca.senses.formats.format import (
    SEVERAL_CENTERS,
    Format,
    Place,
    ReadOptions,
    WriteOptions,
)
from exrpca.senses.formats.text_files import (
    MOST_DIMENSIONS,
    decode_words,
    encode_words,
    fields_of,
    is_number,
    number_lines,
    open_lines,
    open_output,
    parse_numbers,
    row_blocks,
    shown,
    whole_number,
)
from exrpca.senses.sense_vectors import Floats, SenseVectors

_FALLBACK_ENCODING = "iso-8859-15"
# Words written together.
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
    """What has been read of a file so far.

    Attributes
    ----------
    words, lines : list of bytes, list of int
        The words, and the line that each is on.
    n_senses, counts : list of int
    rows : tuple of three lists of arrays
        The global vectors, the sense vectors and the centers, batch by batch.
    """

    def __init__(self, text: Path, header: _Header) -> None:
        self.path = text
        self.header = header
        self.words: list[bytes] = []
        self.lines: list[int] = []
        self.n_senses: list[int] = []
        self.counts: list[int] = []
        self.rows: tuple[list[Floats], ...] = ([], [], [])
        self._n_expected = 0  # lines of numbers that the last word still needs
        self._at = 0  # of the next of them among those of its word

    def add(self, first: int, lines: list[bytes]) -> None:
        """Add a batch of lines: those of words one by one, those of numbers together."""
        numbers: list[bytes] = []
        numbered: list[int] = []
        kinds: list[int] = []
        lines_per_sense = 1 + self.header.has_centers
        for number, line in enumerate(lines, first):
            if self._at == self._n_expected:
                word = self._parsed_word(line, number)
                self._at, self._n_expected = 0, 1 + word.n_senses * lines_per_sense
                continue
            numbers.append(line.lstrip(b" "))
            numbered.append(number)
            kinds.append(0 if self._at == 0 else 1 + (self._at - 1) % lines_per_sense)
            self._at += 1
        if numbers:
            place = Place(self.path, line_of=numbered.__getitem__)
            values = parse_numbers(numbers, self.header.dim, place)
            for kind, rows in enumerate(self.rows):
                rows.append(values[np.equal(kinds, kind)])

    def _parsed_word(self, line: bytes, number: int) -> _WordLine:
        if len(self.words) == self.header.n_words:
            raise self._error(f"more than the {self.header.n_words} words of the header", number)
        word = _WordLine.parse(line)
        if word is None:
            raise self._error(
                f"found {shown(line)}, expected a word, its number of senses and "
                "perhaps a count for each",
                number,
            )
        if word.n_senses == 0:
            raise self._error(
                f"the word {shown(word.word)} has 0 senses, expected at least one", number
            )
        if self.words and bool(word.counts) != bool(self.counts):
            expected = "counts" if self.counts else "no counts"
            raise self._error(
                f"found {shown(line)}, expected {expected} as for other words", number
            )
        self.words.append(word.word)
        self.lines.append(number)
        self.n_senses.append(word.n_senses)
        self.counts += word.counts
        return word

    def check_end(self, n_lines: int) -> None:
        """Refuse a file that ends before the header says."""
        if self._at < self._n_expected:
            raise self._error(f"the file ends, expected {self.header.dim} values", n_lines + 1)
        if len(self.words) < self.header.n_words:
            raise self._error(
                f"the file ends after {len(self.words)} of {self.header.n_words} words", n_lines
            )

    def _error(self, message: str, line: int) -> InputError:
        return InputError(message, path=self.path, line=line)

    def joined(self, kind: int) -> Floats:
        """Return all rows of one kind, and forget them."""
        rows = np.concatenate(self.rows[kind])
        self.rows[kind].clear()
        return rows


def _read(path: Path, options: ReadOptions) -> SenseVectors:
    with open_lines(path, progress=options.progress) as batches:
        found, n_lines = None, 0
        for first, lines in batches:
            if found is None:
                found = _Reader(path, _header(lines[0], path))
                first, lines = 2, lines[1:]
            found.add(first, lines)
            n_lines = first + len(lines) - 1
    found = found or _Reader(path, _header(b"", path))
    found.check_end(n_lines)
    place = Place(path, line_of=found.lines.__getitem__)
    words, encoding = _decoded(found.words, options.encoding, place)
    _check_once(words, place)
    globals_ = found.joined(0)
    return SenseVectors(
        words,
        found.joined(1),
        found.n_senses,
        counts=found.counts or None,
        centers=found.joined(2) if found.header.has_centers else None,
        # the format has no other way to say that there are none
        globals=globals_ if globals_.any() else None,
        metadata={"encoding": encoding},
    )


def _header(line: bytes, path: Path) -> _Header:
    header = _Header.parse(line)
    if header is None:
        raise InputError(
            f"found {shown(line)}, expected the header: words, dimensions, "
            "and perhaps senses and maxout (0 or 1)",
            path=path,
            line=1,
        )
    return header


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

"""The text format of the MSSG release (Neelakantan et al. 2014).

The first line is `V D` or `V D S maxout`: words, dimensions, senses at most, and whether
centers are left out. For each word follow a line `word k [counts…]`, a line with its global
vector, and k times a line with a sense vector and, unless maxout is 1, one with its center.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exrpca.errors import InputError
from exrpca.senses.formats.format import (
    SEVERAL_CENTERS,
    Format,
    Place,
    ReadOptions,
    WriteOptions,
)
from exrpca.senses.formats.rows import Rows
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
# Lines of numbers parsed together.
_LINES_TOGETHER = 512
# Words written together.
_BLOCK_WORDS = 1024


class _Header(NamedTuple):
    n_words: int
    dim: int
    has_centers: bool


def _parsed_header(line: bytes) -> _Header | None:
    numbers = [whole_number(field) for field in fields_of(line)]
    if len(numbers) not in (2, 4) or None in numbers:
        return None
    n_words, dim, *rest = (number or 0 for number in numbers)
    if not 0 < dim <= MOST_DIMENSIONS or rest[1:] not in ([], [0], [1]):
        return None
    return _Header(n_words, dim, has_centers=rest[1:] != [1])


class _Word(NamedTuple):
    word: bytes
    n_senses: int
    counts: list[int]


def _parsed_word(line: bytes) -> _Word | None:
    fields = fields_of(line)
    n_senses = whole_number(fields[1]) if len(fields) > 1 else None
    if n_senses is None or len(fields) not in (2, 2 + n_senses):
        return None
    counts = [count for field in fields[2:] if (count := _count(field)) is not None]
    return _Word(fields[0], n_senses, counts) if len(counts) == len(fields) - 2 else None


def _count(field: bytes) -> int | None:
    """Return a count, which may be written as 17, 17.0 or 1.7e1; None for anything else."""
    try:
        count = Decimal(field.decode()) if is_number(field) else Decimal("nan")
    except InvalidOperation:  # an exponent of 20 digits
        return None
    is_count = count.is_finite() and 0 <= count < 2**63 and count == int(count)
    return int(count) if is_count else None


class _NumberLines:
    """Lines of numbers, parsed by the thousand."""

    def __init__(self, path: Path, dim: int) -> None:
        self._path, self._dim = path, dim
        self._lines: list[tuple[int, bytes]] = []
        self._rows = Rows()

    def add(self, lines: list[tuple[int, bytes]]) -> None:
        self._lines += lines
        if len(self._lines) >= _LINES_TOGETHER:
            self._parse()

    def _parse(self) -> None:
        at = [number for number, _ in self._lines]
        lines = [line.lstrip(b" ") for _, line in self._lines]
        place = Place(self._path, line_of=at.__getitem__)
        self._rows.append(parse_numbers(lines, self._dim, place))
        self._lines.clear()

    def finish(self) -> Floats:
        if self._lines:
            self._parse()
        rows: Floats = self._rows.finish()
        return rows


def _read(path: Path, options: ReadOptions) -> SenseVectors:
    words: list[_Word] = []
    at: list[int] = []  # the line of each
    last = 1
    with open_lines(path, progress=options.progress) as batches:
        lines = ((n, line) for first, batch in batches for n, line in enumerate(batch, first))
        header = _header(next(lines, (1, b""))[1], path)
        per_sense = 1 + header.has_centers
        globals_, vectors, centers = (_NumberLines(path, header.dim) for _ in range(3))
        for number, line in lines:
            word = _checked_word(line, words, header)
            if isinstance(word, str):
                raise InputError(word, path=path, line=number)
            words.append(word)
            at.append(number)
            numbers = list(islice(lines, 1 + word.n_senses * per_sense))
            last = number + len(numbers)
            globals_.add(numbers[:1])
            vectors.add(numbers[1::per_sense])
            centers.add(numbers[2::2] if header.has_centers else [])
            if len(numbers) < 1 + word.n_senses * per_sense:
                expected = f"expected {header.dim} values"
                raise InputError(f"the file ends, {expected}", path=path, line=last + 1)
    if len(words) < header.n_words:
        ends = f"the file ends after {len(words)} of {header.n_words} words"
        raise InputError(ends, path=path, line=last)
    place = Place(path, line_of=at.__getitem__)
    decoded, encoding = _decoded([word.word for word in words], options.encoding, place)
    _check_once(decoded, place)
    global_rows = globals_.finish()
    return SenseVectors(
        decoded,
        vectors.finish(),
        [word.n_senses for word in words],
        counts=[count for word in words for count in word.counts] or None,
        centers=centers.finish() if header.has_centers else None,
        # the format has no other way to say that there are none
        globals=global_rows if global_rows.any() else None,
        metadata={"encoding": encoding},
    )


def _header(line: bytes, path: Path) -> _Header:
    header = _parsed_header(line)
    if header is None:
        raise InputError(
            f"found {shown(line)}, expected the header: words, dimensions, "
            "and perhaps senses and maxout (0 or 1)",
            path=path,
            line=1,
        )
    return header


def _checked_word(line: bytes, words: list[_Word], header: _Header) -> _Word | str:
    """Return what a line says about a word, or what is wrong with it."""
    word = _parsed_word(line)
    if len(words) == header.n_words:
        return f"more than the {header.n_words} words of the header"
    if word is None:
        return (
            f"found {shown(line)}, expected a word, its number of senses and "
            "perhaps a count for each"
        )
    if word.n_senses == 0:
        return f"the word {shown(word.word)} has 0 senses, expected at least one"
    if words and bool(word.counts) != bool(words[0].counts):
        expected = "counts" if words[0].counts else "no counts"
        return f"found {shown(line)}, expected {expected} as for other words"
    return word


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
    header = _parsed_header(lines[0])
    if header is None:
        return False
    if len(fields_of(lines[0])) == 4:
        return True
    if len(lines) < 3 or _parsed_word(lines[1]) is None:
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

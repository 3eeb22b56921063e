"""word2vec text and binary files whose keys hold word and sense, such as `bank#0`."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from exrpca.compiling import cached_njit
from exrpca.errors import InputError, InputWarning
from exrpca.senses.formats.assembly import from_keys
from exrpca.senses.formats.byte_blocks import ByteBlocks, open_blocks, read_head
from exrpca.senses.formats.encodings import decode_words, encode_words
from exrpca.senses.formats.format import Format, ReadOptions, WriteOptions
from exrpca.senses.formats.growing_rows import GrowingRows
from exrpca.senses.formats.key_patterns import KEY_PATTERNS
from exrpca.senses.formats.key_writing import sense_keys
from exrpca.senses.formats.number_parser import NEWLINE, SPACE
from exrpca.senses.formats.output import number_lines, open_output, row_blocks
from exrpca.senses.formats.place import Place
from exrpca.senses.formats.sensegram import probabilities_beside
from exrpca.senses.formats.vector_text import (
    MOST_DIMENSIONS,
    fields_of,
    is_number,
    open_text,
    shown,
    whole_number,
)
from exrpca.senses.sense_vectors import Floats, SenseVectors

# Rows parsed or written together.
_BATCH_ROWS = 4096
_LONGEST_KEY = 1 << 20
# So few keys of another form may be damage.
_SHARE_ODD = 0.001
# Bytes that no word has, but numbers do.
_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")
# Enough for two lines of a vector.
_HEAD_BYTES = 1 << 18


def header_of(line: bytes, path: Path) -> tuple[int, int]:
    """Return the two numbers of the first line: how many vectors, and of how many values."""
    numbers = _two_numbers(line)
    if numbers is None or not 0 < numbers[1] <= MOST_DIMENSIONS:
        raise InputError(
            f"found {shown(line)}, expected the number of vectors and of dimensions",
            path=path,
            line=1,
        )
    return numbers


def _two_numbers(line: bytes) -> tuple[int, int] | None:
    fields = fields_of(line)
    if len(fields) != 2:
        return None
    first, second = map(whole_number, fields)
    return None if first is None or second is None else (first, second)


def read_text_rows(path: Path, options: ReadOptions) -> tuple[list[str], Floats]:
    """Return keys and vectors of a word2vec text file with a header."""
    keys: list[bytes] = []
    with open_text(path, progress=options.progress) as text:
        n_rows, dim = header_of(text.next_line() or b"", path)
        rows = GrowingRows(dim)
        while len(keys) < n_rows:
            new = text.read_keyed(rows.room(min(n_rows - len(keys), _BATCH_ROWS)))
            if not new:
                raise text.error(f"the file ends after {len(keys)} of {n_rows} vectors")
            rows.fill(len(new))
            keys += new
        text.expect_end(f"{n_rows} vectors")
    return decode_words(keys, options.encoding or "utf-8", text_place(path)), rows.finish()


def text_place(path: Path) -> Place:
    """Return where the rows of a word2vec text file stand: after the header."""
    return Place(path, line_of=lambda row: row + 2)


def _read_text(path: Path, options: ReadOptions) -> SenseVectors:
    if _has_header(read_head(path, _HEAD_BYTES)):
        keys, vectors = read_text_rows(path, options)
        place = text_place(path)
    else:
        place = Place(path, line_of=lambda row: row + 1)
        keys, vectors = _read_without_header(path, options, place)
    counts = probabilities_beside(path, keys)
    return from_keys(keys, vectors, options=options, place=place, counts=counts)


def _read_without_header(
    path: Path, options: ReadOptions, place: Place
) -> tuple[list[str], Floats]:
    keys: list[bytes] = []
    dim = len(fields_of(read_head(path, _HEAD_BYTES).partition(b"\n")[0])) - 1
    if dim < 1:
        raise InputError("expected a word and its vector", path=path, line=1)
    rows = GrowingRows(dim)
    with open_text(path, progress=options.progress) as text:
        while new := text.read_keyed(rows.room(_BATCH_ROWS)):
            rows.fill(len(new))
            keys += new
    return decode_words(keys, options.encoding or "utf-8", place), rows.finish()


def _read_binary(path: Path, options: ReadOptions) -> SenseVectors:
    keys: list[bytes] = []
    breaks: list[int] = []  # line ends before each key
    with open_blocks(path, progress=options.progress) as blocks:
        n_rows, dim = header_of(_binary_header(blocks), path)
        rows = GrowingRows(dim)
        while len(keys) < n_rows:
            out = rows.room(min(n_rows - len(keys), _BATCH_ROWS))
            new, n_breaks = _take_records(blocks, out)
            if not new:
                _more_bytes(blocks, 4 * dim, f"vector {len(keys) + 1} of {n_rows}")
            rows.fill(len(new))
            keys += new
            breaks += n_breaks
        while blocks.n_left or blocks.more():
            if blocks.data[blocks.at :].strip(b"\n"):
                raise InputError(f"more than the {n_rows} vectors of the header", path=path)
            blocks.at = len(blocks.data)
    _check_aligned(keys, breaks, Place(path))
    words = decode_words(keys, options.encoding or "utf-8", Place(path))
    counts = probabilities_beside(path, words)
    senses = from_keys(words, rows.finish(), options=options, place=Place(path), counts=counts)
    if not any(breaks[1:]):
        _remark_odd_keys(words, senses, path)
    return senses


def _remark_odd_keys(keys: list[str], senses: SenseVectors, path: Path) -> None:
    """Warn of the few keys that are not like the others: bytes before them may be missing.

    In files without line ends, missing bytes are taken from the next key.
    """
    pattern = KEY_PATTERNS[senses.metadata.get("key_pattern", "word")]
    odd = [key for key in keys if pattern.split(key) is None]
    if 0 < len(odd) <= max(1, _SHARE_ODD * len(keys)):
        warnings.warn(
            f"{path}: the key {shown(odd[0].encode())} is not like {pattern.name}, as nearly all "
            "others are: if it is no word, bytes before it are missing",
            InputWarning,
            stacklevel=2,
        )


def _binary_header(blocks: ByteBlocks) -> bytes:
    blocks.more()
    line = blocks.data.partition(b"\n")[0]
    blocks.at = len(line) + 1
    return line


def _more_bytes(blocks: ByteBlocks, n_bytes: int, what: str) -> None:
    if blocks.n_left > _LONGEST_KEY + n_bytes:
        raise InputError(f"no word before {what}: is this word2vec binary?", path=blocks.path)
    if not blocks.more():
        raise InputError(f"the file ends within {what}", path=blocks.path)


def _take_records(blocks: ByteBlocks, out: Floats) -> tuple[list[bytes], list[int]]:
    """Fill the first rows of `out` with the whole records at hand.

    Returns their keys, and how many line ends are before each.
    """
    spans = np.empty((len(out), 2), dtype=np.int64)
    data = np.frombuffer(blocks.data, dtype=np.uint8)
    first = blocks.at
    n_records, blocks.at = _copy_records(data, first, out.view(np.uint8), spans)
    if sys.byteorder == "big":
        out[:n_records].byteswap(inplace=True)
    starts, ends = spans[:n_records].T
    n_breaks = starts - np.append(first, ends[:-1] + 1 + 4 * out.shape[1])[:n_records]
    keys = [blocks.data[start:end] for start, end in spans[:n_records].tolist()]
    return keys, n_breaks.tolist()


def _check_aligned(keys: list[bytes], breaks: list[int], place: Place) -> None:
    """Refuse a file in which bytes are missing or too many: numbers would be read as words."""
    for row, (key, n_breaks) in enumerate(zip(keys, breaks, strict=True)):
        # either each vector ends with a line end, or none does; the first follows the header
        if not key or _CONTROL.search(key) or (row and n_breaks != breaks[1]):
            raise place.error(
                "no word where one is expected: bytes before it are missing or damaged", row
            )


@cached_njit(nogil=True)
def _copy_records(data: Any, at: int, out: Any, spans: Any) -> tuple[int, int]:
    n_rows, n_bytes = out.shape
    for row in range(n_rows):
        start = at
        # the first word2vec program ends each vector with a line end, gensim does not
        while start < len(data) and data[start] == NEWLINE:
            start += 1
        end = start
        while end < len(data) and data[end] != SPACE:
            end += 1
        if end + 1 + n_bytes > len(data):
            return row, at
        spans[row, 0] = start
        spans[row, 1] = end
        out[row] = data[end + 1 : end + 1 + n_bytes]
        at = end + 1 + n_bytes
    return n_rows, at


def _keys(senses: SenseVectors, key_pattern: str) -> list[bytes]:
    keys = sense_keys(senses.words, senses.n_senses, key_pattern, senses.labels)
    return encode_words(keys, "word2vec")


def write_text_rows(
    file: BinaryIO, keys: Sequence[bytes], vectors: Floats, path: Path, *, progress: bool
) -> None:
    """Write keys and vectors as word2vec text to an open file, on its way to `path`."""
    file.write(b"%d %d\n" % vectors.shape)
    for block in row_blocks(len(keys), _BATCH_ROWS, path, progress=progress):
        lines = number_lines(vectors[block])
        file.writelines(b"%b %b\n" % row for row in zip(keys[block], lines, strict=True))


def _write_text(senses: SenseVectors, path: Path, options: WriteOptions) -> None:
    keys = _keys(senses, options.key_pattern)
    with open_output(path) as file:
        write_text_rows(file, keys, senses.vectors, path, progress=options.progress)


def _write_binary(senses: SenseVectors, path: Path, options: WriteOptions) -> None:
    keys = _keys(senses, options.key_pattern)
    for key in filter(_CONTROL.search, keys):
        # reading takes it for a number of a damaged file
        raise InputError(
            f"{key.decode()!r} has a control character, which word2vec-binary cannot hold: "
            "use .parquet"
        )
    vectors = senses.vectors.astype("<f4", copy=False)
    with open_output(path) as file:
        file.write(b"%d %d\n" % vectors.shape)
        for block in row_blocks(len(keys), _BATCH_ROWS, path, progress=options.progress):
            file.writelines(
                b"%b %b\n" % (key, vector.tobytes())
                for key, vector in zip(keys[block], vectors[block], strict=True)
            )


def _first_record(head: bytes) -> tuple[bytes, int] | None:
    """Return what follows a word2vec header, and the number of dimensions."""
    line, _, rest = head.partition(b"\n")
    numbers = _two_numbers(line)
    return None if numbers is None else (rest, numbers[1])


def _has_header(head: bytes) -> bool:
    """Whether the first line is a header, or a bad one: anything but a word and a vector."""
    first, _, rest = head.partition(b"\n")
    fields = fields_of(first)
    if len(fields) == 2 and fields[0].isdigit() and fields[1].isdigit():
        return True
    second = fields_of(rest.partition(b"\n")[0])
    return not (
        len(fields) > 1
        and all(map(is_number, fields[1:]))
        # the second line may be cut short, or there may be none
        and (not second or b"\n" not in rest or len(second) == len(fields))
    )


def _recognizes_text(path: Path, head: bytes) -> bool:
    record = _first_record(head)
    if record is None:
        return len(fields_of(head.partition(b"\n")[0])) > 2 and not _has_header(head)
    return not _holds_floats(*record)


def _recognizes_binary(path: Path, head: bytes) -> bool:
    record = _first_record(head)
    return record is not None and _holds_floats(*record)


def _holds_floats(rest: bytes, dim: int) -> bool:
    """Whether bytes that are no text follow the first word."""
    numbers = fields_of(rest.partition(b"\n")[0])[1:]
    if len(numbers) == dim and all(map(is_number, numbers)):
        return False
    values = rest.partition(b" ")[2][: 4 * dim]
    return any(code > 0x7E or (code < 0x20 and code not in b"\t\r\n") for code in values)


_DROPS = ("counts", "centers", "globals", "labels", "examples", "metadata")


def _check(senses: SenseVectors, options: WriteOptions) -> None:
    _keys(senses, options.key_pattern)


TEXT = Format(
    name="word2vec",
    description="word2vec text, keys such as word#0; with or without a header (GloVe)",
    recognizes=_recognizes_text,
    read=_read_text,
    write=_write_text,
    endings=(".vec", ".w2v"),
    is_text=True,
    has_keys=True,
    drops=_DROPS,
    check=_check,
)
BINARY = Format(
    name="word2vec-binary",
    description="word2vec binary, keys such as word#0",
    recognizes=_recognizes_binary,
    read=_read_binary,
    write=_write_binary,
    endings=(".bin",),
    has_keys=True,
    drops=_DROPS,
    check=_check,
)

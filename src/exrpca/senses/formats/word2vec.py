"""word2vec text and binary files whose keys hold word and sense, such as `bank#0`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from exrpca.errors import InputError, InputWarning
from exrpca.senses.formats.assembly import from_keys
from exrpca.senses.formats.byte_reader import open_bytes, read_head
from exrpca.senses.formats.format import Format, Place, ReadOptions, WriteOptions
from exrpca.senses.formats.key_patterns import KEY_PATTERNS
from exrpca.senses.formats.key_writing import sense_keys
from exrpca.senses.formats.rows import Rows
from exrpca.senses.formats.sensegram import probabilities_beside
from exrpca.senses.formats.text_files import (
    CONTROL,
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

# Rows read or written together.
_BATCH_ROWS = 4096
# Keys of another form than the others may be damage if they are at most this share.
_SHARE_ODD = 0.001
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
    return _read_rows(path, options, has_header=True)


def text_place(path: Path, *, has_header: bool = True) -> Place:
    """Return where the rows of a word2vec text file stand."""
    return Place(path, line_of=lambda row: row + 1 + has_header)


def _read_rows(path: Path, options: ReadOptions, *, has_header: bool) -> tuple[list[str], Floats]:
    place = text_place(path, has_header=has_header)
    keys: list[bytes] = []
    rows = Rows()
    n_rows, dim = None, 0
    with open_lines(path, progress=options.progress) as batches:
        for first, lines in batches:
            if first == 1 and has_header:
                n_rows, dim = header_of(lines[0], path)
                first, lines = 2, lines[1:]
            elif first == 1 and (dim := len(fields_of(lines[0])) - 1) < 1:
                raise InputError("expected a word and its vector", path=path, line=1)
            if n_rows is not None and len(keys) + len(lines) > n_rows:
                raise place.error(f"more than the {n_rows} vectors of the header", n_rows)
            here = Place(path, line_of=first.__add__)
            parts = [line.partition(b" ") for line in lines]
            for row, (key, _, _) in enumerate(parts):
                if not key:
                    found = "begins with a space" if lines[row] else "is empty"
                    raise here.error(f"the line {found}, expected a word", row)
            keys += [key for key, _, _ in parts]
            rows.append(parse_numbers([rest for _, _, rest in parts], dim, here))
    if n_rows is not None and len(keys) < n_rows:
        raise place.error(f"the file ends after {len(keys)} of {n_rows} vectors", len(keys) - 1)
    return decode_words(keys, options.encoding or "utf-8", place), rows.finish()


def _read_text(path: Path, options: ReadOptions) -> SenseVectors:
    has_header = _has_header(read_head(path, _HEAD_BYTES))
    keys, vectors = _read_rows(path, options, has_header=has_header)
    counts = probabilities_beside(path, keys)
    place = text_place(path, has_header=has_header)
    return from_keys(keys, vectors, options=options, place=place, counts=counts)


def _read_binary(path: Path, options: ReadOptions) -> SenseVectors:
    place = Place(path)
    keys: list[bytes] = []
    vectors: list[bytes] = []
    rows = Rows()
    n_breaks: list[int] = []  # line ends before each key
    with open_bytes(path, progress=options.progress) as file:
        n_rows, dim = header_of(file.until(b"\n", "the header"), path)
        for row in range(n_rows):
            what = f"vector {row + 1} of {n_rows}"
            piece = file.until(b" ", what)
            key = piece.lstrip(b"\n")
            keys.append(key)
            n_breaks.append(len(piece) - len(key))
            vectors.append(file.take(4 * dim, what))
            # either each vector ends with a line end, or none does; the first follows the header
            if not key or CONTROL.search(key) or (row and n_breaks[row] != n_breaks[1]):
                raise place.error(
                    "no word where one is expected: bytes before it are missing or damaged", row
                )
            if len(vectors) == _BATCH_ROWS or row + 1 == n_rows:
                rows.append(np.frombuffer(b"".join(vectors), "<f4").reshape(-1, dim))
                vectors.clear()
        if file.has_more():
            raise InputError(f"more than the {n_rows} vectors of the header", path=path)
    words = decode_words(keys, options.encoding or "utf-8", place)
    counts = probabilities_beside(path, words)
    senses = from_keys(words, rows.finish(), options=options, place=place, counts=counts)
    if not any(n_breaks[1:]):
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
    for key in filter(CONTROL.search, keys):
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

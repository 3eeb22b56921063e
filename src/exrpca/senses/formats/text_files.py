"""Text files of vectors: lines, words and numbers, read and written."""

from __future__ import annotations

import codecs
import contextlib
import gzip
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from exrpca.errors import InputError, InputWarning
from exrpca.files import CompressedFile, atomic_path
from exrpca.progress import progress_bar
from exrpca.senses.formats.byte_reader import read_bytes
from exrpca.senses.formats.format import Place
from exrpca.senses.sense_vectors import Floats

_BLOCK_BYTES = 1 << 19
# A line longer than this is not a line of numbers; reading on would fill the memory.
_LONGEST_LINE = 64 << 20
# A larger number may not fit into 64 bits.
_MOST_DIGITS = 18
# More dimensions than anybody uses: a damaged header must not ask for terabytes.
MOST_DIMENSIONS = 1 << 20
_NUMBER = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(rb"[+-]?(nan|inf(inity)?)", re.IGNORECASE)

# Bytes that no word has, but numbers of binary files do.
CONTROL = re.compile(rb"[\x00-\x1f\x7f]")

# Only spaces and these bytes separate: U+00A0 or U+0085 may be part of a word.
_BLANKS = bytes.maketrans(b"\t\r", b"  ")
_SEPARATORS = frozenset(" \t\r\n")


# --- lines ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def open_lines(path: Path, *, progress: bool) -> Iterator[Iterator[tuple[int, list[bytes]]]]:
    """Open a text file, plain or compressed, to read its lines a few megabytes at a time.

    Each batch is the number of its first line, from 1, and its lines without their ends. Tabs are
    spaces there. Blank lines at the end of the file are left out.
    """
    with (
        CompressedFile(path) as file,
        progress_bar(f"Reading {path.name}", file.size, show=progress) as report,
    ):

        def read() -> bytes:
            block = read_bytes(file, _BLOCK_BYTES, path)
            report(file.position(), "")
            return block

        yield _batches(read, path)
    pa.default_memory_pool().release_unused()


def _batches(read: Callable[[], bytes], path: Path) -> Iterator[tuple[int, list[bytes]]]:
    first, rest, n_blank = 1, b"", 0
    block = None
    while block != b"":
        block = read()
        *lines, rest = (rest + block.translate(_BLANKS)).split(b"\n")
        if not block and rest.strip(b" "):
            warn_of_cut_line(path)
            lines = [rest]
        elif len(rest) > _LONGEST_LINE:
            raise InputError(
                f"no line end within {_LONGEST_LINE >> 20} MB, expected text",
                path=path,
                line=first + n_blank + len(lines),
            )
        lines = [b""] * n_blank + [line.rstrip(b" ") for line in lines]
        n_blank = 0
        while lines and not lines[-1]:
            lines.pop()
            n_blank += 1
        if lines:
            yield first, lines
            first += len(lines)


def warn_of_cut_line(path: Path) -> None:
    """Warn that a file of text may have been cut within its last line."""
    warnings.warn(
        f"{path}: the last line has no line end: it may be cut short", InputWarning, stacklevel=4
    )


def fields_of(line: bytes) -> list[bytes]:
    """Split a line at spaces and tabs.

    Examples
    --------
    >>> fields_of(b"bank 2 17 4 ")
    [b'bank', b'2', b'17', b'4']
    """
    return [field for field in line.translate(_BLANKS).rstrip(b"\n").split(b" ") if field]


def shown(field: bytes) -> str:
    """Return bytes as an error message quotes them."""
    text = field.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 40 else text[:40] + "…")


# --- numbers -------------------------------------------------------------------------------------


def is_number(field: bytes) -> bool:
    """Whether a field is a number, NaN and infinity included: good enough to know a format."""
    return bool(_NUMBER.fullmatch(field) or _NOT_FINITE.fullmatch(field))


def whole_number(field: bytes) -> int | None:
    """Return a number of at most 18 digits; None for anything else."""
    return int(field) if field.isdigit() and len(field) <= _MOST_DIGITS else None


def parse_numbers(lines: Sequence[bytes], dim: int, place: Place) -> Floats:
    """Return lines of `dim` numbers each as rows, each number as the nearest float32.

    Parameters
    ----------
    lines : sequence of bytes
    dim : int
    place : Place
        Names the line for the error about a bad one.

    Examples
    --------
    >>> parse_numbers([b"0.1 2", b"-3e-1 .5"], 2, Place())
    array([[ 0.1,  2. ],
           [-0.3,  0.5]], dtype=float32)
    """
    values = _parsed(lines, dim)
    if values is None:  # perhaps there is more than one space between two numbers
        values = _parsed([b" ".join(fields_of(line)) for line in lines], dim)
    if values is not None:
        return values
    for row, line in enumerate(lines):
        if problem := _complaint(fields_of(line), dim):
            raise place.error(problem, row)
    raise place.error("found numbers that cannot be read", 0)


def _parsed(lines: Sequence[bytes], dim: int) -> Floats | None:
    """Return lines of numbers with one space between them; None if anything is wrong."""
    try:
        fields = pc.split_pattern(pa.array(lines, pa.string()), " ")
        values = pc.cast(fields.flatten(), pa.float32()).to_numpy()
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    lengths = np.asarray(pc.list_value_length(fields))
    if (lengths != dim).any() or not np.isfinite(values).all():
        return None
    return cast(Floats, values.reshape(-1, dim))


def _complaint(values: Sequence[bytes], dim: int) -> str | None:
    """Say what is wrong with the values of a line, if anything is."""
    for value in values:
        if not _NUMBER.fullmatch(value):
            expected = "a finite number" if _NOT_FINITE.fullmatch(value) else "a number"
            return f"found {shown(value)}, expected {expected}"
    if len(values) != dim:
        return f"{len(values)} values, expected {dim}"
    with np.errstate(over="ignore"):
        too_large = [value for value in values if np.isinf(np.float32(float(value)))]
    return f"found {shown(too_large[0])}, expected a finite number" if too_large else None


def number_lines(vectors: Floats) -> list[bytes]:
    """Return each row as text, each number in the fewest digits that give it back exactly.

    Examples
    --------
    >>> number_lines(np.array([[0.1, -2]], dtype=np.float32))
    [b'0.1 -2']
    """
    n_rows, dim = vectors.shape
    numbers = pc.cast(pc.cast(pa.array(vectors.ravel()), pa.string()), pa.binary())
    ends = pa.array(np.arange(0, (n_rows + 1) * dim, dim, dtype=np.int32))
    lines: list[bytes] = pc.binary_join(pa.ListArray.from_arrays(ends, numbers), b" ").to_pylist()
    return lines


# --- words ---------------------------------------------------------------------------------------


def check_encoding(encoding: str) -> None:
    """Refuse an encoding that Python does not know."""
    try:
        codecs.lookup(encoding)
    except LookupError:
        raise InputError(f"encoding={encoding!r} is unknown, expected for example utf-8") from None


def decode_words(words: Sequence[bytes], encoding: str, place: Place) -> list[str]:
    """Decode the words of rows, one row each."""
    decoded = []
    for row, word in enumerate(words):
        try:
            decoded.append(word.decode(encoding))
        except UnicodeDecodeError:
            raise place.error(
                f"the word {word!r} is not in {encoding}: give the encoding, "
                "for example iso-8859-15",
                row,
            ) from None
    return decoded


def encode_words(words: Sequence[str], format_name: str) -> list[bytes]:
    """Encode all words in UTF-8 for a format whose fields are separated by whitespace."""
    encoded = []
    for word in words:
        if not word or not _SEPARATORS.isdisjoint(word):
            raise InputError(
                f"the word {word!r} is empty or contains whitespace, which {format_name} "
                "cannot hold: use .parquet"
            )
        try:
            encoded.append(word.encode())
        except UnicodeEncodeError:
            raise InputError(f"the word {word!r} cannot be written in UTF-8") from None
    return encoded


# --- outputs -------------------------------------------------------------------------------------


@contextlib.contextmanager
def open_output(path: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` once it is complete; gzipped for `.gz`."""
    with atomic_path(path) as temporary, temporary.open("wb") as raw:
        if path.suffix == ".gz":
            # no name and no time inside: the same vectors give the same file
            with gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
                yield cast(BinaryIO, packed)
        else:
            yield raw


def row_blocks(n_rows: int, n_together: int, path: Path, *, progress: bool) -> Iterator[slice]:
    """Give slices of `n_together` that cover all rows, with a progress bar if asked for."""
    with progress_bar(f"Writing {path.name}", n_rows, show=progress) as report:
        for start in range(0, n_rows, n_together):
            block = slice(start, min(start + n_together, n_rows))
            yield block
            report(block.stop, "")

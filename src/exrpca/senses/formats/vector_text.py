"""Text files of vectors: lines read one at a time, or parsed by the thousand."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from exrpca.errors import InputError, InputWarning
from exrpca.senses.formats.byte_blocks import ByteBlocks, open_blocks
from exrpca.senses.formats.number_parser import parse_lines, round_exactly
from exrpca.senses.ragged import Integers
from exrpca.senses.sense_vectors import Floats

# A line longer than this is not a line of numbers; reading on would fill the memory.
_LONGEST_LINE = 64 << 20
_MAX_UNSURE = 1024
# A larger number may not fit into 64 bits.
_MOST_DIGITS = 18
# More dimensions than anybody uses: a damaged header must not ask for terabytes.
MOST_DIMENSIONS = 1 << 20
_NUMBER = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(rb"[+-]?(nan|inf(inity)?)", re.IGNORECASE)

# Only these bytes separate: U+00A0 or U+0085 may be part of a word.
_BLANKS = b" \t\r"
_SPLIT = re.compile(rb"[ \t\r]+")


def fields_of(line: bytes) -> list[bytes]:
    """Split a line at spaces and tabs.

    Examples
    --------
    >>> fields_of(b"bank 2 17 4 ")
    [b'bank', b'2', b'17', b'4']
    """
    line = line.strip(_BLANKS + b"\n")
    return _SPLIT.split(line) if line else []


def is_number(field: bytes) -> bool:
    """Whether a field is a number, NaN and infinity included: good enough to know a format."""
    return bool(_NUMBER.fullmatch(field) or _NOT_FINITE.fullmatch(field))


def whole_number(field: bytes) -> int | None:
    """Return a number of at most 18 digits; None for anything else."""
    return int(field) if field.isdigit() and len(field) <= _MOST_DIGITS else None


def complaint(values: Sequence[bytes], dim: int) -> str:
    """Say what is wrong with the values of a line."""
    for value in values:
        if not _NUMBER.fullmatch(value):
            expected = "a finite number" if _NOT_FINITE.fullmatch(value) else "a number"
            return f"found {shown(value)}, expected {expected}"
    if len(values) != dim:
        return f"{len(values)} values, expected {dim}"
    too_large = next(value for value in values if np.isinf(round_exactly(value)))
    return f"found {shown(too_large)}, expected a finite number"


def shown(field: bytes) -> str:
    """Return bytes as an error message quotes them."""
    text = field.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 40 else text[:40] + "…")


class VectorText:
    """Lines of a text file.

    Use `open_text` to make one.

    Attributes
    ----------
    path : Path
    line : int
        How many lines have been read.
    """

    def __init__(self, blocks: ByteBlocks) -> None:
        self.path = blocks.path
        self.line = 0
        self._blocks = blocks
        self._bytes = np.frombuffer(blocks.data, dtype=np.uint8)

    def error(self, message: str, *, line: int | None = None) -> InputError:
        """Return the error for a line; by default the last one read."""
        return InputError(message, path=self.path, line=self.line if line is None else line)

    def next_line(self) -> bytes | None:
        """Return the next line without its end; None at the end of the file."""
        blocks = self._blocks
        while (end := blocks.data.find(b"\n", blocks.at)) < 0:
            if not self._more():
                return None
        line = blocks.data[blocks.at : end]
        blocks.at = end + 1
        self.line += 1
        return line

    def read_vectors(self, out: Floats) -> None:
        """Fill `out` with the next lines, which hold numbers alone."""
        done = 0
        while done < len(out):
            n_lines, _ = self._parse(out[done:], keyed=False)
            if n_lines == 0:
                raise self.error(
                    f"the file ends, expected {out.shape[1]} values", line=self.line + 1
                )
            done += n_lines

    def read_keyed(self, out: Floats) -> list[bytes]:
        """Fill the first rows of `out`, return the keys their lines begin with.

        As many lines as are at hand are taken, at least one; none at the end of the file.
        """
        n_lines, spans = self._parse(out, keyed=True)
        data = self._blocks.data
        return [data[start:end] for start, end in spans[:n_lines].tolist()]

    def expect_end(self, promised: str) -> None:
        """Refuse anything but blank lines in the rest of the file."""
        while (line := self.next_line()) is not None:
            if fields_of(line):
                raise self.error(f"more than the {promised} of the header")

    def _parse(self, out: Floats, *, keyed: bool) -> tuple[int, Integers]:
        spans = np.empty((len(out) if keyed else 0, 2), dtype=np.int64)
        unsure = np.empty((max(_MAX_UNSURE, out.shape[1]), 4), dtype=np.int64)
        while True:
            n_lines, at, n_unsure, good = parse_lines(
                self._bytes, self._blocks.at, keyed, out, spans, unsure
            )
            if n_lines:
                break
            if not good and not self._at_blank_end():
                raise self._bad_line(out.shape[1], keyed=keyed)
            if not self._more():
                return 0, spans
        for row, column, start, end in unsure[:n_unsure].tolist():
            token = self._blocks.data[start:end]
            out[row, column] = value = round_exactly(token)
            if np.isinf(value):
                raise self.error(complaint([token], 1), line=self.line + row + 1)
        self._blocks.at = at
        self.line += n_lines
        return n_lines, spans

    def _at_blank_end(self) -> bool:
        while not self._blocks.data[self._blocks.at :].strip():
            if not self._more():
                return True
        return False

    def _bad_line(self, dim: int, *, keyed: bool) -> InputError:
        line = self.next_line()
        fields = fields_of(line or b"")
        if keyed and (line or b" ")[:1] in (b" ", b"\t", b"\r"):
            return self.error("the line begins with a space, expected a word")
        return self.error(complaint(fields[1:] if keyed else fields, dim))

    def _more(self) -> bool:
        blocks = self._blocks
        if blocks.n_left > _LONGEST_LINE:
            raise self.error(
                f"no line end within {_LONGEST_LINE >> 20} MB, expected text", line=self.line + 1
            )
        found = blocks.more()
        if not found and blocks.data and not blocks.data.endswith(b"\n"):
            warnings.warn(
                f"{self.path}: the last line has no line end: its last number may be cut short",
                InputWarning,
                stacklevel=2,
            )
            blocks.data += b"\n"
            found = True
        self._bytes = np.frombuffer(blocks.data, dtype=np.uint8)
        return found


@contextlib.contextmanager
def open_text(path: Path, *, progress: bool) -> Iterator[VectorText]:
    """Open a text file of vectors, plain or compressed."""
    with open_blocks(path, progress=progress) as blocks:
        yield VectorText(blocks)

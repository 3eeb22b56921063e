"""The bytes of a file, decompressed, taken one piece after another."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from exrpca.errors import InputError
from exrpca.files import DECOMPRESSION_ERRORS, CompressedFile
from exrpca.progress import ProgressCallback, progress_bar

_BLOCK_BYTES = 4 << 20
# A word or a line of numbers longer than this is damage; reading on would fill the memory.
_LONGEST_PIECE = 1 << 20


class ByteReader:
    """A binary file that is read from its beginning to its end; `open_bytes` makes one."""

    def __init__(self, path: Path, file: CompressedFile, report: ProgressCallback) -> None:
        self.path = path
        self._file = file
        self._report = report
        self._data = b""
        self._at = 0

    def take(self, n_bytes: int, what: str) -> bytes:
        """Return the next bytes; `what` they are is for the error if the file ends before."""
        while len(self._data) - self._at < n_bytes:
            if not self._more():
                raise InputError(f"the file ends within {what}: get a fresh copy", path=self.path)
        self._at += n_bytes
        return self._data[self._at - n_bytes : self._at]

    def until(self, end: bytes, what: str) -> bytes:
        """Return the bytes before the next `end`, one byte, which is taken as well."""
        while (found := self._data.find(end, self._at)) < 0:
            if len(self._data) - self._at > _LONGEST_PIECE:
                raise InputError(
                    f"no end of {what} within {_LONGEST_PIECE >> 20} MB: get a fresh copy",
                    path=self.path,
                )
            if not self._more():
                raise InputError(f"the file ends within {what}: get a fresh copy", path=self.path)
        piece = self._data[self._at : found]
        self._at = found + 1
        return piece

    def has_more(self) -> bool:
        """Whether anything but line ends is left."""
        while not self._data[self._at :].strip(b"\n"):
            self._at = len(self._data)
            if not self._more():
                return False
        return True

    def _more(self) -> bool:
        """Drop what has been taken and add the next block; False at the end of the file."""
        block = read_bytes(self._file, _BLOCK_BYTES, self.path)
        self._report(self._file.position(), "")
        self._data = self._data[self._at :] + block
        self._at = 0
        return bool(block)


@contextlib.contextmanager
def open_bytes(path: Path, *, progress: bool) -> Iterator[ByteReader]:
    """Open a file, plain or compressed, with a progress bar if asked for."""
    with (
        CompressedFile(path) as file,
        progress_bar(f"Reading {path.name}", file.size, show=progress) as report,
    ):
        yield ByteReader(path, file, report)


def read_bytes(file: CompressedFile, n_bytes: int, path: Path) -> bytes:
    """Return up to `n_bytes`, with one clear line when the compressed file is damaged."""
    try:
        return file.stream.read(n_bytes)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from None


def damaged(path: Path, error: Exception) -> InputError:
    """Return the error for a file that cannot be read to its end."""
    return InputError(f"the file is truncated or damaged ({error}): get a fresh copy", path=path)


def read_head(path: Path, n_bytes: int) -> bytes:
    """Return the first bytes of a file, decompressed; an empty file is refused."""
    with CompressedFile(path) as file:
        head = read_bytes(file, n_bytes, path)
    if not head:
        raise InputError("the file is empty", path=path)
    return head

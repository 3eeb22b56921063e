"""A file's bytes, decompressed, a block at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from exrpca.errors import InputError
from exrpca.files import DECOMPRESSION_ERRORS, CompressedFile
from exrpca.progress import ProgressCallback, progress_bar

_BLOCK_BYTES = 4 << 20


class ByteBlocks:
    """The part of a file that is in memory: `data`, used up to `at`.

    Use `open_blocks` to make one.
    """

    def __init__(self, path: Path, file: CompressedFile, report: ProgressCallback) -> None:
        self.path = path
        self.data = b""
        self.at = 0
        self._file = file
        self._report = report

    @property
    def n_left(self) -> int:
        """How many bytes in memory are not used yet."""
        return len(self.data) - self.at

    def more(self) -> bool:
        """Drop what is used and add the next block; False at the end of the file."""
        block = read_bytes(self._file, _BLOCK_BYTES, self.path)
        self._report(self._file.position(), "")
        self.data = self.data[self.at :] + block
        self.at = 0
        return bool(block)


@contextlib.contextmanager
def open_blocks(path: Path, *, progress: bool) -> Iterator[ByteBlocks]:
    """Open a file, plain or compressed, with a progress bar if asked for."""
    with (
        CompressedFile(path) as file,
        progress_bar(f"Reading {path.name}", file.size, show=progress) as report,
    ):
        yield ByteBlocks(path, file, report)


def damaged(path: Path, error: Exception) -> InputError:
    """Return the error for a file that cannot be read to its end."""
    return InputError(f"the file is cut short or damaged ({error}): fetch it again", path=path)


def read_bytes(file: CompressedFile, n_bytes: int, path: Path) -> bytes:
    """Return up to `n_bytes`, with one clear line when the compressed file is damaged."""
    try:
        return file.stream.read(n_bytes)
    except DECOMPRESSION_ERRORS as error:
        raise damaged(path, error) from None


def read_head(path: Path, n_bytes: int) -> bytes:
    """Return the first bytes of a file, decompressed; an empty file is refused."""
    with CompressedFile(path) as file:
        head = read_bytes(file, n_bytes, path)
    if not head:
        raise InputError("the file is empty", path=path)
    return head

"""Files that appear whole or not at all, and files that may be compressed."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import secrets
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

import pyarrow as pa

from exrpca.errors import InputError

# How each kind of compressed file begins; content decides, not the file's ending.
_MAGIC = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zst"}

# What the decompressors raise for a file that is cut short or damaged.
DECOMPRESSION_ERRORS = (EOFError, OSError, lzma.LZMAError, zlib.error)


@contextlib.contextmanager
def atomic_path(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside `target` that takes its place when the block succeeds.

    Whatever goes wrong inside the block (an error, a full disk, Ctrl-C), a file that was at
    `target` stays as it was and the temporary one is removed.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with atomic_path(folder / "out.txt") as temporary:
    ...     _ = temporary.write_text("whole")
    >>> [path.name for path in folder.iterdir()]
    ['out.txt']
    """
    target = Path(target)
    if target.is_dir():
        raise InputError("is a folder, expected a file name to write to", path=target)
    if not target.parent.is_dir():
        raise InputError(f"folder {target.parent} does not exist: create it first", path=target)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def compression_of(path: str | os.PathLike[str]) -> str | None:
    """Return "gz", "bz2", "xz", "zst" or None by the file's first bytes."""
    with open_plain(path) as file:
        head = file.read(6)
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)


def open_plain(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading bytes, with one clear line when it cannot be."""
    try:
        return Path(path).open("rb")
    except FileNotFoundError:
        raise InputError("no such file", path=path) from None
    except IsADirectoryError:
        raise InputError("is a folder, expected a file", path=path) from None
    except PermissionError:
        raise InputError("may not be read: check its permissions", path=path) from None


class CompressedFile(contextlib.AbstractContextManager["CompressedFile"]):
    """A file read as decompressed bytes that knows how far it has come in the compressed ones.

    Parameters
    ----------
    path : path-like
        A plain, gz, bz2, xz or zst file; its first bytes tell which.

    Attributes
    ----------
    stream : binary file
        The decompressed bytes.
    size : int
        The size of the file on disk.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        kind = compression_of(path)
        self._raw = open_plain(path)
        self.size = os.fstat(self._raw.fileno()).st_size
        self.stream: IO[bytes] = _decompressed(self._raw, kind)

    def position(self) -> int:
        """Return how many bytes on disk have been read; for progress bars."""
        return self._raw.tell()

    def __exit__(self, *_: object) -> None:
        self.stream.close()
        self._raw.close()


def _decompressed(raw: BinaryIO, kind: str | None) -> IO[bytes]:
    match kind:
        case "gz":
            return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
        case "bz2":
            return bz2.BZ2File(raw)
        case "xz":
            return lzma.LZMAFile(raw)
        case "zst":
            compressed = pa.PythonFile(raw, mode="r")
            return io.BufferedReader(pa.CompressedInputStream(compressed, "zstd"))
        case _:
            return raw

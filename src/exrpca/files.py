"""Outputs that are checked first and appear whole or not at all; compressed inputs."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import secrets
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

import pyarrow as pa

from exrpca.errors import InputError

# How each kind of compressed file begins; content decides, not the file's ending.
_MAGIC = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zst"}

# What the decompressors raise for a file that is cut short or damaged.
DECOMPRESSION_ERRORS = (EOFError, OSError, lzma.LZMAError, zlib.error)


def check_output(
    path: str | os.PathLike[str], *, other_than: Iterable[str | os.PathLike[str]] = ()
) -> None:
    """Refuse a path that could not be written to; to be called before the work, not after.

    Parameters
    ----------
    path : path-like
        The file to be written.
    other_than : iterable of path-likes, default ()
        Inputs and other outputs that the file would overwrite.

    Examples
    --------
    >>> check_output("nowhere/out.txt")
    Traceback (most recent call last):
        ...
    exrpca.errors.InputError: nowhere/out.txt: the folder nowhere does not exist: create it first
    """
    path = Path(path)
    if path.is_dir():
        raise InputError("is a folder, expected the name of a file", path=path)
    if not path.parent.is_dir():
        raise InputError(f"the folder {path.parent} does not exist: create it first", path=path)
    if path.resolve() in {Path(other).resolve() for other in other_than}:
        raise InputError(
            "is another file of this command, which it would overwrite: choose another name",
            path=path,
        )
    _check_writable(path.parent, path)


def check_output_folder(path: str | os.PathLike[str]) -> None:
    """Refuse a folder that could not be written to; it need not exist yet."""
    path = Path(path)
    nearest = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    if not nearest.is_dir():
        raise InputError(f"{nearest} is a file, expected a folder", path=path)
    _check_writable(nearest, path)


def _check_writable(folder: Path, path: Path) -> None:
    try:
        # what is asked of the system may not be what it allows: try it
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            f"cannot write to the folder {folder}: {error.strerror}", path=path
        ) from None


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
    check_output(target)
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
        raise InputError("cannot be read: check its permissions", path=path) from None


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the content of a UTF-8 file, plain or compressed; other bytes are bad input."""
    with CompressedFile(path) as file:
        try:
            content = file.stream.read()
        except DECOMPRESSION_ERRORS:
            raise InputError("is damaged: get a fresh copy", path=path) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError("is not UTF-8 text", path=path, line=line) from None


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

"""Outputs that are checked first and appear whole or not at all; compressed inputs."""

from __future__ import annotations

import bz2
import contextlib
import errno
import glob
import gzip
import io
import lzma
import os
import re
import secrets
import shutil
import stat
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import IO, BinaryIO, cast

import pyarrow as pa

from exrpca.errors import InputError
from exrpca.journal import Move, move_together, recover, sync_folder
from exrpca.locks import is_abandoned, open_locked

# How each kind of compressed file begins; content decides, not the file's ending.
_MAGIC = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zst"}

# What follows the name of the target in the name of a temporary file.
_TEMPORARY = r"\.[0-9a-f]{8}\.tmp"

# As many symbolic links in a row as Linux follows.
_MOST_LINKS = 40

# What the decompressors raise for a file that is cut short or damaged.
DECOMPRESSION_ERRORS = (EOFError, OSError, lzma.LZMAError, zlib.error)


def check_output(
    path: str | os.PathLike[str], *, other_than: Iterable[str | os.PathLike[str]] = ()
) -> None:
    """Refuse a path that could not be written to; to be called before the work, not after.

    What a killed run left half done at this path is finished or removed, see `together` and
    `atomic_path`.

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
    if is_stream(path):
        return
    target = _followed(path)
    if target.is_dir():
        raise InputError("is a folder, expected the name of a file", path=path)
    if not target.parent.is_dir():
        raise InputError(f"the folder {target.parent} does not exist: create it first", path=path)
    if path.resolve() in {Path(other).resolve() for other in other_than}:
        raise InputError(
            "is another file of this command, which it would overwrite: choose another name",
            path=path,
        )
    _check_writable(target.parent, path)
    recover(target)
    _sweep(target)


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


def _followed(path: Path) -> Path:
    """Return the file that a path means; symbolic links are followed."""
    try:
        return path.resolve() if path.is_symlink() else path
    except (OSError, RuntimeError):
        raise InputError("is a symbolic link that leads to itself", path=path) from None


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a device, a pipe or an open file such as `/dev/stdout`.

    A disk and a socket are refused.

    Examples
    --------
    >>> is_stream("/dev/null"), is_stream("out.txt")
    (True, False)
    """
    path = Path(path)
    if _descriptor(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    if stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
        raise InputError("is a disk or a socket, expected the name of a file", path=path)
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def _descriptor(path: Path) -> int | None:
    """Return the number of the open file that a path such as `/dev/stdout` leads to."""
    for _ in range(_MOST_LINKS):
        if re.fullmatch(r"/(proc/(self|[0-9]+)/fd|dev/fd)", os.path.realpath(path.parent)):
            return int(path.name) if path.name.isdigit() else None
        if not path.is_symlink():
            return None
        path = path.parent / os.readlink(path)
    return None


class _Temporary:
    """A file next to its target that becomes it once it is complete.

    It is locked while its process lives, so that the next run can remove what a killed one left.
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self.path = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
        self._descriptor = open_locked(self.path)

    def move(self) -> Move:
        """Return the move to the target, once the file is complete on disk."""
        with self.path.open("rb+") as file:
            os.fsync(file.fileno())
            inode = os.fstat(file.fileno()).st_ino
        return Move(os.path.abspath(self.path), os.path.abspath(self.target), inode)

    def close(self) -> None:
        """Give up the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _sweep(target: Path) -> None:
    """Remove the temporary files of a target that no living process holds."""
    for path in target.parent.glob(f".{glob.escape(target.name)}.*.tmp"):
        if re.fullmatch(_TEMPORARY, path.name[len(target.name) + 1 :]) and is_abandoned(path):
            path.unlink(missing_ok=True)


@contextlib.contextmanager
def atomic_path(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path next to `target` that takes its place when the block succeeds.

    Whatever goes wrong inside the block (an error, a full disk, Ctrl-C), a file that was at
    `target` stays as it was and the temporary one is removed. If the process is killed, the
    temporary file is removed by the next run that writes to `target`. Symbolic links are followed.
    What is written to a device or a pipe is copied there when the block succeeds.

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
    if is_stream(target):
        with _spooled(target) as path:
            yield path
        return
    with naming_full_disk(target):
        temporary = _Temporary(_followed(target))
        waiting = _WAITING.get()
        try:
            yield temporary.path
            move = temporary.move()
            if waiting is None:
                os.replace(move.temporary, move.target)
                sync_folder(temporary.target.parent)
        except BaseException:
            temporary.path.unlink(missing_ok=True)
            temporary.close()
            raise
        if waiting is None:
            temporary.close()
        else:
            waiting.append((move, temporary))


_WAITING: ContextVar[list[tuple[Move, _Temporary]] | None] = ContextVar("waiting", default=None)


@contextlib.contextmanager
def together() -> Iterator[None]:
    """Let all files that are written in the block take their places at its end, or none.

    If the process is killed while they do, the next run that writes to one of them finishes it
    and warns with `InterruptedOutputWarning`.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with together():
    ...     for name in ("a.txt", "b.txt"):
    ...         with atomic_path(folder / name) as temporary:
    ...             _ = temporary.write_text("whole")
    ...     list(folder.glob("*.txt"))
    []
    >>> sorted(path.name for path in folder.iterdir())
    ['a.txt', 'b.txt']
    """
    if _WAITING.get() is not None:  # the outer block decides
        yield
        return
    waiting: list[tuple[Move, _Temporary]] = []
    token = _WAITING.set(waiting)
    try:
        yield
    except BaseException:
        for move, _ in waiting:
            Path(move.temporary).unlink(missing_ok=True)
        raise
    else:
        move_together([move for move, _ in waiting])
    finally:
        _WAITING.reset(token)
        for _, temporary in waiting:
            temporary.close()


@contextlib.contextmanager
def naming_full_disk(path: Path) -> Iterator[None]:
    """Add the name of the file to the error when the disk, the quota or the file is full."""
    try:
        yield
    except OSError as error:
        # NumPy's tofile gives neither number nor name
        is_full = error.errno in (None, errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        if not is_full or not str(error.filename or ".tmp").endswith(".tmp"):
            raise
        number = error.errno or errno.ENOSPC
        raise OSError(number, os.strerror(number), str(path)) from error


@contextlib.contextmanager
def _spooled(target: Path) -> Iterator[Path]:
    """Give a temporary path whose content is copied to a device or a pipe."""
    with tempfile.TemporaryDirectory(prefix="exrpca-") as folder:
        temporary = Path(folder) / target.name
        yield temporary
        number = _descriptor(target)
        try:
            # a descriptor is shared with the shell: its position and mode count
            stream = target.open("wb") if number is None else os.fdopen(os.dup(number), "wb")
        except OSError as error:
            raise InputError(f"cannot be written to: {error.strerror}", path=target) from None
        with naming_full_disk(target), stream, temporary.open("rb") as file:
            shutil.copyfileobj(file, stream)


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
    except (OSError, ValueError) as error:  # a name that is too long, or has a null character
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", path=os.fspath(path)[:80]) from None


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

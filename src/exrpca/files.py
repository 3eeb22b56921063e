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
from typing import IO, BinaryIO, NamedTuple, cast

from exrpca.errors import InputError
from exrpca.journal import Move, move_together, recover, sync_folder
from exrpca.locks import locked

# How each kind of compressed file begins; content decides, not the file's ending.
_MAGIC = {b"\x1f\x8b": "gz", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zst"}

# What follows the name of the target in the name of a temporary file.
_TEMPORARY = r"\.[0-9a-f]{8}\.tmp"

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
    if any(_is_same_file(path, Path(other)) for other in other_than):
        raise InputError(
            "is another file of this command, which it would overwrite: choose another name",
            path=path,
        )
    _check_writable(target.parent, path)
    with only_run(target):
        pass


def _is_same_file(path: Path, other: Path) -> bool:
    """Whether two paths are one file, as A.txt and a.txt are on macOS and Windows."""
    if path.resolve() == other.resolve():
        return True
    alike = path.name.casefold() == other.name.casefold()
    return alike and path.exists() and other.exists() and path.samefile(other)


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
    """Return the number of the open file that a path such as `/dev/stdout` stands for."""
    named = {"/dev/stdout": "/dev/fd/1", "/dev/stderr": "/dev/fd/2"}.get(str(path), str(path))
    found = re.fullmatch(r"/(?:dev|proc/(?:self|[0-9]+))/fd/([0-9]+)", named)
    return int(found[1]) if found else None


@contextlib.contextmanager
def only_run(output: str | os.PathLike[str]) -> Iterator[None]:
    """Refuse other processes that would write to an output while the block runs.

    What a killed run left half done there is finished or removed first.

    Raises
    ------
    InputError
        If another process is at work on it.

    Examples
    --------
    >>> import tempfile
    >>> with only_run(Path(tempfile.mkdtemp()) / "senses.parquet"):
    ...     pass
    """
    target = _followed(Path(output))
    with locked(target) as is_first:
        if is_first:  # else this process may be at work on it
            recover(target)
            for path in target.parent.glob(f".{glob.escape(target.name)}.*.tmp"):
                if re.fullmatch(_TEMPORARY, path.name[len(target.name) + 1 :]):
                    path.unlink(missing_ok=True)
        yield


def _new_temporary(target: Path) -> Path:
    """Create a file next to its target, which only its owner can read if there is a target."""
    path = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    mode = 0o600 if target.exists() else 0o666
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    return path


def _move(temporary: Path, target: Path) -> Move:
    """Return the move to the target, once the file is complete on disk and closed."""
    if target.exists():
        temporary.chmod(stat.S_IMODE(target.stat().st_mode))
    # chmod may have taken the right to open it for writing
    flags = os.O_RDONLY if os.name == "posix" else os.O_RDWR
    descriptor = os.open(temporary, flags)
    try:
        os.fsync(descriptor)
        inode = os.fstat(descriptor).st_ino
    finally:
        os.close(descriptor)
    return Move(os.path.abspath(temporary), os.path.abspath(target), inode)


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
    named = Path(target)
    check_output(named)
    if is_stream(named):
        with _spooled(named) as path:
            yield path
        return
    target = _followed(named)
    block = _BLOCK.get()
    with contextlib.ExitStack() as own_locks, naming_full_disk(named):
        (own_locks if block is None else block.locks).enter_context(only_run(target))
        temporary = _new_temporary(target)
        try:
            yield temporary
            move = _move(temporary, target)
            if block is None:
                os.replace(move.temporary, move.target)
                sync_folder(target.parent)
            else:
                block.moves.append(move)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


class _Block(NamedTuple):
    """What waits for the end of a block of `together`."""

    moves: list[Move]
    locks: contextlib.ExitStack


_BLOCK: ContextVar[_Block | None] = ContextVar("block", default=None)


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
    if _BLOCK.get() is not None:  # the outer block decides
        yield
        return
    with contextlib.ExitStack() as locks:
        block = _Block([], locks)
        token = _BLOCK.set(block)
        try:
            yield
        except BaseException:
            for move in block.moves:
                Path(move.temporary).unlink(missing_ok=True)
            raise
        finally:
            _BLOCK.reset(token)
        move_together(block.moves)


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
            import pyarrow as pa  # takes a while

            compressed = pa.PythonFile(raw, mode="r")
            return io.BufferedReader(pa.CompressedInputStream(compressed, "zstd"))
        case _:
            return raw

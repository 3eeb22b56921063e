"""Locks on files, which end with the process that holds them however it ends."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from exrpca.errors import InputError

try:
    import fcntl as _fcntl
except ImportError:  # Windows
    _fcntl = None  # type: ignore[assignment]
fcntl: Any = _fcntl

# In a folder that others can write to, such a file may be a link to one of ours.
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


def open_locked(path: Path) -> int | None:
    """Open a file for writing, created if need be, and lock it; None if it is locked already.

    On systems and file systems without locks the file is opened all the same.
    """
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINKS, 0o666)
        if not _lock(descriptor):
            os.close(descriptor)
            return None
        # the last holder may have removed the file after it was opened here
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        os.close(descriptor)


def is_abandoned(path: Path) -> bool:
    """Whether no living process holds the lock of a file; False where that cannot be known."""
    if fcntl is None:
        return False
    try:
        descriptor = os.open(path, os.O_RDWR | _NO_LINKS)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


@contextlib.contextmanager
def only_run(output: Path) -> Iterator[None]:
    """Refuse a second run on the same output while the block runs.

    The lock is a hidden file next to the output that says who holds it. A lock whose process was
    killed does not count.

    Raises
    ------
    InputError
        If another run holds the lock.

    Examples
    --------
    >>> import tempfile
    >>> output = Path(tempfile.mkdtemp()) / "senses.parquet"
    >>> with only_run(output), only_run(output):
    ...     pass
    Traceback (most recent call last):
        ...
    exrpca.errors.InputError: ...senses.parquet: process ... on ... has been working on it since ...
    """
    path = output.with_name(f".{output.name}.lock")
    descriptor = open_locked(path)
    if descriptor is None:
        holder = path.read_text(encoding="utf-8") or "another process"
        raise InputError(f"{holder}: wait for it, or choose another name", path=output)
    try:
        started = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")
        process = f"process {os.getpid()} on {socket.gethostname()}"
        holder = f"{process} has been working on it since {started}"
        os.truncate(descriptor, 0)
        os.write(descriptor, holder.encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)

"""Locks on outputs, which end with the process that holds them however it ends."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from exrpca.errors import InputError

# Seconds to wait for a lock: two short writes follow each other, a long run is refused.
_PATIENCE = 1.0


@contextlib.contextmanager
def locked(target: Path) -> Iterator[bool]:
    """Keep other processes from writing to a target while the block runs.

    The lock is a hidden file next to the target that says who holds it. A process may take a lock
    that it has already; the block is given whether this is the first time.

    Raises
    ------
    InputError
        If another process holds the lock.

    Examples
    --------
    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "senses.parquet"
    >>> with locked(target) as first, locked(target) as second:
    ...     print(first, second)
    True False
    """
    from filelock import FileLock, Timeout  # takes a while

    path = target.absolute().with_name(f".{target.name}.lock")
    lock = FileLock(path, timeout=_PATIENCE, thread_local=False, is_singleton=True)
    is_first = not lock.is_locked
    try:
        lock.acquire()
    except Timeout:
        raise InputError(
            f"{_holder(path)}: wait for it, or choose another name", path=target
        ) from None
    try:
        if is_first:
            _sign(path)
        yield is_first
    finally:
        if is_first and os.name == "posix":  # elsewhere an open file cannot be removed
            path.unlink(missing_ok=True)
        lock.release()


def _sign(path: Path) -> None:
    """Write into a lock who holds it; a full disk and Windows do not allow it."""
    started = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")
    process = f"process {os.getpid()} on {socket.gethostname()}"
    with contextlib.suppress(OSError):
        path.write_text(f"{process} has been working on it since {started}", encoding="utf-8")


def _holder(path: Path) -> str:
    with contextlib.suppress(OSError):
        if holder := path.read_text(encoding="utf-8"):
            return holder
    return "another process is working on it"

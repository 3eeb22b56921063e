"""Several files that take their places together, even if the process is killed in between.

Each file is first complete under a temporary name. Then a journal next to each target lists all of
them, then they are renamed, then the journals are removed. A run that has the lock of a target and
finds a journal there finishes what it lists.
"""

from __future__ import annotations

import contextlib
import json
import os
import warnings
from pathlib import Path
from typing import NamedTuple

from exrpca.locks import locked


class Move(NamedTuple):
    """A complete file on its way to its target.

    The inode tells whether the file at either name is this one.
    """

    temporary: str
    target: str
    inode: int


class InterruptedOutputWarning(UserWarning):
    """An earlier run was killed while it put several files in their places.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("error", InterruptedOutputWarning)  # raise it as an error
    >>> warnings.resetwarnings()
    """


def move_together(moves: list[Move]) -> None:
    """Rename all files; if the journals cannot be written, rename none and remove the files.

    The caller holds the locks of all targets.
    """
    journals = [_journal_of(Path(move.target)) for move in moves]
    try:
        for journal in journals:
            _write(journal, moves)
    except BaseException:
        for path in (*journals, *(Path(move.temporary) for move in moves)):
            path.unlink(missing_ok=True)
        raise
    try:
        _finish(moves)
    except BaseException:  # Ctrl-C in between; if it fails again, the journals stay
        _finish(moves)
        raise
    for journal in journals:
        journal.unlink(missing_ok=True)


def _write(journal: Path, moves: list[Move]) -> None:
    # in a folder that others can write to, the journal may be a link to a file of ours
    no_links = getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | no_links, 0o666)
    try:
        os.write(descriptor, json.dumps([move._asdict() for move in moves]).encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def recover(target: Path) -> None:
    """Finish what a killed run left half done at a target, and say so.

    The caller holds the lock of the target, so nobody is at work on it.
    """
    journal = _journal_of(target)
    if not journal.exists():
        return
    moves = _read(journal)
    with contextlib.ExitStack() as locks:
        for move in moves:
            locks.enter_context(locked(Path(move.target)))
        if state := _recovered(moves):
            names = " and ".join(Path(move.target).name for move in moves)
            warnings.warn(
                f"{target}: an earlier run was killed while it replaced {names}: {state}",
                InterruptedOutputWarning,
                stacklevel=4,
            )
        for path in {journal, *(_journal_of(Path(move.target)) for move in moves)}:
            path.unlink(missing_ok=True)


def _recovered(moves: list[Move]) -> str:
    """Finish the moves or remove what cannot be moved; return what a person should know of it."""
    waiting = [move for move in moves if _is(move.temporary, move.inode)]
    moved = [move for move in moves if _is(move.target, move.inode)]
    if len(moved) == len(moves):
        return ""
    if len(waiting) + len(moved) == len(moves):
        _finish(moves)
        return "all are new now"
    for move in waiting:
        Path(move.temporary).unlink()
    return "their contents may not match: run it again" if moved else "none is changed"


def _journal_of(target: Path) -> Path:
    return target.with_name(f".{target.name}.journal")


def _read(journal: Path) -> list[Move]:
    """Return what a journal lists; nothing if the run was killed while it wrote it."""
    try:
        moves = [Move(**move) for move in json.loads(journal.read_bytes())]
        return moves if all(map(_is_ours, moves)) else []
    except (ValueError, TypeError):
        return []


def _is_ours(move: Move) -> bool:
    """Whether a move is from a temporary name to its target.

    Others may write to the folder of the journal; it must not move or remove any other file.
    """
    folder, name = os.path.split(move.target)
    before, temporary = os.path.split(move.temporary)
    prefix, ending = f".{name}.", ".tmp"
    return before == folder and temporary.startswith(prefix) and temporary.endswith(ending)


def _finish(moves: list[Move]) -> None:
    for move in moves:
        if _is(move.temporary, move.inode):
            os.replace(move.temporary, move.target)
    for folder in {os.path.dirname(move.target) for move in moves}:
        sync_folder(folder)


def _is(path: str, inode: int) -> bool:
    try:
        return os.stat(path).st_ino == inode
    except OSError:
        return False


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Make renames in a folder last through a power failure, where the system can."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

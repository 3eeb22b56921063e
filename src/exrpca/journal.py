"""Several files that take their places together, even if the process is killed in between.

Each file is first complete under a temporary name. Then a journal next to each target lists all of
them, then they are renamed, then the journals are removed. A run that finds a journal that no
living process holds finishes what it lists.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import warnings
from pathlib import Path
from typing import NamedTuple

from exrpca.locks import is_abandoned, open_locked


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
    """Rename all files; if the journals cannot be written, rename none and remove the files."""
    with contextlib.ExitStack() as held:
        try:
            for move in moves:
                _write_journal(Path(move.target), moves, held)
        except BaseException:
            for move in moves:
                _journal_of(Path(move.target)).unlink(missing_ok=True)
                Path(move.temporary).unlink(missing_ok=True)
            raise
        try:
            _finish(moves)
        except BaseException:  # Ctrl-C in between; if it fails again, the journals stay
            _finish(moves)
            raise
        for move in moves:
            _journal_of(Path(move.target)).unlink(missing_ok=True)


def _write_journal(target: Path, moves: list[Move], held: contextlib.ExitStack) -> None:
    """Write the journal next to a target, locked until `held` is closed."""
    descriptor = open_locked(_journal_of(target))
    if descriptor is None:
        raise BlockingIOError(errno.EAGAIN, "another process is replacing this file", str(target))
    held.callback(os.close, descriptor)
    os.truncate(descriptor, 0)
    os.write(descriptor, json.dumps([move._asdict() for move in moves]).encode())
    os.fsync(descriptor)


def recover(target: Path) -> None:
    """Finish what a killed run left half done at a target, and say so."""
    journal = _journal_of(target)
    if not journal.exists() or not is_abandoned(journal):
        return
    moves = _read(journal)
    waiting = [move for move in moves if _is(move.temporary, move.inode)]
    moved = [move for move in moves if _is(move.target, move.inode)]
    if len(moved) < len(moves):
        if len(waiting) + len(moved) == len(moves):
            _finish(moves)
            state = "all are new now"
        else:
            for move in waiting:
                Path(move.temporary).unlink()
            state = "their contents may not match: run it again" if moved else "none is changed"
        names = " and ".join(Path(move.target).name for move in moves)
        warnings.warn(
            f"{target}: an earlier run was killed while it replaced {names}: {state}",
            InterruptedOutputWarning,
            stacklevel=3,
        )
    for path in {journal, *(_journal_of(Path(move.target)) for move in moves)}:
        path.unlink(missing_ok=True)


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

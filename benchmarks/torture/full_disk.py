"""A disk that fills up at several points: one line, exit code 1, nothing lost.

Each command runs in a namespace of its own with a small disk mounted on the folder `disk`. Where
the system forbids that, the attack is skipped.
"""

from __future__ import annotations

import collections
import ctypes
import importlib
import os
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.harness import SkippedError
from benchmarks.torture import children
from benchmarks.torture.commands import task, write_inputs

_CLONE_NEWNS, _CLONE_NEWUSER = 0x20000, 0x10000000
_OLD = "what was there before\n"
_SIZE = 64 << 20
_ROOM_FOR_ALL_BUT_THE_LAST = -1  # of the outputs


class Point(NamedTuple):
    """A command whose outputs are on the small disk, and how many bytes are free there."""

    arguments: list[str]
    outputs: list[str]
    free: int
    resume: tuple[str, ...] = ()
    state: str = ""  # a folder that keeps the state, elsewhere


def _converted(name: str, free: int) -> Point:
    return Point(["convert", "in.parquet", f"disk/{name}"], [f"disk/{name}"], free)


def _trained(free: int, *, linked: bool = False) -> Point:
    output = "link.parquet" if linked else "disk/out.parquet"
    settings = ["--dim", "60", "--threads", "1", "--min-count", "1", "--epochs", "1"]
    arguments = ["train", "text.txt", "-o", output, *settings]
    return Point(
        arguments, [output], free, ("--resume",), "link.parquet.training" if linked else ""
    )


_MERGE = ["merge", "in.parquet", "-o", "disk/out.parquet", "--map", "disk/map.csv"]
_THREE = [f"disk/out_{role}.vec" for role in ("local", "context", "global")]
POINTS = {
    "convert, text": _converted("out.vec", 200_000),
    "convert, compressed text": _converted("out.vec.gz", 200_000),
    "convert, native": _converted("out.parquet", 200_000),
    "convert, the last of three files": Point(
        ["convert", "whole.parquet", _THREE[0]], _THREE, _ROOM_FOR_ALL_BUT_THE_LAST
    ),
    "merge, the map": Point(
        _MERGE, ["disk/out.parquet", "disk/map.csv"], _ROOM_FOR_ALL_BUT_THE_LAST
    ),
    "train, the text as numbers": _trained(200_000),
    "train, the state": _trained(700_000),
    "train, the vectors": _trained(20_000, linked=True),
}


def attack(points: Collection[str] = tuple(POINTS)) -> dict[str, Any]:
    """Run a command at each point; then make room, and run it again."""
    for module in ("exrpca.cli.main", "exrpca.senses.formats", "exrpca.cleaning"):
        importlib.import_module(module)
    failures: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder)
        (folder / "disk").mkdir()
        (folder / "link.parquet").symlink_to("disk/out.parquet")
        log = folder / "log"
        if children.wait(children.start(lambda: _mount(folder), log), log).code != 0:
            raise SkippedError("needs to mount in a user namespace, which is not possible here")
        for point in points:
            if failure := _failure_at(folder, POINTS[point]):
                failures[f"{point}: {failure}"] += 1
    return {
        "tries": len(points),
        "survived": len(points) - sum(failures.values()),
        "failures": dict(failures),
    }


def _failure_at(folder: Path, point: Point) -> str:
    """Run a command in a process that has the small disk; return what went wrong."""
    log, report = folder / "log", folder / "report"
    if point.free == _ROOM_FOR_ALL_BUT_THE_LAST:
        point = point._replace(free=_size_of_all_but_the_last(folder, point) + 8192)

    def attacked() -> None:
        report.write_text(_attacked(folder, point))

    ended = children.wait(children.start(attacked, log), log)
    if ended.code != 0:
        return f"the attack itself failed: {ended.stderr[-300:]}"
    return report.read_text()


def _size_of_all_but_the_last(folder: Path, point: Point) -> int:
    """Return the size of the outputs but the last, from a run with enough room."""
    log = folder / "log"
    (folder / "elsewhere").mkdir(exist_ok=True)
    arguments = [part.replace("disk/", "elsewhere/") for part in point.arguments]
    children.wait(children.start(task(folder, arguments), log), log)
    return sum(
        (folder / output.replace("disk/", "elsewhere/")).stat().st_size
        for output in point.outputs[:-1]
    )


def _attacked(folder: Path, point: Point) -> str:
    """Run the command on a full disk, then on one with room; return what went wrong."""
    _mount(folder)
    os.chdir(folder)
    for output in point.outputs:
        Path(output).write_text(_OLD)
    _fill(point.free)
    code, stderr = _run(point.arguments)
    return _failure(point, code, stderr)


def _failure(point: Point, code: int, stderr: str) -> str:
    """Return what is wrong after a command met a full disk, and after it ran again."""
    if code != 1:
        return f"exit code {code}"
    if stderr.count("\n") != 1 or not ("No space left" in stderr or "are free" in stderr):
        return "not one line about the full disk"
    # an output, or the folder of the state, which is named after it
    if not any(output in stderr for output in point.outputs) or len(stderr) > 300:
        return "does not name the file, or is too long"
    if any(Path(output).read_text() != _OLD for output in point.outputs):
        return "an output is changed"
    left = {path.name for path in Path("disk").iterdir()} - {
        "filler", *(os.path.basename(os.path.realpath(output)) for output in point.outputs)
    }  # fmt: skip
    if left:
        return f"left behind: {', '.join(sorted(left))}"
    if point.state and not Path(point.state, "checkpoint.npz").exists():
        return "the state is lost"
    Path("disk/filler").unlink()
    code, stderr = _run([*point.arguments, *point.resume])
    if code != 0:
        return f"cannot be run again: {stderr!r}"
    is_new = all(Path(output).read_bytes() != _OLD.encode() for output in point.outputs)
    return "" if is_new else "an output is not written"


def _run(arguments: list[str]) -> tuple[int, str]:
    """Run a command in this process; return its exit code and what it says."""
    with tempfile.TemporaryFile("w+") as stderr:
        before, sys.stderr = sys.stderr, stderr
        try:
            children.command([*arguments, "--quiet"])()
            code = 0
        except SystemExit as exit:
            code = exit.code if isinstance(exit.code, int) else 0
        finally:
            sys.stderr = before
        stderr.seek(0)
        return code, stderr.read()


def _fill(free: int) -> None:
    disk = os.statvfs("disk")
    n_bytes = max(0, disk.f_bavail * disk.f_bsize - free)
    with open("disk/filler", "wb") as file:
        file.write(bytes(n_bytes))


def _mount(folder: Path) -> None:
    """Mount an empty disk that only this process sees; it goes with the process."""
    libc = ctypes.CDLL(None, use_errno=True)
    uid, gid = os.getuid(), os.getgid()
    if libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"0 {uid} 1")
    Path("/proc/self/gid_map").write_text(f"0 {gid} 1")
    options = f"size={_SIZE}".encode()
    if libc.mount(b"none", os.fsencode(folder / "disk"), b"tmpfs", 0, options) != 0:
        raise OSError(ctypes.get_errno(), "mount")

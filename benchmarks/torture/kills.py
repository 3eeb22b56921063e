"""Commands killed at random moments: every output is whole or untouched, every run can go on."""

from __future__ import annotations

import collections
import importlib
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.torture import children
from benchmarks.torture.commands import COMMANDS, Attacked, task, write_inputs

_OLD = b"what was there before\n"

# Loaded before the processes are forked, so that they are killed at work and not while importing.
_MODULES = (
    *("exrpca.cli.main", "exrpca.senses", "exrpca.senses.formats", "exrpca.cleaning"),
    *("exrpca.training", "exrpca.contextual", "onnxruntime", "tokenizers"),
)

# Two renames take less than that; a kill that is aimed at them comes within it.
_SECONDS_OF_RENAMES = 100e-6

# Most aimed kills come too late.
_MOST_DRAWS_PER_KILL = 100


LEFT = _OLD_LEFT, _NEW_LEFT, _BOTH_LEFT = "old output", "new output", "old and new"


class Kill(NamedTuple):
    """What a kill left, and what went wrong, if anything."""

    left: str
    failure: str = ""


class Reference(NamedTuple):
    """An undisturbed run: its outputs, all files after it, and how long it took."""

    outputs: list[bytes]
    files: set[str]
    seconds: float


def attack(n_kills: int, seed: int = 0) -> dict[str, Any]:
    """Kill commands at random moments, and run each again."""
    for module in _MODULES:
        importlib.import_module(module)
    random = np.random.default_rng(seed)
    kills: dict[str, list[Kill]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder)
        for number, (command, attacked) in enumerate(COMMANDS.items()):
            n_here = len(range(number, n_kills, len(COMMANDS)))
            kills[command] = list(_killed(folder, attacked, n_here, random)) if n_here else []
    everything = [kill for found in kills.values() for kill in found]
    failures = collections.Counter(kill.failure for kill in everything if kill.failure)
    return {
        "tries": len(everything),
        "survived": len(everything) - sum(failures.values()),
        "failures": dict(failures),
        "commands": {
            command: dict(collections.Counter(kill.left for kill in found))
            for command, found in kills.items()
        },
    }


def _killed(
    folder: Path, attacked: Attacked, n_kills: int, random: np.random.Generator
) -> Iterator[Kill]:
    """Kill a command several times; runs that end before they are killed do not count."""
    reference = _undisturbed(folder, attacked)
    done = 0
    for _ in range(_MOST_DRAWS_PER_KILL * n_kills):
        # commands with several outputs: every other kill comes while they are renamed
        aimed = len(attacked.outputs) > 1 and done % 2 == 1
        kill = _killed_once(folder, attacked, reference, random.uniform(), aimed=aimed)
        if kill is not None:
            done += 1
            yield kill
        if done == n_kills:
            return
    raise RuntimeError(f"{attacked.arguments}: nearly all runs ended before they were killed")


def _undisturbed(folder: Path, attacked: Attacked) -> Reference:
    log = folder / "log"
    for _ in range(2):  # the first one compiles
        start = time.monotonic()
        ended = children.wait(children.start(task(folder, attacked.arguments), log), log)
        seconds = time.monotonic() - start
        if ended.code != 0:
            raise RuntimeError(f"{attacked.arguments}: {ended.stderr}")
    outputs = [(folder / name).read_bytes() for name in attacked.outputs]
    return Reference(outputs, {path.name for path in folder.iterdir()}, seconds)


def _killed_once(
    folder: Path, attacked: Attacked, reference: Reference, moment: float, *, aimed: bool
) -> Kill | None:
    """Kill a command at a moment between 0 and 1, and run it again; None if it had ended."""
    log = folder / "log"
    outputs = [folder / name for name in attacked.outputs]
    for output in outputs:
        output.write_bytes(_OLD)
    child = children.start(task(folder, attacked.arguments), log)
    due = (
        _after_the_first_rename(outputs[0], moment * _SECONDS_OF_RENAMES)
        if aimed
        else _after(moment * reference.seconds)
    )
    ended = children.wait(child, log, kill_when=due, pause=0 if aimed else 0.0005)
    if ended.code == 0:
        return None
    if ended.code != -signal.SIGKILL:
        return Kill("", failure=f"failed by itself: {ended.stderr.strip()[:200]}")
    contents = [output.read_bytes() for output in outputs]
    if any(one not in (_OLD, new) for one, new in zip(contents, reference.outputs, strict=True)):
        return Kill("damaged", failure="an output is damaged")
    n_new = sum(content != _OLD for content in contents)
    left = {0: _OLD_LEFT, len(outputs): _NEW_LEFT}.get(n_new, _BOTH_LEFT)
    return Kill(left, _run_again(folder, attacked, reference, left))


def _after(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def _after_the_first_rename(output: Path, seconds: float) -> Callable[[], bool]:
    before = output.stat().st_ino

    def due() -> bool:
        if os.stat(output).st_ino == before:
            return False
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass
        return True

    return due


def _run_again(folder: Path, attacked: Attacked, reference: Reference, left: str) -> str:
    """Run a killed command again; return what went wrong."""
    log = folder / "log"
    again = [*attacked.arguments, *attacked.resume]
    ended = children.wait(children.start(task(folder, again), log), log)
    if ended.code != 0:
        return f"cannot be run again: {ended.stderr.strip()[:200]}"
    if [(folder / name).read_bytes() for name in attacked.outputs] != reference.outputs:
        return "another result"
    if left == _BOTH_LEFT and "killed while it replaced" not in ended.stderr:
        return "half done, and nobody says so"
    extra = {path.name for path in folder.iterdir()} - reference.files
    return f"left behind: {', '.join(sorted(extra))}" if extra else ""

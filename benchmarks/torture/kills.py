"""Commands killed at random moments: every output is whole or untouched, every run can go on."""

from __future__ import annotations

import collections
import importlib
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.torture import children
from benchmarks.torture.commands import COMMANDS, Attacked, task, write_inputs

_OLD = b"what was there before\n"

# Loaded before the processes are forked, so that they are killed at work and not while importing.
_MODULES = (
    *("exrpca.cli.main", "exrpca.senses", "exrpca.senses.formats", "exrpca.cleaning"),
    *("exrpca.training", "exrpca.contextual", "onnxruntime", "tokenizers"),
)


def attack(n_kills: int, seed: int = 0) -> dict[str, Any]:
    """Kill so many commands, and run each again."""
    for module in _MODULES:
        importlib.import_module(module)
    random = np.random.default_rng(seed)
    outcomes: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder)
        for number, (command, attacked) in enumerate(COMMANDS.items()):
            n_here = len(range(number, n_kills, len(COMMANDS)))
            if n_here:
                found = _attack_command(folder, attacked, n_here, random)
                outcomes += [(command, outcome) for outcome in found]
    failures = collections.Counter(outcome for _, outcome in outcomes if outcome not in _GOOD)
    return {
        "tries": len(outcomes),
        "survived": len(outcomes) - sum(failures.values()),
        "failures": dict(failures),
        "commands": {
            command: dict(collections.Counter(o for c, o in outcomes if c == command))
            for command in COMMANDS
        },
    }


_GOOD = ("untouched", "complete", "half done, finished by the next run, which says so")


def _attack_command(
    folder: Path, attacked: Attacked, n_kills: int, random: np.random.Generator
) -> list[str]:
    log = folder / "log"
    children.wait(children.start(task(folder, attacked.arguments), log), log)  # compiles
    start = time.monotonic()
    ended = children.wait(children.start(task(folder, attacked.arguments), log), log)
    seconds = time.monotonic() - start
    if ended.code != 0:
        raise RuntimeError(f"{attacked.arguments}: {ended.stderr}")
    expected = [(folder / name).read_bytes() for name in attacked.outputs]
    before = {path.name for path in folder.iterdir()}
    return [
        _killed_once(folder, attacked, expected, before, seconds * random.uniform() ** 0.5)
        for _ in range(n_kills)
    ]


def _killed_once(
    folder: Path, attacked: Attacked, expected: list[bytes], before: set[str], after: float
) -> str:
    log = folder / "log"
    outputs = [folder / name for name in attacked.outputs]
    for output in outputs:
        output.write_bytes(_OLD)
    children.wait(children.start(task(folder, attacked.arguments), log), log, kill_after=after)
    contents = [output.read_bytes() for output in outputs]
    if contents == [_OLD] * len(outputs):
        state = "untouched"
    elif contents == expected:
        state = "complete"
    elif all(content in (_OLD, whole) for content, whole in zip(contents, expected, strict=True)):
        state = "half done, finished by the next run, which says so"
    else:
        return "an output is damaged"
    again = [*attacked.arguments, *attacked.resume]
    ended = children.wait(children.start(task(folder, again), log), log)
    if ended.code != 0:
        return f"cannot be run again: {ended.stderr.strip()[:200]}"
    if [output.read_bytes() for output in outputs] != expected:
        return "another result"
    if state not in ("untouched", "complete") and "killed while it replaced" not in ended.stderr:
        return "half done, and nobody says so"
    left = {path.name for path in folder.iterdir()} - before
    return f"left behind: {', '.join(sorted(left))}" if left else state

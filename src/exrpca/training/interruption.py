"""Ctrl-C and SIGTERM as a wish to stop at the next safe place."""

from __future__ import annotations

import signal
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from types import FrameType
from typing import Any


class TrainingStopped(KeyboardInterrupt):
    """Training was stopped by a signal; its state is saved.

    Parameters
    ----------
    signal : signal.Signals
        The signal that came.
    folder : Path
        Where the state is.
    """

    def __init__(self, signal: signal.Signals, folder: Path) -> None:
        super().__init__(f"stopped by {signal.name}; the state is in {folder}")
        self.signal = signal
        self.folder = folder


class Interruption(AbstractContextManager["Interruption"]):
    """While the block runs, SIGINT and SIGTERM are noted instead of ending the process.

    Parameters
    ----------
    listen : bool
        False leaves the signals alone.

    Attributes
    ----------
    signal : signal.Signals or None
        The signal that came.

    Notes
    -----
    Outside the main thread, where Python allows no signal handlers, nothing is noted.
    """

    def __init__(self, *, listen: bool) -> None:
        self._listen = listen
        self.signal: signal.Signals | None = None
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interruption:
        if self._listen and threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, _: FrameType | None) -> None:
        self.signal = signal.Signals(number)

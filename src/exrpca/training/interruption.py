"""Ctrl-C and SIGTERM as a request to stop once the state can be saved."""

from __future__ import annotations

import signal
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from types import FrameType
from typing import Any

from exrpca.training.run_folder import RunFolder


class TrainingStopped(KeyboardInterrupt):
    """Training was stopped by a signal; its state is saved.

    Parameters
    ----------
    signal : signal.Signals
        The signal that was received.
    folder : Path or None
        Where the state is; None if nothing was trained yet.

    Examples
    --------
    >>> from pathlib import Path
    >>> print(TrainingStopped(signal.SIGTERM, Path("senses.parquet.training")))
    stopped by SIGTERM; the state is in senses.parquet.training
    """

    def __init__(self, signal: signal.Signals, folder: Path | None) -> None:
        state = "nothing was trained yet" if folder is None else f"the state is in {folder}"
        super().__init__(f"stopped by {signal.name}; {state}")
        self.signal = signal
        self.folder = folder


class Interruption(AbstractContextManager["Interruption"]):
    """While the block runs, SIGINT and SIGTERM do not end the process.

    They raise `TrainingStopped`, which lets the run clean up. After `wait` they are only recorded,
    so that the run can stop where its state can be saved.

    Parameters
    ----------
    folder : RunFolder
        The folder of the run. If it keeps no checkpoints, signals are not handled.

    Attributes
    ----------
    signal : signal.Signals or None
        The signal that was received.

    Notes
    -----
    Python allows signal handlers only in the main thread; in other threads nothing is recorded.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._waits = False
        self.signal: signal.Signals | None = None
        self._before: dict[signal.Signals, Any] = {}

    def wait(self) -> None:
        """From now on record signals and do not raise."""
        self._waits = True

    def raise_if_stopped(self) -> None:
        """Raise `TrainingStopped` if a signal was received."""
        if self.signal is not None:
            folder = self._folder
            raise TrainingStopped(self.signal, folder.path if folder.has_checkpoint else None)

    def __enter__(self) -> Interruption:
        main = threading.current_thread() is threading.main_thread()
        if self._folder.keeps_checkpoints and main:
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._record)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _record(self, number: int, _: FrameType | None) -> None:
        self.signal = signal.Signals(number)
        if not self._waits:
            self.raise_if_stopped()

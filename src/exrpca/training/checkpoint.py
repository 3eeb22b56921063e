"""Stopping and resuming: the state of an unfinished run, and signals that ask for it."""

from __future__ import annotations

import shutil
import signal
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import numpy as np

from exrpca.errors import InputError
from exrpca.files import atomic_path
from exrpca.run_folder import RunFolder
from exrpca.training.kernel import Weights
from exrpca.training.vocabulary import TOKENS_FILE, VOCABULARY_FILE


class TrainingFolder(RunFolder):
    """The numbered text of a run and its last checkpoint."""

    ending = "training"
    state_file = "checkpoint.npz"
    own_files = rf"{TOKENS_FILE}|{VOCABULARY_FILE}|checkpoint\.npz"

    def check_room(self, weights: Weights) -> None:
        """Raise `InputError` if the disk has no room for the state that will have to be saved."""
        # a checkpoint replaces the last one once it is complete: two are there at that time
        needed = 2 * sum(array.nbytes for array in weights)
        free = shutil.disk_usage(self.path).free
        if free < needed:
            raise InputError(
                f"the state of the run needs {needed / 1e6:,.1f} MB, but only {free / 1e6:,.1f} MB "
                "of the disk are free: free some, or write elsewhere",
                path=self.path,
            )

    def save(self, weights: Weights, done: int) -> None:
        """Write a checkpoint; it replaces the last one once it is complete."""
        state = self.path / self.state_file
        with atomic_path(state) as temporary, temporary.open("wb") as file:
            np.savez(file, done=done, **weights._asdict())

    def load(self) -> tuple[Weights, int]:
        """Return the arrays and the number of chunks they have been trained on."""
        state = self.path / self.state_file
        try:
            with np.load(state, allow_pickle=False) as saved:
                arrays = {name: saved[name] for name in Weights._fields}
                return Weights(**arrays), int(saved["done"])
        except (KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
            problem = f"not a checkpoint ({error}): delete the folder to start over"
            raise InputError(problem, path=state) from None


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


class Interruption:
    """SIGINT and SIGTERM as a request to stop.

    At first they raise `TrainingStopped` at once, so that the run can clean up. Once `waits` is
    set they are only recorded, so that the run can stop where its state can be saved.

    Parameters
    ----------
    folder : TrainingFolder

    Attributes
    ----------
    waits : bool
    signal : signal.Signals or None
        The signal that was received.
    """

    def __init__(self, folder: TrainingFolder) -> None:
        self._folder = folder
        self.waits = False
        self.signal: signal.Signals | None = None

    def raise_if_stopped(self) -> None:
        """Raise `TrainingStopped` if a signal was received."""
        if self.signal is not None:
            folder = self._folder
            raise TrainingStopped(self.signal, folder.path if folder.can_resume else None)

    def _record(self, number: int, _: FrameType | None) -> None:
        self.signal = signal.Signals(number)
        if not self.waits:
            self.raise_if_stopped()

    @contextmanager
    def handled(self) -> Iterator[None]:
        """Handle the signals while the block runs; Python allows it only in the main thread."""
        is_main = threading.current_thread() is threading.main_thread()
        numbers = (signal.SIGINT, signal.SIGTERM) if is_main else ()
        before = {number: signal.signal(number, self._record) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

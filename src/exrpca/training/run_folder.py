"""The folder next to the output where an unfinished run keeps its state."""

from __future__ import annotations

import json
import shutil
import zipfile
from dataclasses import asdict
from pathlib import Path

import numpy as np

from exrpca.errors import InputError
from exrpca.files import atomic_path, naming_full_disk
from exrpca.training.kernel import Weights
from exrpca.training.settings import Settings
from exrpca.training.vocabulary import TOKENS_FILE, VOCABULARY_FILE

_STATE_FILE = "checkpoint.npz"
_SOURCES_FILE = "sources.json"
_FILES = (TOKENS_FILE, VOCABULARY_FILE, _SOURCES_FILE, _STATE_FILE)


class RunFolder:
    """The state of an unfinished run: the numbered text and a checkpoint.

    Parameters
    ----------
    path : Path
    keeps_checkpoints : bool, default True
        False if the folder is removed with the run in any case.
    """

    def __init__(self, path: Path, *, keeps_checkpoints: bool = True) -> None:
        self.path = path
        self.keeps_checkpoints = keeps_checkpoints
        self._state = path / _STATE_FILE

    @classmethod
    def beside(cls, output: Path) -> RunFolder:
        """Return the folder of the run that writes `output`."""
        return cls(output.with_name(f"{output.name}.training"))

    @property
    def has_checkpoint(self) -> bool:
        """Whether there is a state to continue from."""
        return self._state.is_file()

    def check_own(self) -> None:
        """Raise `InputError` if the folder contains anything that no run wrote."""
        for path in self._content():
            if not _is_own(path.name):
                raise InputError(
                    f"contains {path.name}, which no training run wrote: move it elsewhere, the "
                    "folder is for the state of a run",
                    path=self.path,
                )

    def make(self, sources: list[str] | None) -> None:
        """Create the folder for a run; remove what an earlier run left there.

        Parameters
        ----------
        sources : list of str or None
            The files of the text; None if they are unknown.
        """
        self.remove()
        self.path.mkdir()
        with naming_full_disk(self.path / _SOURCES_FILE):
            (self.path / _SOURCES_FILE).write_text(json.dumps(sources), encoding="utf-8")

    def check_room(self, weights: Weights) -> None:
        """Raise `InputError` if the disk has no room for the state that will have to be saved."""
        # a checkpoint replaces the last one once it is complete: two are there at that time
        needed = 2 * sum(array.nbytes for array in weights)
        free = shutil.disk_usage(self.path).free
        if self.keeps_checkpoints and free < needed:
            raise InputError(
                f"the state of the run needs {needed / 1e6:,.1f} MB, but only {free / 1e6:,.1f} MB "
                "of the disk are free: free some, or write elsewhere",
                path=self.path,
            )

    def remove(self) -> None:
        """Remove what runs wrote, and the folder unless it contains anything else."""
        for path in self._content():
            if _is_own(path.name):
                path.unlink()
        if self.path.is_dir() and not self._content():
            self.path.rmdir()

    def _content(self) -> list[Path]:
        return sorted(self.path.iterdir()) if self.path.is_dir() else []

    def save(self, weights: Weights, done: int, settings: Settings) -> None:
        """Write a checkpoint; it replaces the last one once it is complete."""
        with atomic_path(self._state) as temporary, temporary.open("wb") as file:
            np.savez(file, done=done, settings=json.dumps(asdict(settings)), **weights._asdict())

    def check_sources(self, sources: list[str] | None) -> None:
        """Raise `InputError` if the run is known to have started with another text."""
        first = json.loads((self.path / _SOURCES_FILE).read_text(encoding="utf-8"))
        if first is not None and sources is not None and first != sources:
            raise InputError(
                f"the run started with {', '.join(first)}, not {', '.join(sources)}: resume "
                "with the same text, or delete the folder to start over",
                path=self.path,
            )

    def load(self, settings: Settings) -> tuple[Weights, int]:
        """Return the arrays and the number of chunks they have been trained on.

        Raises
        ------
        InputError
            If the run started with other settings or by another version, or the file is damaged.
        """
        try:
            with np.load(self._state, allow_pickle=False) as saved:
                started_with = json.loads(str(saved["settings"]))
                _check_same(started_with, asdict(settings), self.path)
                arrays = {name: saved[name] for name in Weights._fields}
                return Weights(**arrays), int(saved["done"])
        except (KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
            if isinstance(error, InputError):
                raise
            problem = f"not a checkpoint ({error}): delete the folder to start over"
            raise InputError(problem, path=self._state) from None


def _is_own(name: str) -> bool:
    # a killed process leaves the temporary file of `atomic_path`
    unfinished = name.endswith(".tmp") and name.startswith(tuple(f".{own}." for own in _FILES))
    return name in _FILES or unfinished


def _check_same(first: dict[str, object], now: dict[str, object], folder: Path) -> None:
    if first.keys() != now.keys():
        raise InputError(
            "the run was started by another version of exrpca, with other settings: resume with "
            "that version, or delete the folder to start over",
            path=folder,
        )
    for name, value in now.items():
        if first[name] != value:
            raise InputError(
                f"the run started with {name}={first[name]!r}, not {value!r}: resume with the "
                "same settings, or delete the folder to start over",
                path=folder,
            )

"""The folder beside the output where an unfinished run keeps its state."""

from __future__ import annotations

import json
import shutil
import zipfile
from dataclasses import asdict
from pathlib import Path

import numpy as np

from exrpca.errors import InputError
from exrpca.files import atomic_path
from exrpca.training.kernel import Weights
from exrpca.training.settings import Settings

_STATE_FILE = "checkpoint.npz"


class RunFolder:
    """What an unfinished run keeps beside its output: the numbered text and a checkpoint.

    Parameters
    ----------
    path : Path
    keeps_checkpoints : bool, default True
        False for a run whose folder goes with it, whatever happens.
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
        """Whether there is a state to go on from."""
        return self._state.is_file()

    def make(self) -> None:
        """Create the folder, without what an earlier run left there."""
        self.remove()
        self.path.mkdir()

    def remove(self) -> None:
        """Remove the folder and all in it."""
        if self.path.is_dir():
            shutil.rmtree(self.path)

    def save(self, weights: Weights, done: int, settings: Settings) -> None:
        """Write a checkpoint that takes the place of the last one once it is whole."""
        with atomic_path(self._state) as temporary, temporary.open("wb") as file:
            np.savez(file, done=done, settings=json.dumps(asdict(settings)), **weights._asdict())

    def load(self, settings: Settings) -> tuple[Weights, int]:
        """Return the arrays and how many chunks they have seen.

        Raises
        ------
        InputError
            When the run was begun with other settings, or the file is damaged.
        """
        try:
            with np.load(self._state, allow_pickle=False) as saved:
                begun_with = json.loads(str(saved["settings"]))
                _check_same(begun_with, asdict(settings), self._state)
                arrays = {name: saved[name] for name in Weights._fields}
                return Weights(**arrays), int(saved["done"])
        except (KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
            if isinstance(error, InputError):
                raise
            problem = f"is no checkpoint ({error}): train without resuming"
            raise InputError(problem, path=self._state) from None


def _check_same(begun: dict[str, object], now: dict[str, object], path: Path) -> None:
    for name, value in now.items():
        if begun.get(name) != value:
            raise InputError(
                f"the run was begun with {name}={begun.get(name)!r}, not {value!r}: resume with "
                "the same settings, or delete the folder to train anew",
                path=path.parent,
            )

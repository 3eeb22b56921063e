"""The folder beside the output where an unfinished run keeps its state."""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict
from pathlib import Path

import numpy as np

from exrpca.errors import InputError
from exrpca.files import atomic_path
from exrpca.training.kernel import Weights
from exrpca.training.settings import Settings
from exrpca.training.vocabulary import TOKENS_FILE, VOCABULARY_FILE

_STATE_FILE = "checkpoint.npz"
_SOURCES_FILE = "sources.json"
_FILES = (TOKENS_FILE, VOCABULARY_FILE, _SOURCES_FILE, _STATE_FILE)


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

    def check_own(self) -> None:
        """Raise `InputError` if there is anything in the folder that no run wrote."""
        for path in self._content():
            if not _is_own(path.name):
                raise InputError(
                    f"holds {path.name}, which no training run wrote: move it elsewhere, the "
                    "folder is for the state of a run",
                    path=self.path,
                )

    def make(self, sources: list[str] | None) -> None:
        """Create the folder for a run over a text, without what an earlier run left there.

        Parameters
        ----------
        sources : list of str or None
            The files of the text; None if they cannot be known.
        """
        self.remove()
        self.path.mkdir()
        (self.path / _SOURCES_FILE).write_text(json.dumps(sources), encoding="utf-8")

    def remove(self) -> None:
        """Remove what runs wrote, and the folder unless something else came into it."""
        for path in self._content():
            if _is_own(path.name):
                path.unlink()
        if self.path.is_dir() and not self._content():
            self.path.rmdir()

    def _content(self) -> list[Path]:
        return sorted(self.path.iterdir()) if self.path.is_dir() else []

    def save(self, weights: Weights, done: int, settings: Settings) -> None:
        """Write a checkpoint that takes the place of the last one once it is whole."""
        with atomic_path(self._state) as temporary, temporary.open("wb") as file:
            np.savez(file, done=done, settings=json.dumps(asdict(settings)), **weights._asdict())

    def check_sources(self, sources: list[str] | None) -> None:
        """Raise `InputError` if the run is known to have begun with another text."""
        begun = json.loads((self.path / _SOURCES_FILE).read_text(encoding="utf-8"))
        if begun is not None and sources is not None and begun != sources:
            raise InputError(
                f"the run was begun with {', '.join(begun)}, not {', '.join(sources)}: resume "
                "with the same text, or delete the folder to train anew",
                path=self.path,
            )

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


def _is_own(name: str) -> bool:
    # a killed process leaves the file that was to take another's place: see `atomic_path`
    unfinished = name.endswith(".tmp") and name.startswith(tuple(f".{own}." for own in _FILES))
    return name in _FILES or unfinished


def _check_same(begun: dict[str, object], now: dict[str, object], path: Path) -> None:
    for name, value in now.items():
        if begun.get(name) != value:
            raise InputError(
                f"the run was begun with {name}={begun.get(name)!r}, not {value!r}: resume with "
                "the same settings, or delete the folder to train anew",
                path=path.parent,
            )

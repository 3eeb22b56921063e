"""The folder next to an output where an unfinished run keeps what it has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Self

from exrpca.errors import InputError
from exrpca.files import is_stream, naming_full_disk, only_run

_SETTINGS_FILE = "settings.json"


class RunFolder:
    """What a run has done so far, and the settings it started with.

    Subclasses say what else the folder contains.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    ending : str
        What is added to the name of the output.
    state_file : str
        A run can be resumed once this file is there.
    own_files : str
        A pattern for the names of all files but the settings.
    """

    ending: ClassVar[str]
    state_file: ClassVar[str]
    own_files: ClassVar[str]

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def beside(cls, output: Path) -> Self:
        """Return the folder of the run that writes `output`."""
        return cls(output.with_name(f"{output.name}.{cls.ending}"))

    @classmethod
    @contextmanager
    def of_run(cls, output: Path, *, resume: bool) -> Iterator[Self]:
        """Give the folder of a run, which no other run may use while the block runs.

        It is removed at the end if there is nothing to resume.

        Raises
        ------
        InputError
            If the folder contains files of a person, or an unfinished run that is not resumed.
        """
        if is_stream(output):
            raise InputError("is not a file: a run keeps its state next to its output", path=output)
        with only_run(output):
            folder = cls.beside(output)
            for path in folder._content():
                if not folder._is_own(path):
                    raise InputError(
                        f"contains {path.name}, which no run wrote: move it elsewhere, the folder "
                        "is for the state of a run",
                        path=folder.path,
                    )
            if folder.can_resume and not resume:
                raise InputError(
                    "holds an unfinished run: resume it, or delete the folder to start over",
                    path=folder.path,
                )
            try:
                yield folder
            finally:
                if not folder.can_resume:
                    folder.remove()

    @property
    def can_resume(self) -> bool:
        """Whether there is a state to continue from."""
        return (self.path / self.state_file).is_file()

    def make(self, settings: Mapping[str, Any]) -> None:
        """Create the folder for a run with some settings; remove what an earlier run left there."""
        self.remove()
        self.path.mkdir()
        path = self.path / _SETTINGS_FILE
        with naming_full_disk(path):
            path.write_text(json.dumps(settings), encoding="utf-8")

    def remove(self) -> None:
        """Remove what runs wrote, and the folder unless it contains anything else."""
        for path in self._content():
            if self._is_own(path):
                path.unlink()
        if self.path.is_dir() and not self._content():
            self.path.rmdir()

    def check_settings(self, settings: Mapping[str, Any]) -> None:
        """Raise `InputError` if the run is known to have started with other settings or text.

        The text is in `settings["sources"]`, None if it is unknown.
        """
        try:
            first = json.loads((self.path / _SETTINGS_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise InputError(
                "is damaged: delete the folder to start over", path=self.path
            ) from None
        if first.keys() != settings.keys():
            raise InputError(
                "the run was started by another version of exrpca, with other settings: resume "
                "with that version, or delete the folder to start over",
                path=self.path,
            )
        for name, value in settings.items():
            unknown = name == "sources" and None in (first[name], value)
            if first[name] != value and not unknown:
                were, now = (
                    ", ".join(each) if name == "sources" else repr(each)
                    for each in (first[name], value)
                )
                before = were if name == "sources" else f"{name}={were}"
                raise InputError(
                    f"the run started with {before}, not {now}: resume with the same text and "
                    "settings, or delete the folder to start over",
                    path=self.path,
                )

    def _is_own(self, path: Path) -> bool:
        # a killed process leaves the temporary file of `atomic_path`, and its lock
        names = rf"({re.escape(_SETTINGS_FILE)}|{self.own_files})"
        return bool(re.fullmatch(rf"{names}|\.{names}\.([0-9a-f]+\.tmp|lock)", path.name))

    def _content(self) -> list[Path]:
        return sorted(self.path.iterdir()) if self.path.is_dir() else []

"""The folder next to the output where an unfinished encoding keeps what it has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from exrpca.contextual.find import SCHEMA
from exrpca.errors import InputError
from exrpca.files import atomic_path, naming_full_disk
from exrpca.senses.example import Example

# Occurrences per part: what is encoded together and lost by an interruption, a few seconds' work;
# enough of them that batches of like length need little padding.
PART_ROWS = 512

_SETTINGS_FILE = "settings.json"
_FOUND_FILE = "found.parquet"
_MISSING_KEY = b"missing"
# a killed process leaves the temporary file of `atomic_path`
_OWN = re.compile(r"\.?(settings\.json|found\.parquet|part-[0-9]+\.npy)(\.[0-9a-f]+\.tmp)?")


class EncodingFolder:
    """The occurrences that were found, in parts, and the vectors of the parts that are done.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._found = path / _FOUND_FILE

    @classmethod
    def beside(cls, output: Path) -> EncodingFolder:
        """Return the folder of the encoding that writes `output`."""
        return cls(output.with_name(f"{output.name}.encoding"))

    @property
    def can_resume(self) -> bool:
        """Whether there is something to continue from."""
        return self._found.is_file()

    def check_own(self) -> None:
        """Raise `InputError` if the folder contains anything that no encoding wrote."""
        for path in self._content():
            if not _OWN.fullmatch(path.name):
                raise InputError(
                    f"contains {path.name}, which no encoding wrote: move it elsewhere, the "
                    "folder is for what an encoding has done so far",
                    path=self.path,
                )

    def make(self, settings: dict[str, Any]) -> None:
        """Create the folder; remove what an earlier encoding left there."""
        self.remove()
        self.path.mkdir()
        with naming_full_disk(self.path / _SETTINGS_FILE):
            (self.path / _SETTINGS_FILE).write_text(json.dumps(settings), encoding="utf-8")

    def remove(self) -> None:
        """Remove what encodings wrote, and the folder unless it contains anything else."""
        for path in self._content():
            if _OWN.fullmatch(path.name):
                path.unlink()
        if self.path.is_dir() and not self._content():
            self.path.rmdir()

    def check_settings(self, settings: dict[str, Any]) -> None:
        """Raise `InputError` if the encoding is known to have started with other settings."""
        try:
            first = json.loads((self.path / _SETTINGS_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise InputError(
                "is damaged: delete the folder to start over", path=self.path
            ) from None
        for name, value in settings.items():
            if first.get(name) != value and (name != "sources" or None not in (first[name], value)):
                raise InputError(
                    f"the encoding started with {name}={first.get(name)!r}, not {value!r}: resume "
                    "with the same text and settings, or delete the folder to start over",
                    path=self.path,
                )

    def save_found(self, tables: Iterable[pa.Table], missing: list[str]) -> None:
        """Write the occurrences that were found, one group of rows per part.

        Parameters
        ----------
        tables : iterable of Table
        missing : list of str
            The words that never occur.
        """
        schema = SCHEMA.with_metadata({_MISSING_KEY: json.dumps(missing)})
        with (
            atomic_path(self._found) as temporary,
            pq.ParquetWriter(temporary, schema, compression="zstd") as writer,
        ):
            waiting: list[pa.Table] = []
            n_waiting = 0
            for table in tables:
                waiting.append(table)
                n_waiting += len(table)
                if n_waiting >= PART_ROWS:
                    rows = pa.concat_tables(waiting)
                    whole = n_waiting - n_waiting % PART_ROWS
                    writer.write_table(_as(schema, rows.slice(0, whole)), row_group_size=PART_ROWS)
                    waiting, n_waiting = [rows.slice(whole)], n_waiting - whole
            if n_waiting:
                writer.write_table(_as(schema, pa.concat_tables(waiting)))

    def missing(self) -> list[str]:
        """Return the words that never occur."""
        found: list[str] = json.loads(pq.read_schema(self._found).metadata[_MISSING_KEY])
        return found

    def part_sizes(self) -> list[int]:
        """Return the number of occurrences of each part."""
        groups = pq.read_metadata(self._found)
        return [groups.row_group(part).num_rows for part in range(groups.num_row_groups)]

    def found(self, part: int) -> pa.Table:
        """Return the occurrences of a part."""
        with pq.ParquetFile(self._found) as file:
            return file.read_row_group(part)

    def examples(self, part: int) -> list[Example]:
        """Return the sentences of a part."""
        table = self.found(part)
        return list(map(Example, *(table.column(name).to_pylist() for name in Example._fields)))

    def is_done(self, part: int) -> bool:
        """Whether the vectors of a part are saved."""
        return self._part(part).is_file()

    def save(self, part: int, vectors: NDArray[np.float16]) -> None:
        """Save the vectors of a part."""
        with atomic_path(self._part(part)) as temporary, temporary.open("wb") as file:
            np.save(file, vectors)

    def vectors(self, part: int) -> NDArray[np.float16]:
        """Return the vectors of a part that is done."""
        vectors: NDArray[np.float16] = np.load(self._part(part), allow_pickle=False)
        return vectors

    def _part(self, part: int) -> Path:
        return self.path / f"part-{part:06}.npy"

    def _content(self) -> list[Path]:
        return sorted(self.path.iterdir()) if self.path.is_dir() else []


def _as(schema: pa.Schema, table: pa.Table) -> pa.Table:
    return table.replace_schema_metadata(schema.metadata)

"""The folder next to the output where an unfinished encoding keeps what it has."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from exrpca.files import atomic_path
from exrpca.run_folder import RunFolder
from exrpca.senses.example import Example

# Occurrences per part: what is encoded together and lost by an interruption, a few seconds' work;
# enough of them that batches of like length need little padding.
PART_ROWS = 512

_COUNTS_KEY = b"counts"


class EncodingFolder(RunFolder):
    """The occurrences that were found, in parts, and the vectors of the parts that are done."""

    ending = "encoding"
    state_file = "found.parquet"
    own_files = r"found\.parquet|part-[0-9]+\.npy"

    @property
    def _found(self) -> Path:
        return self.path / self.state_file

    def save_found(
        self, schema: pa.Schema, tables: Iterable[pa.Table], counts: Mapping[str, Any]
    ) -> None:
        """Write the occurrences that were found, one group of rows per part.

        Parameters
        ----------
        schema : Schema
        tables : iterable of Table
        counts : mapping
            What is to be said about all occurrences; anything that JSON can hold.
        """
        schema = schema.with_metadata({_COUNTS_KEY: json.dumps(counts)})
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

    def counts(self) -> dict[str, Any]:
        """Return what was said about all occurrences."""
        counts: dict[str, Any] = json.loads(pq.read_schema(self._found).metadata[_COUNTS_KEY])
        return counts

    def columns(self) -> list[str]:
        """Return the columns of what was found."""
        return list(pq.read_schema(self._found).names)

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


def _as(schema: pa.Schema, table: pa.Table) -> pa.Table:
    return table.replace_schema_metadata(schema.metadata)

"""Writing occurrences as Parquet, all at once or as they are encoded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from exrpca.contextual.occurrences import Occurrences
from exrpca.files import atomic_path
from exrpca.senses.formats.output import row_blocks
from exrpca.senses.formats.parquet import OCCURRENCES_KEY

# Large enough to read fast, small enough that one group is little beside the whole.
_GROUP_ROWS = 4096


def write(occurrences: Occurrences, path: str | PathLike[str], *, progress: bool) -> None:
    """Write occurrences as Parquet; see `Occurrences.save`."""
    path = Path(path)
    words = np.array(occurrences.words, dtype=object)
    texts = occurrences.texts
    with open_writer(
        path,
        dim=occurrences.dim,
        dtype=occurrences.vectors.dtype,
        text_columns=() if texts is None else texts.column_names,
        labels=occurrences.labels is not None,
        metadata=occurrences.metadata,
    ) as writer:
        for rows in row_blocks(len(occurrences), _GROUP_ROWS, path, progress=progress):
            columns: dict[str, Any] = {
                "word": pa.array(words[occurrences.word_of[rows]], pa.string())
            }
            if texts is not None:
                block = texts.slice(rows.start, rows.stop - rows.start)
                columns |= dict(zip(block.column_names, block.columns, strict=True))
            if occurrences.labels is not None:
                columns["label"] = pa.array(occurrences.labels[rows])
            writer.add(columns, occurrences.vectors[rows])


class OccurrenceWriter:
    """Writes rows of occurrences to an open Parquet file."""

    def __init__(self, writer: pq.ParquetWriter, schema: pa.Schema) -> None:
        self._writer = writer
        self._schema = schema

    def add(self, columns: Mapping[str, Any], vectors: NDArray[Any]) -> None:
        """Write rows; `columns` has all columns but the vectors."""
        kind = self._schema.field("vector").type
        lists = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), type=kind)
        table = pa.table({**columns, "vector": lists}).select(self._schema.names)
        self._writer.write_table(table.cast(self._schema))


@contextmanager
def open_writer(
    path: Path,
    *,
    dim: int,
    dtype: np.dtype[Any],
    text_columns: Iterable[str],
    labels: bool,
    metadata: Mapping[str, Any],
) -> Iterator[OccurrenceWriter]:
    """Open a Parquet file for occurrences that replaces `path` once it is complete."""
    element = pa.field("element", pa.from_numpy_dtype(dtype), nullable=False)
    fields = {
        "word": pa.string(),
        **{name: pa.string() for name in text_columns},
        **({"label": pa.int64()} if labels else {}),
        "vector": pa.list_(element, dim),
    }
    schema = pa.schema(
        [pa.field(name, kind, nullable=False) for name, kind in fields.items()],
        metadata={OCCURRENCES_KEY: json.dumps(dict(metadata))},
    )
    with (
        atomic_path(path) as temporary,
        pq.ParquetWriter(
            temporary,
            schema,
            # vectors hardly shrink when compressed; text does
            compression={name: "none" if name == "vector" else "zstd" for name in fields},
            use_dictionary=["word", "form", "target"],
            write_page_checksum=True,
            write_statistics=False,
        ) as writer,
    ):
        yield OccurrenceWriter(writer, schema)

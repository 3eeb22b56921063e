"""Writing occurrences as Parquet, all at once or as they are encoded."""

from __future__ import annotations

import json
import os
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
from exrpca.errors import InputError
from exrpca.files import atomic_path, check_output, is_stream
from exrpca.senses.formats.parquet import OCCURRENCES_KEY
from exrpca.senses.formats.text_files import row_blocks

# Large enough to read fast, small enough that one group is little beside the whole.
_GROUP_ROWS = 4096


def check_occurrences_output(
    path: str | PathLike[str], *, other_than: Iterable[str | PathLike[str]] = ()
) -> None:
    """Refuse a path that occurrences could not be written to; to be called before the work.

    Occurrences are written as Parquet, so a name that says something else is refused.

    Examples
    --------
    >>> check_occurrences_output("q.csv")
    Traceback (most recent call last):
        ...
    exrpca.errors.InputError: q.csv: occurrences are written as Parquet: use a name such as
    q.parquet
    """
    path = Path(path)
    if path.suffix != ".parquet" and not is_stream(path):
        raise InputError(
            f"occurrences are written as Parquet: use a name such as {path.stem}.parquet",
            path=path,
        )
    check_output(path, other_than=other_than)


def write(occurrences: Occurrences, path: str | PathLike[str], *, progress: bool) -> None:
    """Write occurrences as Parquet; see `Occurrences.save`."""
    path = Path(path)
    words = np.array(occurrences.words, dtype=object)
    texts = occurrences.texts
    with open_writer(
        path,
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
        ends = np.arange(0, vectors.size + 1, vectors.shape[1], dtype=np.int32)
        lists = pa.ListArray.from_arrays(
            pa.array(ends),
            pa.array(vectors.reshape(-1)),
            type=self._schema.field("vector").type,
        )
        table = pa.table({**columns, "vector": lists}).select(self._schema.names)
        self._writer.write_table(table.cast(self._schema))


@contextmanager
def open_writer(
    path: Path,
    *,
    dtype: np.dtype[Any],
    text_columns: Iterable[str],
    labels: bool,
    metadata: Mapping[str, Any],
) -> Iterator[OccurrenceWriter]:
    """Open a Parquet file for occurrences that replaces `path` once it is complete."""
    check_occurrences_output(path)
    element = pa.field("element", pa.from_numpy_dtype(dtype), nullable=False)
    fields = {
        "word": pa.string(),
        **{name: pa.string() for name in text_columns},
        **({"label": pa.int64()} if labels else {}),
        "vector": pa.list_(element),
    }
    schema = pa.schema(
        [pa.field(name, kind, nullable=False) for name, kind in fields.items()],
        metadata={OCCURRENCES_KEY: json.dumps(dict(metadata))},
    )
    with (
        atomic_path(path) as temporary,
        pa.OSFile(os.fsencode(temporary), "wb") as file,
        pq.ParquetWriter(
            file,
            schema,
            # vectors hardly shrink when compressed; text does
            compression={name: "none" if name == "vector" else "zstd" for name in fields},
            use_dictionary=["word", "form", "target"],
            write_page_checksum=True,
            write_statistics=False,
        ) as writer,
    ):
        yield OccurrenceWriter(writer, schema)

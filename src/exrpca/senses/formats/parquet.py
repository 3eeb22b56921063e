"""The native format, Parquet, and Parquet tables of other origin."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from exrpca.errors import InputError
from exrpca.files import atomic_path, compression_of
from exrpca.progress import progress_bar
from exrpca.senses.formats.assembly import Place
from exrpca.senses.formats.format import Format, ReadOptions, WriteOptions
from exrpca.senses.formats.output import row_blocks
from exrpca.senses.formats.table import Columns, from_batches
from exrpca.senses.sense_vectors import Floats, SenseVectors

_METADATA_KEY = b"exrpca"
# Large enough to read fast, small enough that one group is little beside the whole.
_GROUP_ROWS = 2048
_BATCH_ROWS = 1024


def _read(path: Path, options: ReadOptions) -> SenseVectors:
    place = Place(path)
    if packed := compression_of(path):
        raise InputError(f"Parquet packed as {packed}: unpack it first", path=path)
    try:
        # pre_buffer=False: else a group of rows is held in memory whole
        with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
            columns = Columns(file.schema_arrow.names, place)
            return from_batches(
                _batches(file, columns, path, progress=options.progress),
                columns,
                place=place,
                metadata=_metadata(file.schema_arrow, path),
            )
    except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"not a whole Parquet file ({reason}): fetch it again", path=path
        ) from None


def _batches(
    file: pq.ParquetFile, columns: Columns, path: Path, *, progress: bool
) -> Iterator[pa.RecordBatch]:
    n_rows = file.metadata.num_rows
    done = 0
    with progress_bar(f"Reading {path.name}", n_rows, show=progress) as report:
        for batch in file.iter_batches(_BATCH_ROWS, columns=columns.names, use_threads=False):
            yield batch
            done += batch.num_rows
            report(done, f"{done:,} senses")


def _metadata(schema: pa.Schema, path: Path) -> dict[str, Any]:
    try:
        metadata = json.loads((schema.metadata or {}).get(_METADATA_KEY, b"{}"))
    except ValueError:
        raise InputError("the settings in the schema metadata are not JSON", path=path) from None
    return dict(metadata)


def _write(senses: SenseVectors, path: Path, options: WriteOptions) -> None:
    schema = _schema(senses)
    words = np.array(senses.words, dtype=object)
    n_rows = len(senses.vectors)
    with (
        atomic_path(path) as temporary,
        pq.ParquetWriter(
            # vectors hardly shrink when compressed, and plain ones are read faster
            temporary,
            schema,
            compression="none",
            use_dictionary=["word"],
        ) as writer,
    ):
        for rows in row_blocks(n_rows, _GROUP_ROWS, path, progress=options.progress):
            writer.write_table(pa.table(_columns(senses, words, rows), schema=schema))


def _schema(senses: SenseVectors) -> pa.Schema:
    vector = pa.list_(pa.field("element", pa.float32(), nullable=False), senses.dim)
    fields = [
        pa.field("word", pa.string(), nullable=False),
        pa.field("sense", pa.int32(), nullable=False),
        pa.field("vector", vector, nullable=False),
    ]
    if senses.counts is not None:
        fields.insert(2, pa.field("count", pa.int64(), nullable=False))
    if senses.centers is not None:
        fields.append(pa.field("center", vector, nullable=False))
    if senses.globals is not None:
        fields.append(pa.field("global", vector))
    return pa.schema(fields, metadata={_METADATA_KEY: _settings(senses)})


def _settings(senses: SenseVectors) -> str:
    try:
        return json.dumps(dict(senses.metadata))
    except TypeError as error:
        raise InputError(f"the metadata cannot be written as JSON: {error}") from None


def _columns(senses: SenseVectors, words: Any, rows: slice) -> dict[str, pa.Array]:
    word_of_row = np.searchsorted(senses.offsets, np.arange(rows.start, rows.stop), "right") - 1
    sense = np.arange(rows.start, rows.stop) - senses.offsets[word_of_row]
    columns = {
        "word": _strings(words[word_of_row]),
        "sense": pa.array(sense, pa.int32()),
        "vector": _lists(senses.vectors[rows]),
    }
    if senses.counts is not None:
        columns["count"] = pa.array(senses.counts[rows])
    if senses.centers is not None:
        columns["center"] = _lists(senses.centers[rows])
    if senses.globals is not None:
        columns["global"] = _lists(senses.globals[word_of_row], null=sense > 0)
    return columns


def _strings(words: Any) -> pa.Array:
    try:
        return pa.array(words, pa.string())
    except UnicodeEncodeError as error:
        raise InputError(f"the word {error.object!r} cannot be written in UTF-8") from None


def _lists(rows: Floats, null: Any = None) -> pa.Array:
    kind = pa.list_(pa.field("element", pa.float32(), nullable=False), rows.shape[1])
    mask = None if null is None else pa.array(null)
    return pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), type=kind, mask=mask)


FORMAT = Format(
    name="parquet",
    description="native: everything, bit for bit; also any Parquet table of word, sense, vector",
    recognises=lambda path, head: head.startswith(b"PAR1"),
    read=_read,
    write=_write,
    claims=lambda name: name.endswith(".parquet"),
)

"""The native format, Parquet, and Parquet tables of other origin."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from exrpca.errors import InputError
from exrpca.files import atomic_path, compression_of
from exrpca.senses.example import Example
from exrpca.senses.formats.columns import Columns, extra_columns, own_names
from exrpca.senses.formats.format import Format, Place, ReadOptions, WriteOptions
from exrpca.senses.formats.sense_tables import from_batches
from exrpca.senses.formats.table import open_parquet
from exrpca.senses.formats.text_files import row_blocks
from exrpca.senses.ragged import offsets_of
from exrpca.senses.sense_vectors import OPTIONAL_PARTS, Floats, SenseVectors

# What a native file says about itself, in the metadata of its schema. Revision 1, of version
# 0.1, has the settings alone; revision 2 adds labels, several centers per sense, examples and
# checksums.
_SETTINGS_KEY = b"exrpca"
_REVISION_KEY = b"exrpca.revision"
_CHECKSUM_KEY = b"exrpca.checksum"
_REVISION = 2
# What a file of occurrences has in the same place.
OCCURRENCES_KEY = b"exrpca.occurrences"

# Large enough to read fast, small enough that one group is small compared with the whole.
_GROUP_ROWS = 2048
_BATCH_ROWS = 1024

# Lists of one length, but not of a type that says so: pyarrow before 26 reads no such type that
# has gaps, as the column of global vectors does.
_VECTOR_TYPE = pa.list_(pa.field("element", pa.float32(), nullable=False))
_VECTORS_TYPE = pa.list_(pa.field("element", _VECTOR_TYPE, nullable=False))
_EXAMPLE_TYPE = pa.struct([pa.field(name, pa.string(), nullable=False) for name in Example._fields])
_EXAMPLES_TYPE = pa.list_(pa.field("element", _EXAMPLE_TYPE, nullable=False))


def _read(path: Path, options: ReadOptions) -> SenseVectors:
    place = Place(path)
    if packed := compression_of(path):
        raise InputError(f"is a Parquet file compressed with {packed}: decompress it", path=path)
    with open_parquet(path, progress=options.progress) as file:
        schema = file.schema_arrow
        _check_kind(schema, path)
        metadata = settings_of(schema, _SETTINGS_KEY, path)
        names = own_names(schema.names, options.columns, place)
        own = pa.schema([schema.field(i).with_name(name) for i, name in enumerate(names)])
        columns = Columns(names, place, ["sense", "count", *extra_columns(own)])
        given_names = dict(zip(names, schema.names, strict=True))
        wanted = [given_names[name] for name in columns.names]
        batches = (
            batch.select(wanted).rename_columns(columns.names)
            for batch in file.iter_batches(_BATCH_ROWS, columns=wanted)
        )
        senses = from_batches(batches, columns, place, metadata, file.metadata.num_rows)
    _check_checksum(senses, schema, path)
    return senses


def _entry(schema: pa.Schema, key: bytes, default: bytes) -> bytes:
    return bytes((schema.metadata or {}).get(key, default))


def _check_kind(schema: pa.Schema, path: Path) -> None:
    if OCCURRENCES_KEY in (schema.metadata or {}):
        raise InputError(
            "has the vectors of occurrences, not of senses: exrpca induce finds their senses",
            path=path,
        )
    revision = _entry(schema, _REVISION_KEY, b"1")
    if not revision.isdigit() or len(revision) > 3 or int(revision) > _REVISION:
        raise InputError(
            f"has revision {revision.decode(errors='replace')} of the native format; this version "
            f"of exrpca reads up to {_REVISION}: update exrpca",
            path=path,
        )


def has_senses(schema: pa.Schema) -> bool:
    """Whether a file with this schema is one of the native format."""
    return _SETTINGS_KEY in (schema.metadata or {})


def settings_of(schema: pa.Schema, key: bytes, path: Path) -> dict[str, Any]:
    """Return an entry of the metadata of a schema, which is a JSON object; empty if absent."""
    try:
        settings = json.loads(_entry(schema, key, b"{}"))
    except (ValueError, RecursionError):
        settings = None
    if not isinstance(settings, dict):
        raise InputError("the settings in the schema metadata are not a JSON object", path=path)
    return settings


def _check_checksum(senses: SenseVectors, schema: pa.Schema, path: Path) -> None:
    expected = _entry(schema, _CHECKSUM_KEY, b"").decode(errors="replace")
    if expected and expected != _checksum(senses, _entry(schema, _SETTINGS_KEY, b"")):
        raise InputError(
            "its content does not match its checksum: it is damaged, or another program changed "
            f"it without removing {_CHECKSUM_KEY.decode()} from the schema metadata",
            path=path,
        )


def _checksum(senses: SenseVectors, settings: bytes) -> str:
    """Return a CRC-32 of all but the numbers of the vectors, in hexadecimal digits.

    Parquet's own checksums guard the pages, so the vectors; nothing guards the names of columns,
    the numbers of rows or the settings, which are in the footer. This does, at next to no
    cost. It depends on what is read, not on how the file is laid out.
    """
    parts = [name for name in OPTIONAL_PARTS if getattr(senses, name) is not None]
    crc = zlib.crc32(settings)
    for described in ([parts, senses.vectors.shape], senses.words, senses.labels, senses.examples):
        crc = zlib.crc32(json.dumps(described).encode(), crc)
    for array in (senses.offsets, senses.counts, senses.center_offsets):
        if array is not None:
            crc = zlib.crc32(array.astype("<i8", copy=False).data, crc)
    return f"{crc:08x}"


def _write(senses: SenseVectors, path: Path, options: WriteOptions) -> None:
    schema = _schema(senses)
    words = np.array(senses.words, dtype=object)
    n_rows = len(senses.vectors)
    with (
        atomic_path(path) as temporary,
        pa.OSFile(os.fsencode(temporary), "wb") as file,
        pq.ParquetWriter(
            # vectors hardly shrink when compressed, and plain ones are read faster
            file,
            schema,
            compression="none",
            use_dictionary=["word", "label"],
            write_page_checksum=True,
            # of no use here, and not covered by the checksums
            write_statistics=False,
        ) as writer,
    ):
        for rows in row_blocks(n_rows, _GROUP_ROWS, path, progress=options.progress):
            writer.write_table(pa.table(_columns(senses, words, rows), schema=schema))


def _schema(senses: SenseVectors) -> pa.Schema:
    several = senses.has_several_centers
    fields = {
        "word": pa.string(),
        "sense": pa.int32(),
        "label": pa.string() if senses.labels is not None else None,
        "count": pa.int64() if senses.counts is not None else None,
        "vector": _VECTOR_TYPE,
        "center": _VECTOR_TYPE if senses.centers is not None and not several else None,
        "centers": _VECTORS_TYPE if several else None,
        "global": _VECTOR_TYPE if senses.globals is not None else None,
        "examples": _EXAMPLES_TYPE if senses.examples is not None else None,
    }
    settings = _settings(senses)
    return pa.schema(
        # only the first row of a word has its global vector
        [pa.field(name, kind, nullable=name == "global") for name, kind in fields.items() if kind],
        metadata={
            _SETTINGS_KEY: settings,
            _REVISION_KEY: str(_REVISION),
            _CHECKSUM_KEY: _checksum(senses, settings),
        },
    )


def _settings(senses: SenseVectors) -> bytes:
    try:
        return json.dumps(dict(senses.metadata)).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"the metadata cannot be written as JSON: {error}") from None


def _columns(senses: SenseVectors, words: Any, rows: slice) -> dict[str, pa.Array]:
    word_of_row = np.searchsorted(senses.offsets, np.arange(rows.start, rows.stop), "right") - 1
    sense = np.arange(rows.start, rows.stop) - senses.offsets[word_of_row]
    columns = {
        "word": _strings(words[word_of_row], "word"),
        "sense": pa.array(sense, pa.int32()),
        "vector": _lists(senses.vectors[rows]),
    }
    if senses.labels is not None:
        columns["label"] = _strings(senses.labels[rows], "label")
    if senses.counts is not None:
        columns["count"] = pa.array(senses.counts[rows])
    if senses.has_several_centers:
        columns["centers"] = _lists_of_lists(senses, rows)
    elif senses.centers is not None:
        columns["center"] = _lists(senses.centers[rows])
    if senses.globals is not None:
        columns["global"] = _lists(senses.globals[word_of_row], null=sense > 0)
    if senses.examples is not None:
        columns["examples"] = _examples(senses.examples[rows])
    return columns


def _strings(values: Any, what: str) -> pa.Array:
    try:
        return pa.array(values, pa.string())
    except UnicodeEncodeError as error:
        raise InputError(f"the {what} {error.object!r} cannot be written in UTF-8") from None


def _lists(rows: Floats, null: Any = None) -> pa.Array:
    ends = np.arange(0, rows.size + 1, rows.shape[1], dtype=np.int32)
    if null is not None:  # a list without numbers
        rows = rows[~null]
        ends = np.append(0, np.cumsum(~null, dtype=np.int32) * np.int32(rows.shape[1]))
    return pa.ListArray.from_arrays(
        pa.array(ends),
        pa.array(rows.reshape(-1)),
        type=_VECTOR_TYPE,
        mask=None if null is None else pa.array(null),
    )


def _lists_of_lists(senses: SenseVectors, rows: slice) -> pa.Array:
    assert senses.centers is not None and senses.center_offsets is not None  # noqa: PT018, S101
    offsets = senses.center_offsets[rows.start : rows.stop + 1]
    return pa.ListArray.from_arrays(
        pa.array(offsets - offsets[0], pa.int32()),
        _lists(senses.centers[offsets[0] : offsets[-1]]),
        type=_VECTORS_TYPE,
    )


def _examples(examples: tuple[tuple[Example, ...], ...]) -> pa.Array:
    flat = [example for own in examples for example in own]
    texts = [
        _strings([getattr(example, name) for example in flat], "example")
        for name in Example._fields
    ]
    return pa.ListArray.from_arrays(
        pa.array(offsets_of([len(own) for own in examples]), pa.int32()),
        pa.StructArray.from_arrays(texts, fields=list(_EXAMPLE_TYPE)),
        type=_EXAMPLES_TYPE,
    )


FORMAT = Format(
    name="parquet",
    description="native: keeps everything exactly; also any Parquet table of word, sense, vector",
    recognizes=lambda path, head: head.startswith(b"PAR1"),
    read=_read,
    write=_write,
    endings=(".parquet",),
)

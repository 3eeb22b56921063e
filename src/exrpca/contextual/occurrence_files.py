"""Reading occurrences: Parquet, CSV, NumPy files and data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from exrpca.contextual.occurrences import NO_LABEL, OWN_COLUMNS, TEXT_COLUMNS, Occurrences
from exrpca.errors import InputError
from exrpca.files import open_plain
from exrpca.senses.formats.columns import Columns
from exrpca.senses.formats.format import Place
from exrpca.senses.formats.numpy_files import NUMPY_DAMAGE
from exrpca.senses.formats.parquet import OCCURRENCES_KEY, has_senses, settings_of
from exrpca.senses.formats.table import (
    csv_names,
    frame_table,
    open_csv,
    open_parquet,
    read_rows,
    read_strings,
)

# Rows of a Parquet file in memory at a time.
_BATCH_ROWS = 4096


def read(path: str | PathLike[str], *, progress: bool) -> Occurrences:
    """Return the occurrences in a file; see `Occurrences.load`."""
    path = Path(path)
    with open_plain(path) as file:
        head = file.read(6)
    if head.startswith(b"PAR1"):
        return _read_parquet(path, progress=progress)
    if head.startswith((b"PK", b"\x93NUMPY")):
        return _read_numpy(path)
    return _read_csv(path, progress=progress)


def from_frame(frame: pd.DataFrame) -> Occurrences:
    """Return the occurrences in a data frame; see `Occurrences.from_table`."""
    place = Place("data frame")
    frame = frame.rename(columns=str)
    columns = _columns(frame.columns, place)
    return _from_batches(frame_table(frame, columns.names, place).to_batches(), columns, place)


def _columns(names: Iterable[str], place: Place) -> Columns:
    names = list(names)
    columns = Columns(names, place, hint="expected word and vector (or v0, v1, …)")
    vectors = {name for group in columns.vectors.values() for name in group}
    texts = [name for name in names if name not in (*OWN_COLUMNS, *vectors)]
    known = [name for name in TEXT_COLUMNS if name in texts]
    columns.others = list(dict.fromkeys([*known, *texts])) + ["label"] * names.count("label")
    columns.vectors = {"vector": columns.vectors["vector"]}
    return columns


def _from_batches(
    batches: Iterable[pa.RecordBatch],
    columns: Columns,
    place: Place,
    metadata: Mapping[str, Any] | None = None,
) -> Occurrences:
    found, table = read_rows(batches, columns, place)
    word_of, words = pd.factorize(np.array(read_strings(table, "word", place), dtype=object))
    if word_of.min() < 0:
        raise place.error("no word", int(word_of.argmin()))
    texts = [
        name
        for name in columns.others
        if name != "label" and not pa.types.is_nested(table.schema.field(name).type)
    ]
    try:
        return Occurrences(
            tuple(words),
            word_of,
            found["vector"][1],
            table.select(texts) if texts else None,
            _labels(table.column("label"), place) if "label" in columns.others else None,
            metadata or {},
        )
    except InputError as error:
        raise error if error.path else InputError(error.message, path=place.path) from None


def _labels(column: pa.ChunkedArray, place: Place) -> NDArray[np.int64]:
    if pa.types.is_floating(column.type):  # as pandas writes integers with gaps
        column = pc.if_else(pc.is_nan(column), None, column)
    try:
        labels = pc.fill_null(pc.cast(column, pa.int64()), NO_LABEL)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise InputError(
            f"column label: {error}, expected whole numbers ({NO_LABEL} for none)", path=place.path
        ) from None
    return np.asarray(labels, dtype=np.int64)


def _read_parquet(path: Path, *, progress: bool) -> Occurrences:
    place = Place(path)
    with open_parquet(path, progress=progress) as file:
        schema = file.schema_arrow
        if has_senses(schema):
            raise InputError("has the vectors of senses, not of occurrences", path=path)
        columns = _columns(schema.names, place)
        metadata = settings_of(schema, OCCURRENCES_KEY, path)
        batches = file.iter_batches(_BATCH_ROWS, columns=columns.names)
        return _from_batches(batches, columns, place, metadata)


def _read_csv(path: Path, *, progress: bool) -> Occurrences:
    place = Place(path)
    names = csv_names(path)
    columns = _columns(names, place)
    vectors = columns.vectors["vector"]
    # an empty label is none; an empty text is an empty text
    types = dict.fromkeys(columns.names, pa.string())
    types |= {"label": pa.int64()} if "label" in types else {}
    types |= dict.fromkeys(vectors, pa.float32()) if len(vectors) > 1 else {}
    with open_csv(path, names, types, progress=progress) as batches:
        return _from_batches(batches, columns, place)


def _read_numpy(path: Path) -> Occurrences:
    try:
        loaded = np.load(path, allow_pickle=False, mmap_mode=None)
        if isinstance(loaded, np.ndarray):
            names = loaded.dtype.names
            if names is None:
                return Occurrences.from_arrays([path.stem] * len(loaded), loaded)
            return _from_arrays({name: loaded[name] for name in names}, path)
        with loaded:
            return _from_arrays({name: loaded[name] for name in loaded.files}, path)
    except NUMPY_DAMAGE as error:
        reason = error.message if isinstance(error, InputError) else f"cannot be read ({error})"
        raise InputError(reason, path=path) from None


def _from_arrays(arrays: Mapping[str, NDArray[Any]], path: Path) -> Occurrences:
    columns = _columns(arrays, Place(path))
    texts = {
        name: pa.array(arrays[name].tolist(), pa.large_string())
        for name in columns.others
        if name != "label" and len(arrays[name]) == len(arrays["word"])
    }
    return Occurrences.from_arrays(
        arrays["word"],
        arrays["vector"],
        labels=arrays.get("label"),
        texts=pa.table(texts) if texts else None,
    )

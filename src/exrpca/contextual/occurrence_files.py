"""Reading occurrences: Parquet, CSV, NumPy files and data frames."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from exrpca.contextual.occurrences import NO_LABEL, TEXT_COLUMNS, Occurrences
from exrpca.errors import InputError
from exrpca.files import DECOMPRESSION_ERRORS, CompressedFile, open_plain
from exrpca.progress import progress_bar
from exrpca.senses.formats.arrow_rows import read_vectors
from exrpca.senses.formats.columns import numbered_columns
from exrpca.senses.formats.csv_stream import open_csv
from exrpca.senses.formats.numpy_files import NUMPY_DAMAGE
from exrpca.senses.formats.parquet import OCCURRENCES_KEY, has_senses
from exrpca.senses.formats.place import Place
from exrpca.senses.formats.table import csv_header

# Rows of a Parquet file in memory at a time.
_BATCH_ROWS = 4096
_CSV_BLOCK_BYTES = 1 << 22


def read(path: str | PathLike[str], *, progress: bool) -> Occurrences:
    """Return the occurrences in a file; see `Occurrences.load`."""
    path = Path(path)
    with open_plain(path) as file:
        head = file.read(6)
    if head.startswith(b"PAR1"):
        return _read_parquet(path, progress=progress)
    if head.startswith((b"PK", b"\x93NUMPY")):
        return _read_numpy(path)
    return _read_csv(path)


def from_frame(frame: pd.DataFrame) -> Occurrences:
    """Return the occurrences in a data frame; see `Occurrences.from_table`."""
    place = Place("data frame")
    frame = frame.rename(columns=str)
    vectors = _vector_columns(list(frame.columns), place)
    names = _wanted(list(frame.columns), vectors)
    try:
        table = pa.Table.from_pandas(frame[names], preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise InputError(str(error), path=place.path) from None
    return _from_batches(table.to_batches(), vectors, len(table), place)


# --- tables --------------------------------------------------------------------------------------


def _vector_columns(names: list[str], place: Place) -> list[str]:
    """Return the columns that hold the vector, after checking that there is a word, too."""
    numbered = numbered_columns(names)
    found = ["vector"] if "vector" in names else numbered.get("vector", [])
    if not found and len(numbered) == 1:
        found = next(iter(numbered.values()))
    missing = [] if "word" in names else ["word"]
    missing += [] if found else ["vector"]
    if missing:
        raise InputError(
            f"no column {' and '.join(missing)} among {', '.join(names[:8]) or 'none'}"
            f"{', …' if len(names) > 8 else ''}; expected word and vector (or v0, v1, …)",
            path=place.path,
        )
    for name in ("word", *found):
        if names.count(name) > 1:
            raise InputError(f"the column {name} appears twice", path=place.path)
    return found


def _wanted(names: list[str], vectors: list[str]) -> list[str]:
    optional = [name for name in (*TEXT_COLUMNS, "label") if names.count(name) == 1]
    return ["word", *vectors, *optional]


def _from_batches(
    batches: Iterable[pa.RecordBatch],
    vectors: list[str],
    n_rows: int | None,
    place: Place,
    metadata: Mapping[str, Any] | None = None,
) -> Occurrences:
    rows = _Rows(vectors, n_rows, place)
    for batch in batches:
        rows.add(batch)
    return rows.occurrences(metadata or {})


class _Rows:
    """What has been read of a table so far.

    Parameters
    ----------
    vectors : list of str
        The columns that hold the vector.
    n_rows : int or None
        The number of rows, if it is known: then the vectors are never in memory twice.
    place : Place
    """

    def __init__(self, vectors: list[str], n_rows: int | None, place: Place) -> None:
        self._columns = vectors
        self._n_rows = n_rows
        self._place = place
        self._n = 0
        self._positions: dict[str, int] = {}
        self._word_of: list[NDArray[np.int64]] = []
        self._vectors: list[NDArray[Any]] = []
        self._labels: list[NDArray[np.int64]] = []
        self._texts: list[pa.Table] = []

    def add(self, batch: pa.RecordBatch) -> None:
        """Add the rows of a batch."""
        self._word_of.append(self._numbered_words(batch.column("word")))
        self._add_vectors(_batch_vectors(batch, self._columns, self._n, self._place))
        if "label" in batch.schema.names:
            self._labels.append(_labels(batch.column("label"), self._place))
        texts = [name for name in TEXT_COLUMNS if name in batch.schema.names]
        if texts:
            self._texts.append(_texts(batch, texts))
        self._n += batch.num_rows

    def occurrences(self, metadata: Mapping[str, Any]) -> Occurrences:
        """Return all rows."""
        if not self._n:
            raise InputError("no rows, expected words and their vectors", path=self._place.path)
        vectors = self._vectors
        try:
            return Occurrences(
                tuple(self._positions),
                np.concatenate(self._word_of),
                vectors[0] if len(vectors) == 1 else np.concatenate(vectors),
                pa.concat_tables(self._texts) if self._texts else None,
                np.concatenate(self._labels) if self._labels else None,
                metadata,
            )
        except InputError as error:
            raise InputError(error.message, path=self._place.path) from None

    def _numbered_words(self, column: pa.Array) -> NDArray[np.int64]:
        encoded = column.cast(pa.string()).dictionary_encode()
        if encoded.null_count:
            row = int(np.asarray(encoded.is_null()).argmax())
            raise self._place.error("no word", self._n + row)
        new = self._positions
        here = [new.setdefault(word, len(new)) for word in encoded.dictionary.to_pylist()]
        numbers: NDArray[np.int64] = np.array(here, dtype=np.int64)[encoded.indices.to_numpy()]
        return numbers

    def _add_vectors(self, found: NDArray[Any]) -> None:
        if not len(found):
            return
        if self._vectors and self._vectors[0].shape[1] != found.shape[1]:
            dim = self._vectors[0].shape[1]
            raise self._place.error(f"{found.shape[1]} values, expected {dim}", self._n)
        if self._n_rows is None:
            self._vectors.append(found)
            return
        if not self._vectors:
            self._vectors.append(np.empty((self._n_rows, found.shape[1]), dtype=found.dtype))
        self._vectors[0][self._n : self._n + len(found)] = found


def _batch_vectors(
    batch: pa.RecordBatch, names: list[str], first: int, place: Place
) -> NDArray[Any]:
    column = batch.column(names[0])
    kind = column.type
    if pa.types.is_fixed_size_list(kind) and kind.value_type == pa.float16():
        if column.null_count:
            raise place.error("no vector", first + int(np.asarray(column.is_null()).argmax()))
        # as they are: half precision stays half precision
        values = column.flatten().to_numpy(zero_copy_only=False)
        return np.asarray(values.reshape(len(column), kind.list_size))
    return read_vectors(batch, names, optional=False, first=first, place=place)[1]


def _labels(column: pa.Array, place: Place) -> NDArray[np.int64]:
    if pa.types.is_floating(column.type):  # as pandas writes integers with gaps
        column = pc.if_else(pc.is_nan(column), None, column)
    try:
        labels = pc.fill_null(pc.cast(column, pa.int64()), NO_LABEL)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise InputError(
            f"column label: {error}, expected whole numbers ({NO_LABEL} for none)", path=place.path
        ) from None
    return np.asarray(labels.to_numpy(zero_copy_only=False), dtype=np.int64)


def _texts(batch: pa.RecordBatch, names: list[str]) -> pa.Table:
    return pa.table({name: batch.column(name).cast(pa.large_string()) for name in names})


# --- files ---------------------------------------------------------------------------------------


def _read_parquet(path: Path, *, progress: bool) -> Occurrences:
    place = Place(path)
    try:
        # pre_buffer=False: else a group of rows is held in memory whole
        with pq.ParquetFile(path, pre_buffer=False, page_checksum_verification=True) as file:
            schema = file.schema_arrow
            if has_senses(schema):
                raise InputError("has the vectors of senses, not of occurrences", path=path)
            vectors = _vector_columns(schema.names, place)
            names = _wanted(schema.names, vectors)
            n_rows = file.metadata.num_rows
            with progress_bar(f"Reading {path.name}", n_rows, show=progress) as report:
                batches = _reported(file.iter_batches(_BATCH_ROWS, columns=names), report)
                return _from_batches(batches, vectors, n_rows, place, _metadata(schema, path))
    except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"is damaged or not a complete Parquet file ({reason}): get a fresh copy", path=path
        ) from None


def _reported(batches: Iterable[pa.RecordBatch], report: Any) -> Iterator[pa.RecordBatch]:
    done = 0
    for batch in batches:
        yield batch
        done += batch.num_rows
        report(done, f"{done:,} occurrences")


def _metadata(schema: pa.Schema, path: Path) -> dict[str, Any]:
    try:
        metadata = json.loads((schema.metadata or {}).get(OCCURRENCES_KEY, b"{}"))
    except (ValueError, RecursionError):
        metadata = None
    if not isinstance(metadata, dict):
        raise InputError("the settings in the schema metadata are not a JSON object", path=path)
    return metadata


def _read_csv(path: Path) -> Occurrences:
    place = Place(path)
    with CompressedFile(path) as head, CompressedFile(path) as file:
        try:
            names, delimiter = csv_header(head.stream.readline())
            vectors = _vector_columns(names, place)
            wanted = _wanted(names, vectors)
            numbers = vectors if len(vectors) > 1 else []
            types = {name: pa.float32() if name in numbers else pa.string() for name in wanted}
            with open_csv(
                file.stream,
                pa_csv.ReadOptions(
                    block_size=_CSV_BLOCK_BYTES,
                    column_names=names,
                    skip_rows=1,  # the names
                ),
                pa_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
                pa_csv.ConvertOptions(
                    # an empty label is none; an empty text is an empty text
                    column_types={**types, **({"label": pa.int64()} if "label" in types else {})},
                    include_columns=wanted,
                ),
            ) as batches:
                return _from_batches(batches, vectors, None, place)
        except DECOMPRESSION_ERRORS as error:
            raise InputError(f"cut short or damaged ({error})", path=path) from None
        except pa.ArrowInvalid as error:
            raise InputError(str(error), path=path) from None


def _read_numpy(path: Path) -> Occurrences:
    try:
        loaded = np.load(path, allow_pickle=False, mmap_mode=None)
        if isinstance(loaded, np.ndarray):
            names = loaded.dtype.names
            if names is None:
                return Occurrences.from_arrays([path.stem] * len(loaded), loaded)
            return _from_columns({name: loaded[name] for name in names}, path)
        with loaded:
            return _from_columns({name: loaded[name] for name in loaded.files}, path)
    except NUMPY_DAMAGE as error:
        reason = error.message if isinstance(error, InputError) else f"cannot be read ({error})"
        raise InputError(reason, path=path) from None


def _from_columns(columns: Mapping[str, NDArray[Any]], path: Path) -> Occurrences:
    _vector_columns(list(columns), Place(path))
    texts = {
        name: pa.array(columns[name].tolist(), pa.large_string())
        for name in TEXT_COLUMNS
        if name in columns
    }
    return Occurrences.from_arrays(
        columns["word"],
        columns["vector"],
        labels=columns.get("label"),
        texts=pa.table(texts) if texts else None,
    )

"""Tables with a vector per row, of senses or of occurrences, read from files and data frames.

All become Arrow tables first. Arrow opens files itself: what it reads in threads of its own must
not be a Python object, or a thread that is the last to let go of it aborts a process that ends.
"""

from __future__ import annotations

import codecs
import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from exrpca.errors import InputError
from exrpca.files import CompressedFile, compression_of, open_plain
from exrpca.progress import progress_bar
from exrpca.senses.formats.byte_reader import read_bytes
from exrpca.senses.formats.columns import Columns, is_list, is_text
from exrpca.senses.formats.format import Place
from exrpca.senses.formats.rows import Rows
from exrpca.senses.formats.text_files import warn_of_cut_line

# Arrow reads some twenty blocks ahead, and a row must fit into one.
_BLOCK_BYTES = 1 << 18

# The key under which the footer of a Parquet file notes the types that Arrow had.
_ARROW_NOTE = b"ARROW:schema"

# What Arrow raises for values, or a whole type, that cannot be made numbers.
_NOT_NUMBERS = (pa.ArrowInvalid, pa.ArrowNotImplementedError)

# What may surround and separate the numbers of a vector written as a string.
_PUNCTUATION = r"[\[\](){},;\s]+"


@contextlib.contextmanager
def open_parquet(path: Path, *, progress: bool) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file whose page checksums are verified; whatever damage is found is named."""
    try:
        with (
            _parquet_source(path) as source,
            progress_bar(f"Reading {path.name}", None, show=progress),
        ):
            # pre_buffer=False: else a group of rows is held in memory whole
            yield pq.ParquetFile(source, pre_buffer=False, page_checksum_verification=True)
    except pa.ArrowNotImplementedError as error:
        raise InputError(
            f"cannot be read by pyarrow {pa.__version__} ({error}): update pyarrow", path=path
        ) from None
    except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"is damaged or not a complete Parquet file ({reason}): get a fresh copy", path=path
        ) from None


def _parquet_source(path: Path) -> pa.NativeFile:
    """Open a Parquet file so that this pyarrow can read it.

    pyarrow before 26 reads no lists of one length with gaps (apache/arrow#35692), which files of
    exrpca 0.1 and 0.2 have. To Parquet they are lists like others: only Arrow's own note says more.
    """
    with pa.OSFile(os.fsencode(path)) as file:
        if int(pa.__version__.split(".")[0]) >= 26 or not _has_gaps(pq.read_schema(file)):
            return pa.OSFile(os.fsencode(path))
        content = pa.allocate_buffer(file.size())
        file.seek(0)
        file.readinto(content)
    end = memoryview(content).cast("B")
    footer = end[-8 - int.from_bytes(end[-8:-4], "little") :]
    at = bytes(footer).index(_ARROW_NOTE)
    footer[at : at + len(_ARROW_NOTE)] = bytes(len(_ARROW_NOTE))
    return pa.BufferReader(content)


def _has_gaps(schema: pa.Schema) -> bool:
    return any(pa.types.is_fixed_size_list(field.type) and field.nullable for field in schema)


def csv_header(line: bytes) -> tuple[list[str], str]:
    """Return the columns that the first line of a CSV file names, and the sign between them."""
    text = line.decode("utf-8-sig", "replace").rstrip("\r\n")
    delimiter = max(",\t;", key=text.count)
    return [name.strip('"') for name in text.split(delimiter)], delimiter


def csv_names(path: Path) -> list[str]:
    """Return the columns of a CSV file, plain or compressed."""
    return _first_line(path)[0]


def _first_line(path: Path) -> tuple[list[str], str]:
    with CompressedFile(path) as file:
        return csv_header(read_bytes(file, _BLOCK_BYTES, path).partition(b"\n")[0])


@contextlib.contextmanager
def open_csv(
    path: Path,
    names: list[str],
    types: Mapping[str, pa.DataType],
    *,
    encoding: str | None = None,
    progress: bool = False,
) -> Iterator[pa.RecordBatchReader]:
    """Open a CSV file to read the columns that have types, batch by batch.

    Parameters
    ----------
    path : Path
        The file, plain or compressed.
    names : list of str
        What its columns are called here, whatever its first line says.
    types : mapping of str to DataType
        The type of each column to be read; others are left out.
    encoding : str, optional
    progress : bool, default False
    """
    delimiter = _first_line(path)[1]
    try:
        with (
            progress_bar(f"Reading {path.name}", None, show=progress),
            pa_csv.open_csv(
                _source(path, encoding),
                # one thread: errors then name the row
                pa_csv.ReadOptions(
                    use_threads=False, block_size=_BLOCK_BYTES, column_names=names, skip_rows=1
                ),
                pa_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
                pa_csv.ConvertOptions(column_types=types, include_columns=list(types)),
            ) as batches,
        ):
            yield batches
    except (pa.ArrowInvalid, UnicodeDecodeError) as error:
        raise InputError(str(error).splitlines()[0], path=path) from None


def _source(path: Path, encoding: str | None) -> pa.NativeFile:
    """Return a file of UTF-8 that Arrow reads by itself; in memory if it has to be decoded."""
    if encoding is None and compression_of(path) is None:
        with open_plain(path) as file:
            file.seek(-1, os.SEEK_END)
            if file.read() not in b"\r\n":
                warn_of_cut_line(path)
        return pa.OSFile(os.fsencode(path))
    decoder = codecs.getincrementaldecoder(encoding or "utf-8")()
    output = pa.BufferOutputStream()
    with CompressedFile(path) as file:
        while block := read_bytes(file, _BLOCK_BYTES, path):
            output.write(decoder.decode(block).encode() if encoding else block)
            last = block[-1:]
        if last not in b"\r\n":
            warn_of_cut_line(path)
        output.write(decoder.decode(b"", final=True).encode())
    return pa.BufferReader(output.getvalue())


def frame_table(frame: pd.DataFrame, names: Iterable[str], place: Place) -> pa.Table:
    """Return columns of a data frame."""
    arrays: dict[str, pa.Array] = {}
    for name in names:
        column = frame[name]
        try:
            arrays[name] = pa.array(column, from_pandas=True)
        except (pa.ArrowException, ArithmeticError, TypeError, ValueError) as error:
            raise InputError(
                f"column {name} of type {column.dtype}: {error}", path=place.path
            ) from None
    return pa.table(arrays)


# --- rows ----------------------------------------------------------------------------------------


def read_rows(
    batches: Iterable[pa.RecordBatch], columns: Columns, place: Place, expected: int = 0
) -> tuple[dict[str, tuple[Any, Any]], pa.Table]:
    """Return the vectors of each role with the rows that have one, and a table of the rest.

    Vectors are float32, or float16 if they are lists of that. As many rows as `expected` take
    less time.
    """
    vectors: dict[str, Rows] = {role: Rows(expected) for role in columns.vectors}
    rows: dict[str, list[Any]] = {role: [] for role in columns.vectors}
    rest = []
    first = 0
    for batch in batches:
        for role, names in columns.vectors.items():
            _add_vectors(batch, names, first, vectors[role], rows[role], place)
        rest.append(batch.select(["word", *columns.others]))
        first += len(batch)
    if not first:
        raise InputError("no rows, expected words and their vectors", path=place.path)
    found = {role: (np.concatenate(rows[role]), vectors[role].finish()) for role in vectors}
    return found, pa.Table.from_batches(rest)


def _add_vectors(
    batch: pa.RecordBatch,
    names: list[str],
    first: int,
    vectors: Rows,
    rows: list[Any],
    place: Place,
) -> None:
    column = batch.column(names[0])
    if len(names) > 1 or pa.types.is_floating(column.type) or pa.types.is_integer(column.type):
        rows.append(np.arange(first, first + len(batch)))
        vectors.append(_numbered(batch, names, first, place))
        return
    if not (is_text(column.type) or is_list(column.type)):
        raise InputError(
            f"column {names[0]} holds {column.type}, expected lists of numbers", path=place.path
        )
    lists = _split_strings(column) if is_text(column.type) else column
    present = np.asarray(lists.is_valid())
    # only the first row of a word has its global vector
    if names[0] != "global" and not present.all():
        raise place.error(f"no {names[0]}", first + int(present.argmin()))
    rows.append(first + np.flatnonzero(present))
    if len(rows[-1]):
        vectors.append(rows_of_lists(lists.drop_null(), rows[-1], place, vectors.dim))


def rows_of_lists(lists: pa.Array, rows: Any, place: Place, dim: int | None = None) -> Any:
    """Return lists of numbers, of which each is from one of the given rows, as an array."""
    lengths = np.asarray(pc.list_value_length(lists))
    expected = int(lengths[0]) if dim is None else dim
    for wrong in np.flatnonzero((lengths != expected) | (lengths == 0))[:1]:
        raise place.error(f"{lengths[wrong]} values, expected {expected or 'some'}", rows[wrong])
    values = lists.flatten()
    if values.type != pa.float16():
        try:
            values = pc.cast(values, pa.float32(), safe=False)
        except _NOT_NUMBERS as error:
            raise _not_a_number(lists, rows, place, error) from None
    return values.to_numpy(zero_copy_only=False).reshape(len(lists), -1)


def _numbered(batch: pa.RecordBatch, names: list[str], first: int, place: Place) -> Any:
    values = np.empty((len(batch), len(names)), dtype=np.float32)
    for j, name in enumerate(names):
        try:
            # a missing value becomes NaN, which is refused later
            column = pc.cast(batch.column(name), pa.float32(), safe=False)
        except _NOT_NUMBERS as error:
            raise place.error(f"column {name}: {error}, expected numbers", first) from None
        values[:, j] = column.to_numpy(zero_copy_only=False)
    return values


def _split_strings(column: pa.Array) -> pa.Array:
    spaced = pc.ascii_trim_whitespace(pc.replace_substring_regex(column, _PUNCTUATION, " "))
    # CSV has no null: an empty field means that there is no vector
    spaced = pc.if_else(pc.equal(spaced, ""), pa.scalar(None, spaced.type), spaced)
    return pc.split_pattern(spaced, " ")


def _not_a_number(lists: pa.Array, rows: Any, place: Place, error: Exception) -> InputError:
    for row, values in zip(rows.tolist(), lists, strict=True):
        try:
            pc.cast(values.values, pa.float32(), safe=False)
        except _NOT_NUMBERS as bad_row:
            return place.error(f"{bad_row}, expected numbers", row)
    return place.error(str(error), int(rows[0]))


# --- other columns -------------------------------------------------------------------------------


def read_integers(table: pa.Table, name: str, place: Place) -> Any:
    """Return a column of whole numbers, none missing."""
    column = table.column(name)
    try:
        if pa.types.is_temporal(column.type):
            raise pa.ArrowInvalid(f"found {column.type}")
        integers = pc.cast(column, pa.int64())
    except _NOT_NUMBERS as error:
        raise InputError(
            f"column {name}: {error}, expected whole numbers", path=place.path
        ) from None
    if integers.null_count:
        row = int(np.asarray(integers.is_valid()).argmin())
        raise place.error(f"no {name}, expected a whole number", row)
    return integers.to_numpy()


def read_strings(table: pa.Table, name: str, place: Place) -> list[str | None]:
    """Return a column of text."""
    try:
        strings: list[str | None] = table.column(name).cast(pa.string()).to_pylist()
    except pa.ArrowException as error:
        raise InputError(f"column {name}: {error}, expected text", path=place.path) from None
    return strings

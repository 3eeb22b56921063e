"""Tables with a word, a sense number and a vector a row: CSV files, data frames, Arrow batches."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from exrpca.errors import InputError
from exrpca.files import DECOMPRESSION_ERRORS, CompressedFile
from exrpca.progress import progress_bar
from exrpca.senses.formats.assembly import GrowingRows, Place, assemble
from exrpca.senses.formats.byte_blocks import damaged
from exrpca.senses.formats.format import Format, ReadOptions
from exrpca.senses.sense_vectors import Floats, SenseVectors

_BLOCK_BYTES = 1 << 20
_NUMBERED = re.compile(r"(.*?)_?([0-9]+)")
_LIST_KINDS = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
# What Arrow raises for values, or a whole type, that cannot be made numbers.
_NOT_NUMBERS = (pa.ArrowInvalid, pa.ArrowNotImplementedError)
# What may stand around and between the numbers of a vector written as a string.
_PUNCTUATION = r"[\[\](){},;\s]+"


class Columns:
    """Which columns of a table hold what.

    A vector is one column of lists or strings, or numbered columns such as `v0`, `v1`, … or
    `dim_1`, `dim_2`, …, counted from 0 or 1. `count`, `center` and `global` may be absent.

    Parameters
    ----------
    names : iterable of str
        The columns of the table.
    place : Place
        For the error when one is missing.

    Examples
    --------
    >>> columns = Columns(["word", "sense", "dim_0", "dim_1", "note"], Place())
    >>> columns.vectors
    {'vector': ['dim_0', 'dim_1']}
    """

    def __init__(self, names: Iterable[str], place: Place) -> None:
        names = list(names)
        numbered = _numbered_columns(names)
        self.vectors: dict[str, list[str]] = {}
        for role in ("vector", "center", "global"):
            if role in names:
                self.vectors[role] = [role]
            elif role in numbered:
                self.vectors[role] = numbered[role]
        rest = [columns for prefix, columns in numbered.items() if prefix not in self.vectors]
        if "vector" not in self.vectors and len(rest) == 1:
            self.vectors["vector"] = rest[0]
        missing = [name for name in ("word", "sense") if name not in names]
        missing += ["vector"] if "vector" not in self.vectors else []
        if missing:
            raise InputError(
                f"no column {' and '.join(missing)} among {', '.join(names[:8]) or 'none'}"
                f"{', …' if len(names) > 8 else ''}; expected word, sense and vector "
                "(or v0, v1, …)",
                path=place.path,
            )
        self.has_counts = "count" in names

    @property
    def names(self) -> list[str]:
        """The columns to be read."""
        vectors = [name for columns in self.vectors.values() for name in columns]
        return ["word", "sense", *(["count"] if self.has_counts else []), *vectors]


def _numbered_columns(names: list[str]) -> dict[str, list[str]]:
    groups: dict[str, dict[int, str]] = defaultdict(dict)
    for name in names:
        if match := _NUMBERED.fullmatch(name):
            groups[match[1]][int(match[2])] = name
    return {
        prefix: [group[number] for number in sorted(group)]
        for prefix, group in groups.items()
        if min(group) <= 1 and max(group) - min(group) == len(group) - 1
    }


def from_batches(
    batches: Iterable[pa.RecordBatch],
    columns: Columns,
    *,
    place: Place,
    metadata: Mapping[str, Any] | None = None,
) -> SenseVectors:
    """Put the rows of Arrow record batches together as `SenseVectors`."""
    words: list[str | None] = []
    numbers: list[Any] = []
    counts: list[Any] = []
    rows: dict[str, GrowingRows] = {}
    global_rows: list[Any] = []
    for batch in batches:
        first = len(words)
        for role, names in columns.vectors.items():
            found, values = _vectors(
                batch, names, optional=role == "global", first=first, place=place
            )
            if len(found):
                dim = values.shape[1]
                _check_dim(rows.setdefault(role, GrowingRows(dim)).dim, dim, first, place)
                rows[role].append(values)
            if role == "global":
                global_rows.append(first + found)
        numbers.append(_integers(batch, "sense", first, place))
        if columns.has_counts:
            counts.append(_integers(batch, "count", first, place))
        words += batch.column("word").cast(pa.string()).to_pylist()
    if not words:
        raise InputError("no rows, expected words and their vectors", path=place.path)
    arrays = {role: growing.finish() for role, growing in rows.items()}
    return assemble(
        words,
        np.concatenate(numbers),
        arrays["vector"],
        counts=np.concatenate(counts) if counts else None,
        centers=arrays.get("center"),
        globals=(arrays["global"], np.concatenate(global_rows)) if "global" in arrays else None,
        metadata=metadata,
        place=place,
    )


def _vectors(
    batch: pa.RecordBatch, names: list[str], *, optional: bool, first: int, place: Place
) -> tuple[Any, Floats]:
    """Return the rows of a batch that hold a vector, and those vectors."""
    column = batch.column(names[0])
    if len(names) > 1 or pa.types.is_floating(column.type) or pa.types.is_integer(column.type):
        return np.arange(batch.num_rows), _numbered(batch, names, first, place)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = _split_strings(column)
    if not any(is_kind(column.type) for is_kind in _LIST_KINDS):
        raise InputError(
            f"column {names[0]} holds {column.type}, expected lists of numbers", path=place.path
        )
    present = np.asarray(column.is_valid())
    if not present.all():
        if not optional:
            raise place.error(f"no {names[0]}", first + int(present.argmin()))
        column = column.drop_null()
    found = np.flatnonzero(present)
    if len(found) == 0:
        return found, np.empty((0, 0), dtype=np.float32)
    if not pa.types.is_fixed_size_list(column.type):
        lengths = np.asarray(pc.list_value_length(column))
        dim = int(lengths[0])
        for wrong in np.flatnonzero(lengths != dim)[:1]:
            _check_dim(dim, int(lengths[wrong]), first + int(found[wrong]), place)
    try:
        values = pc.cast(column.flatten(), pa.float32(), safe=False)
    except _NOT_NUMBERS as error:
        raise _not_a_number(column, found, first, place, error) from None
    return found, values.to_numpy(zero_copy_only=False).reshape(len(found), -1)


def _check_dim(expected: int, found: int, row: int, place: Place) -> None:
    if found != expected or not found:
        raise place.error(f"{found} values, expected {expected or 'some'}", row)


def _numbered(batch: pa.RecordBatch, names: list[str], first: int, place: Place) -> Floats:
    values = np.empty((batch.num_rows, len(names)), dtype=np.float32)
    for j, name in enumerate(names):
        try:
            # a missing value becomes NaN, which `assemble` refuses
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


def _not_a_number(
    column: pa.Array, found: Any, first: int, place: Place, error: Exception
) -> InputError:
    for row, values in zip(found.tolist(), column, strict=True):
        try:
            pc.cast(values.values, pa.float32(), safe=False)
        except _NOT_NUMBERS as bad_row:
            return place.error(f"{bad_row}, expected numbers", first + row)
    return place.error(str(error), first)


def _integers(batch: pa.RecordBatch, name: str, first: int, place: Place) -> Any:
    column = batch.column(name)
    try:
        integers = pc.cast(column, pa.int64())
    except _NOT_NUMBERS as error:
        raise place.error(f"column {name}: {error}, expected whole numbers", first) from None
    if integers.null_count:
        row = first + int(np.asarray(integers.is_valid()).argmin())
        raise place.error(f"no {name}, expected a whole number", row)
    return integers.to_numpy()


def from_frame(frame: pd.DataFrame) -> SenseVectors:
    """Return the senses in a data frame with the columns word, sense and vector."""
    place = Place("data frame")
    frame = frame.rename(columns=str)
    columns = Columns(frame.columns, place)
    try:
        table = pa.Table.from_pandas(frame[columns.names], preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise InputError(str(error), path=place.path) from None
    return from_batches(table.to_batches(), columns, place=place)


def _read_csv(path: Path, options: ReadOptions) -> SenseVectors:
    place = Place(path)
    with (
        CompressedFile(path) as head_file,
        CompressedFile(path) as file,
        progress_bar(f"Reading {path.name}", file.size, show=options.progress) as report,
    ):
        names, delimiter = _csv_header(head_file.stream.readline())
        columns = Columns(names, place)
        try:
            reader = pa_csv.open_csv(
                file.stream,
                pa_csv.ReadOptions(block_size=_BLOCK_BYTES, encoding=options.encoding or "utf8"),
                pa_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
                pa_csv.ConvertOptions(
                    column_types=_csv_types(columns), include_columns=columns.names
                ),
            )

            def batches() -> Iterator[pa.RecordBatch]:
                for batch in reader:
                    yield batch
                    report(file.position(), "")

            return from_batches(batches(), columns, place=place)
        except DECOMPRESSION_ERRORS as error:
            raise damaged(path, error) from None
        except pa.ArrowInvalid as error:
            raise InputError(str(error), path=path) from None


def _csv_header(line: bytes) -> tuple[list[str], str]:
    text = line.decode("utf-8-sig", "replace").rstrip("\r\n")
    delimiter = max(",\t;", key=text.count)
    return [name.strip('"') for name in text.split(delimiter)], delimiter


def _csv_types(columns: Columns) -> dict[str, pa.DataType]:
    types = {"word": pa.string(), "sense": pa.int64(), "count": pa.int64()}
    for names in columns.vectors.values():
        types |= dict.fromkeys(names, pa.string() if len(names) == 1 else pa.float32())
    return types


def _recognises(path: Path, head: bytes) -> bool:
    names, _ = _csv_header(head.partition(b"\n")[0])
    return {"word", "sense"} <= set(names)


FORMAT = Format(
    name="table",
    description="CSV with the columns word, sense and vector (or v0, v1, …); read only",
    recognises=_recognises,
    read=_read_csv,
    write=None,
    claims=lambda name: False,
)

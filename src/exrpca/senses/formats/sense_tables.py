"""Tables with a word, a sense and a vector per row: CSV files and data frames; Parquet's, too."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from exrpca.errors import InputError
from exrpca.senses.example import Example
from exrpca.senses.formats.assembly import assemble, numbered_senses
from exrpca.senses.formats.columns import EXTRAS, Columns, extra_columns, is_text, own_names
from exrpca.senses.formats.format import Format, Place, ReadOptions
from exrpca.senses.formats.table import (
    csv_header,
    csv_names,
    frame_table,
    open_csv,
    read_integers,
    read_rows,
    read_strings,
    rows_of_lists,
)
from exrpca.senses.sense_vectors import SenseVectors

_NEGATIVE = re.compile(r"-[0-9]+")


def from_batches(
    batches: Iterable[pa.RecordBatch],
    columns: Columns,
    place: Place,
    metadata: Mapping[str, Any] | None = None,
    expected: int = 0,
) -> SenseVectors:
    """Return the senses in the columns of Arrow record batches."""
    found, table = read_rows(batches, columns, place, expected)
    centers, n_centers = found["center"][1] if "center" in found else None, None
    if "centers" in columns.others:
        n_centers, centers = _several_vectors(table, "centers", place)
    words = read_strings(table, "word", place)
    numbers, labels = numbered_senses(words, _senses(table, columns, place), place)
    if "label" in columns.others:
        labels = [label or "" for label in read_strings(table, "label", place)]
    rows, globals_ = found.pop("global", (None, np.empty(0)))
    return assemble(
        words,
        numbers,
        found["vector"][1],
        counts=read_integers(table, "count", place) if "count" in columns.others else None,
        centers=centers,
        n_centers=n_centers,
        globals=(globals_, rows) if len(globals_) else None,
        labels=labels,
        examples=list(_examples(table)) if "examples" in columns.others else None,
        metadata=metadata,
        place=place,
    )


def _senses(table: pa.Table, columns: Columns, place: Place) -> Any:
    """Return numbers, or labels as strings; None if there is no such column."""
    if "sense" not in columns.others:
        return None
    kind = table.schema.field("sense").type
    if not is_text(kind.value_type if pa.types.is_dictionary(kind) else kind):
        return read_integers(table, "sense", place)
    senses = read_strings(table, "sense", place)
    for row, sense in enumerate(senses):
        if not sense:
            raise place.error("no sense, expected a number or a label", row)
        if _NEGATIVE.fullmatch(sense):
            raise place.error(f"the sense number {sense} is negative", row)
    return senses


def _several_vectors(table: pa.Table, name: str, place: Place) -> tuple[Any, Any]:
    """Return how many vectors each row has, at least one, and all vectors."""
    column = table.column(name).combine_chunks()
    sizes = np.asarray(pc.fill_null(pc.list_value_length(column), 0), dtype=np.int64)
    lists = column.flatten()
    for row in np.flatnonzero(sizes == 0)[:1]:
        raise place.error(f"no {name}, expected at least one", int(row))
    rows = np.repeat(np.arange(len(sizes)), sizes)
    if lists.null_count:
        missing = int(np.asarray(lists.is_null()).argmax())
        raise place.error(f"a missing vector in {name}", int(rows[missing]))
    return sizes, rows_of_lists(lists, rows, place)


def _examples(table: pa.Table) -> Iterator[tuple[Example, ...]]:
    """Yield the examples of each row."""
    column = table.column("examples").combine_chunks()
    sizes = pc.fill_null(pc.list_value_length(column), 0).to_pylist()
    parts = column.flatten()
    arrays = dict(zip([field.name for field in parts.type], parts.flatten(), strict=True))
    texts = [arrays[name].cast(pa.string()).fill_null("").to_pylist() for name in Example._fields]
    examples = map(Example, *texts)
    for size in sizes:
        yield tuple(itertools.islice(examples, size))


# --- data frames ---------------------------------------------------------------------------------


def from_frame(frame: pd.DataFrame, options: ReadOptions) -> SenseVectors:
    """Return the senses in a data frame with the columns word, sense and vector."""
    place = Place("data frame")
    if frame.columns.nlevels > 1:
        raise InputError("has columns of several levels, expected one", path=place.path)
    frame = frame.rename(columns=str)
    frame = frame.set_axis(own_names(list(frame.columns), options.columns, place), axis=1)
    columns = Columns(frame.columns, place, ["sense", "count", *_extras_of_frame(frame)])
    return from_batches(frame_table(frame, columns.names, place).to_batches(), columns, place)


def _extras_of_frame(frame: pd.DataFrame) -> list[str]:
    fields = []
    for name in EXTRAS.keys() & set(frame.columns):
        # a column of another origin that Arrow has no type for is not one of ours
        with contextlib.suppress(pa.ArrowException, AttributeError, ArithmeticError, TypeError):
            fields.append(pa.field(name, pa.array(frame[name]).type))
    return extra_columns(pa.schema(fields))


# --- CSV -----------------------------------------------------------------------------------------


def _read_csv(path: Path, options: ReadOptions) -> SenseVectors:
    place = Place(path)
    names = own_names(csv_names(path), options.columns, place)
    columns = Columns(names, place, ["sense", "count", "label"])
    types = dict.fromkeys(["word", *columns.others], pa.string())
    types |= {"count": pa.int64()} if "count" in types else {}
    for vector in columns.vectors.values():
        types |= dict.fromkeys(vector, pa.string() if len(vector) == 1 else pa.float32())
    with open_csv(
        path, names, types, encoding=options.encoding, progress=options.progress
    ) as batches:
        return from_batches(batches, columns, place)


def _recognizes(path: Path, head: bytes) -> bool:
    names, _ = csv_header(head.partition(b"\n")[0])
    return "word" in names and len(names) > 1


FORMAT = Format(
    name="table",
    description="CSV with the columns word, sense and vector (or v0, v1, …)",
    recognizes=_recognizes,
    read=_read_csv,
    write=None,
    is_text=True,
)

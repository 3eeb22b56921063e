"""The rows of Arrow record batches, read as words, senses and vectors."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from exrpca.errors import InputError
from exrpca.senses.example import Example
from exrpca.senses.formats.assembly import assemble
from exrpca.senses.formats.columns import Columns, is_list
from exrpca.senses.formats.growing_rows import GrowingRows
from exrpca.senses.formats.numbering import numbered_senses
from exrpca.senses.formats.place import Place
from exrpca.senses.sense_vectors import Floats, SenseVectors

_NEGATIVE = re.compile(r"-[0-9]+")

# What Arrow raises for values, or a whole type, that cannot be made numbers.
_NOT_NUMBERS = (pa.ArrowInvalid, pa.ArrowNotImplementedError)

# What may surround and separate the numbers of a vector written as a string.
_PUNCTUATION = r"[\[\](){},;\s]+"


def from_batches(
    batches: Iterable[pa.RecordBatch],
    columns: Columns,
    *,
    place: Place,
    metadata: Mapping[str, Any] | None = None,
) -> SenseVectors:
    """Put the rows of Arrow record batches together as `SenseVectors`."""
    rows = _Rows(columns, place)
    for batch in batches:
        rows.add(batch)
    if not rows.words:
        raise InputError("no rows, expected words and their vectors", path=place.path)
    vectors = {role: growing.finish() for role, growing in rows.vectors.items()}
    numbers, labels = numbered_senses(rows.words, rows.senses, place)
    return assemble(
        rows.words,
        numbers,
        vectors["vector"],
        counts=np.concatenate(rows.counts) if rows.counts else None,
        centers=vectors.get("center"),
        n_centers=np.concatenate(rows.n_centers) if rows.n_centers else None,
        globals=(vectors["global"], np.concatenate(rows.globals)) if "global" in vectors else None,
        labels=rows.labels or labels,
        examples=rows.examples or None,
        metadata=metadata,
        place=place,
    )


class _Rows:
    """What has been read of a table so far."""

    def __init__(self, columns: Columns, place: Place) -> None:
        self._columns = columns
        self._place = place
        self.words: list[str | None] = []
        self.senses: list[Any] = []  # an array of numbers, or a list of labels, per batch
        self.counts: list[Any] = []
        self.n_centers: list[Any] = []
        self.globals: list[Any] = []  # the rows that have a global vector
        self.labels: list[str] = []
        self.examples: list[tuple[Example, ...]] = []
        self.vectors: dict[str, GrowingRows] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Add the rows of a batch."""
        place, first = self._place, len(self.words)
        for role, names in self._columns.vectors.items():
            optional = role == "global"
            found, values = read_vectors(batch, names, optional=optional, first=first, place=place)
            self._add_vectors(role, values, first)
            if optional:
                self.globals.append(found)
        if self._columns.has_senses:
            self.senses.append(_senses(batch, first, place))
        if self._columns.has_counts:
            self.counts.append(_integers(batch, "count", first, place))
        for name in self._columns.extras:
            self._add_extra(name, batch.column(name), first)
        try:
            self.words += batch.column("word").cast(pa.string()).to_pylist()
        except pa.ArrowException as error:
            raise place.error(f"column word: {error}, expected text", first) from None

    def _add_vectors(self, role: str, values: Floats, first: int) -> None:
        if len(values):
            dim = values.shape[1]
            known = self.vectors.get(role)
            _check_dim(dim if known is None else known.dim, dim, first, self._place)
            growing = self.vectors.setdefault(role, GrowingRows(dim))
            growing.append(values)

    def _add_extra(self, name: str, column: pa.Array, first: int) -> None:
        match name:
            case "label":
                self.labels += column.fill_null("").to_pylist()
            case "centers":
                n_centers, values = _several_vectors(column, name, first, self._place)
                self.n_centers.append(n_centers)
                self._add_vectors("center", values, first)
            case "examples":
                self.examples += _examples(column)


def read_vectors(
    batch: pa.RecordBatch, names: list[str], *, optional: bool, first: int, place: Place
) -> tuple[Any, Floats]:
    """Return the rows that hold a vector, counted over all batches, and those vectors."""
    column = batch.column(names[0])
    rows = np.arange(first, first + batch.num_rows)
    if len(names) > 1 or pa.types.is_floating(column.type) or pa.types.is_integer(column.type):
        return rows, _numbered(batch, names, first, place)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = _split_strings(column)
    if not is_list(column.type):
        raise InputError(
            f"column {names[0]} holds {column.type}, expected lists of numbers", path=place.path
        )
    present = np.asarray(column.is_valid())
    if not present.all():
        if not optional:
            raise place.error(f"no {names[0]}", first + int(present.argmin()))
        column = column.drop_null()
    return rows[present], _from_lists(column, rows[present], place)


def _several_vectors(column: pa.Array, name: str, first: int, place: Place) -> tuple[Any, Floats]:
    """Return how many vectors each row has, at least one, and all vectors."""
    sizes = np.asarray(pc.fill_null(pc.list_value_length(column), 0), dtype=np.int64)
    lists = column.flatten()
    for row in np.flatnonzero(sizes == 0)[:1]:
        raise place.error(f"no {name}, expected at least one", first + int(row))
    rows = np.repeat(np.arange(first, first + len(sizes)), sizes)
    if lists.null_count:
        raise place.error(
            f"a missing vector in {name}", int(rows[lists.is_null().index(True).as_py()])
        )
    return sizes, _from_lists(lists, rows, place)


def _from_lists(column: pa.Array, rows: Any, place: Place) -> Floats:
    """Return lists of numbers, each from one of the given rows, as an array."""
    if len(column) == 0:
        return np.empty((0, 0), dtype=np.float32)
    if not pa.types.is_fixed_size_list(column.type):
        lengths = np.asarray(pc.list_value_length(column))
        dim = int(lengths[0])
        for wrong in np.flatnonzero(lengths != dim)[:1]:
            _check_dim(dim, int(lengths[wrong]), int(rows[wrong]), place)
    try:
        values = pc.cast(column.flatten(), pa.float32(), safe=False)
    except _NOT_NUMBERS as error:
        raise _not_a_number(column, rows, place, error) from None
    vectors: Floats = values.to_numpy(zero_copy_only=False).reshape(len(column), -1)
    return vectors


def _examples(column: pa.Array) -> Iterator[tuple[Example, ...]]:
    """Yield the examples of each row."""
    sizes = pc.fill_null(pc.list_value_length(column), 0).to_pylist()
    parts = column.flatten()
    arrays = dict(zip([field.name for field in parts.type], parts.flatten(), strict=True))
    texts = [arrays[name].cast(pa.string()).fill_null("").to_pylist() for name in Example._fields]
    examples = map(Example, *texts)
    for size in sizes:
        yield tuple(itertools.islice(examples, size))


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


def _not_a_number(column: pa.Array, rows: Any, place: Place, error: Exception) -> InputError:
    for row, values in zip(rows.tolist(), column, strict=True):
        try:
            pc.cast(values.values, pa.float32(), safe=False)
        except _NOT_NUMBERS as bad_row:
            return place.error(f"{bad_row}, expected numbers", row)
    return place.error(str(error), int(rows[0]))


def _integers(batch: pa.RecordBatch, name: str, first: int, place: Place) -> Any:
    column = batch.column(name)
    try:
        if pa.types.is_temporal(column.type):
            raise pa.ArrowInvalid(f"found {column.type}")
        integers = pc.cast(column, pa.int64())
    except _NOT_NUMBERS as error:
        raise place.error(f"column {name}: {error}, expected whole numbers", first) from None
    if integers.null_count:
        row = first + int(np.asarray(integers.is_valid()).argmin())
        raise place.error(f"no {name}, expected a whole number", row)
    return integers.to_numpy()


def _senses(batch: pa.RecordBatch, first: int, place: Place) -> Any:
    """Return numbers, or labels as strings."""
    column = batch.column("sense")
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return _integers(batch, "sense", first, place)
    senses = column.to_pylist()
    for row, sense in enumerate(senses, first):
        if not sense:
            raise place.error("no sense, expected a number or a label", row)
        if isinstance(sense, str) and _NEGATIVE.fullmatch(sense):
            raise place.error(f"the sense number {sense} is negative", row)
    return senses

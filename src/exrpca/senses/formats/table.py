"""Tables with a word, a sense and a vector per row: CSV, data frames, Arrow batches."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from exrpca.senses.example import Example
from exrpca.senses.formats.assembly import GrowingRows, Place, assemble, numbered_senses
from exrpca.senses.formats.byte_blocks import damaged
from exrpca.senses.formats.format import Format, ReadOptions
from exrpca.senses.sense_vectors import Floats, SenseVectors

_BLOCK_BYTES = 1 << 20
_ROLES = ("word", "sense", "vector", "label", "count", "center", "global")
_NUMBERED = re.compile(r"(.*?)_?([0-9]{1,9})", re.DOTALL)
_NEGATIVE = re.compile(r"-[0-9]+")
_LIST_KINDS = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
# What Arrow raises for values, or a whole type, that cannot be made numbers.
_NOT_NUMBERS = (pa.ArrowInvalid, pa.ArrowNotImplementedError)
# What may surround and separate the numbers of a vector written as a string.
_PUNCTUATION = r"[\[\](){},;\s]+"


class Columns:
    """Which columns of a table hold what.

    A vector is one column of lists or strings, or numbered columns such as `v0`, `v1`, … or
    `dim_1`, `dim_2`, …, counted from 0 or 1. All but word and vector may be absent. A sense is a
    number or a label; without this column, the rows of a word are its senses.

    Parameters
    ----------
    names : iterable of str
        The columns of the table.
    place : Place
        For the error when one is missing.
    extras : iterable of str, default ()
        Which of the columns `label`, `centers` and `examples` to read; see `extra_columns`.

    Examples
    --------
    >>> columns = Columns(["word", "sense", "dim_0", "dim_1", "note"], Place())
    >>> columns.vectors
    {'vector': ['dim_0', 'dim_1']}
    """

    def __init__(self, names: Iterable[str], place: Place, extras: Iterable[str] = ()) -> None:
        names = list(names)
        self.extras = tuple(extras)
        numbered = numbered_columns(names)
        self.vectors: dict[str, list[str]] = {}
        for role in ("vector", "center", "global"):
            if role in names:
                self.vectors[role] = [role]
            elif role in numbered:
                self.vectors[role] = numbered[role]
        rest = [columns for prefix, columns in numbered.items() if prefix not in self.vectors]
        if "vector" not in self.vectors and len(rest) == 1:
            self.vectors["vector"] = rest[0]
        if "centers" in self.extras:
            self.vectors.pop("center", None)
        _check_complete(names, self.vectors, place)
        self.has_senses = "sense" in names
        self.has_counts = "count" in names
        for name in self.names:
            if names.count(name) > 1:
                raise InputError(f"the column {name} appears twice", path=place.path)
        if len(self.vectors["vector"]) < len(names):
            _check_no_gap(names, self.vectors["vector"], place)

    @property
    def names(self) -> list[str]:
        """The columns to be read."""
        vectors = [name for columns in self.vectors.values() for name in columns]
        senses = ["sense"] if self.has_senses else []
        counts = ["count"] if self.has_counts else []
        return ["word", *senses, *counts, *vectors, *self.extras]


def _check_complete(names: list[str], vectors: Iterable[str], place: Place) -> None:
    missing = ["word"] if "word" not in names else []
    missing += ["vector"] if "vector" not in vectors else []
    if missing:
        raise InputError(
            f"no column {' and '.join(missing)} among {_listed(names)}; expected word, sense and "
            "vector (or v0, v1, …): if they have other names, give --columns word=NAME,vector=NAME",
            path=place.path,
        )


def _check_no_gap(names: list[str], vector: list[str], place: Place) -> None:
    """Refuse columns such as v0, v2, v3 beside those that are taken for the vector."""
    for prefix, group in _numbered_groups(names).items():
        numbers = sorted(group)
        is_vector = set(vector) == set(group.values())
        if len(numbers) > max(1, len(vector)) and not is_vector and numbers[0] <= 1:
            missing = next(n for n in range(numbers[0], numbers[-1]) if n not in group)
            raise InputError(
                f"columns {group[numbers[0]]} to {group[numbers[-1]]}, but {prefix}{missing} is "
                "missing",
                path=place.path,
            )


def _listed(names: Sequence[str]) -> str:
    return (", ".join(names[:8]) or "none") + (", …" if len(names) > 8 else "")


def own_names(names: Sequence[str], given: Mapping[str, str], place: Place) -> list[str]:
    """Return the names of a table's columns as they would be if the table were ours.

    Parameters
    ----------
    names : sequence of str
        The columns of the table.
    given : mapping of str to str
        What a person says: `{"word": "lemma", "vector": "emb"}`. The columns of a vector may be
        numbered: `emb0`, `emb1`, …
    place : Place

    Examples
    --------
    >>> own_names(["lemma", "emb_0", "emb_1"], {"word": "lemma", "vector": "emb"}, Place())
    ['word', 'vector0', 'vector1']
    """
    own = list(names)
    for role, column in given.items():
        if role not in _ROLES:
            raise InputError(f"columns: {role!r} must be one of {', '.join(_ROLES)}")
        columns = [column] if column in names else numbered_columns(list(names)).get(column)
        if columns is None:
            raise InputError(f"no column {column!r} among {_listed(names)}", path=place.path)
        renamed = {columns[0]: role}
        if len(columns) > 1:
            renamed = {name: f"{role}{number}" for number, name in enumerate(columns)}
        for i, name in enumerate(names):
            if name in renamed:
                own[i] = renamed[name]
            elif own[i] in renamed.values():
                own[i] = f"{own[i]} (not used)"
    return own


def extra_columns(schema: pa.Schema) -> list[str]:
    """Return which of the columns label, centers and examples have the types they should have.

    Tables from elsewhere may use these names for something else.
    """
    return [name for name, has_type in _EXTRAS.items() if has_type(_type_of(schema, name))]


def _type_of(schema: pa.Schema, name: str) -> pa.DataType:
    return schema.field(name).type if schema.names.count(name) == 1 else pa.null()


def _is_list(kind: pa.DataType) -> bool:
    return any(is_kind(kind) for is_kind in _LIST_KINDS)


def _is_list_of_vectors(kind: pa.DataType) -> bool:
    return _is_list(kind) and _is_list(kind.value_type)


def _is_list_of_examples(kind: pa.DataType) -> bool:
    if not _is_list(kind) or not pa.types.is_struct(kind.value_type):
        return False
    return set(Example._fields) <= {field.name for field in kind.value_type}


_EXTRAS = {
    "label": lambda kind: pa.types.is_string(kind) or pa.types.is_large_string(kind),
    "centers": _is_list_of_vectors,
    "examples": _is_list_of_examples,
}


def numbered_columns(names: list[str]) -> dict[str, list[str]]:
    """Return the columns that count from 0 or 1, such as `v0`, `v1`, …, by what they begin with."""
    return {
        prefix: [group[number] for number in sorted(group)]
        for prefix, group in _numbered_groups(names).items()
        if min(group) <= 1 and max(group) - min(group) == len(group) - 1
    }


def _numbered_groups(names: list[str]) -> dict[str, dict[int, str]]:
    groups: dict[str, dict[int, str]] = defaultdict(dict)
    for name in names:
        if match := _NUMBERED.fullmatch(name):
            groups[match[1]][int(match[2])] = name
    return groups


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
    if not _is_list(column.type):
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


def from_frame(frame: pd.DataFrame, options: ReadOptions) -> SenseVectors:
    """Return the senses in a data frame with the columns word, sense and vector."""
    place = Place("data frame")
    if frame.columns.nlevels > 1:
        raise InputError("has columns of several levels, expected one", path=place.path)
    frame = frame.rename(columns=str)
    frame = frame.set_axis(own_names(list(frame.columns), options.columns, place), axis=1)
    columns = Columns(frame.columns, place, _extras_of_frame(frame))
    try:
        table = pa.Table.from_pandas(frame[columns.names], preserve_index=False)
    except (pa.ArrowException, ArithmeticError, TypeError, ValueError) as error:
        reason = " ".join(map(str, error.args)) or type(error).__name__
        raise InputError(reason, path=place.path) from None
    return from_batches(table.to_batches(), columns, place=place)


def _extras_of_frame(frame: pd.DataFrame) -> list[str]:
    fields = []
    for name in _EXTRAS.keys() & set(frame.columns):
        # a column of another origin that Arrow has no type for is not one of ours
        with contextlib.suppress(pa.ArrowException, AttributeError, ArithmeticError, TypeError):
            fields.append(pa.field(name, pa.array(frame[name]).type))
    return extra_columns(pa.schema(fields))


def _read_csv(path: Path, options: ReadOptions) -> SenseVectors:
    place = Place(path)
    with (
        CompressedFile(path) as head_file,
        CompressedFile(path) as file,
        progress_bar(f"Reading {path.name}", file.size, show=options.progress) as report,
    ):
        names, delimiter = csv_header(head_file.stream.readline())
        names = own_names(names, options.columns, place)
        columns = Columns(names, place, ["label"] if "label" in names else [])
        try:
            reader = pa_csv.open_csv(
                file.stream,
                pa_csv.ReadOptions(
                    block_size=_BLOCK_BYTES,
                    encoding=options.encoding or "utf8",
                    column_names=names,
                    skip_rows=1,  # the names
                ),
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


def csv_header(line: bytes) -> tuple[list[str], str]:
    """Return the columns that the first line of a CSV file names, and the sign between them."""
    text = line.decode("utf-8-sig", "replace").rstrip("\r\n")
    delimiter = max(",\t;", key=text.count)
    return [name.strip('"') for name in text.split(delimiter)], delimiter


def _csv_types(columns: Columns) -> dict[str, pa.DataType]:
    types = {"word": pa.string(), "sense": pa.string(), "count": pa.int64(), "label": pa.string()}
    for names in columns.vectors.values():
        types |= dict.fromkeys(names, pa.string() if len(names) == 1 else pa.float32())
    return types


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

"""pandas data frames with a word, a sense and a vector per row."""

from __future__ import annotations

import contextlib
from typing import Any

import pandas as pd
import pyarrow as pa

from exrpca.errors import InputError
from exrpca.senses.formats.arrow_rows import from_batches
from exrpca.senses.formats.columns import EXTRAS, Columns, extra_columns, own_names
from exrpca.senses.formats.format import ReadOptions
from exrpca.senses.formats.place import Place
from exrpca.senses.sense_vectors import SenseVectors


def from_frame(frame: pd.DataFrame, options: ReadOptions) -> SenseVectors:
    """Return the senses in a data frame with the columns word, sense and vector."""
    place = Place("data frame")
    if frame.columns.nlevels > 1:
        raise InputError("has columns of several levels, expected one", path=place.path)
    frame = frame.rename(columns=str)
    frame = frame.set_axis(own_names(list(frame.columns), options.columns, place), axis=1)
    columns = Columns(frame.columns, place, _extras_of_frame(frame))
    arrays = {name: _array(frame[name], place) for name in columns.names}
    return from_batches(pa.table(arrays).to_batches(), columns, place=place)


def _array(column: pd.Series[Any], place: Place) -> pa.Array:
    try:
        return pa.array(column, from_pandas=True)
    except (pa.ArrowException, ArithmeticError, TypeError, ValueError) as error:
        raise InputError(
            f"column {column.name} of type {column.dtype}: {error}", path=place.path
        ) from None


def _extras_of_frame(frame: pd.DataFrame) -> list[str]:
    fields = []
    for name in EXTRAS.keys() & set(frame.columns):
        # a column of another origin that Arrow has no type for is not one of ours
        with contextlib.suppress(pa.ArrowException, AttributeError, ArithmeticError, TypeError):
            fields.append(pa.field(name, pa.array(frame[name]).type))
    return extra_columns(pa.schema(fields))

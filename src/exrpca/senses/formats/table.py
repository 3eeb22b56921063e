"""CSV files with a word, a sense and a vector per row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pa_csv

from exrpca.errors import InputError
from exrpca.files import DECOMPRESSION_ERRORS, CompressedFile
from exrpca.progress import progress_bar
from exrpca.senses.formats.arrow_rows import from_batches
from exrpca.senses.formats.byte_blocks import damaged
from exrpca.senses.formats.columns import Columns, own_names
from exrpca.senses.formats.csv_stream import open_csv
from exrpca.senses.formats.format import Format, ReadOptions
from exrpca.senses.formats.place import Place
from exrpca.senses.sense_vectors import SenseVectors

_BLOCK_BYTES = 1 << 20


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
            with open_csv(
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
            ) as batches:

                def reported() -> Iterator[pa.RecordBatch]:
                    for batch in batches:
                        yield batch
                        report(file.position(), "")

                return from_batches(reported(), columns, place=place)
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

"""Reading CSV in batches: nothing holds the file afterwards, however the reading ends."""

import gc
import io
import weakref

import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest

from exrpca.senses.formats import csv_stream

GOOD = b"word,v\n" + b"bank,1\n" * 1000


def opened(text):
    options = pa_csv.ReadOptions(block_size=1000), pa_csv.ParseOptions(), pa_csv.ConvertOptions()
    return csv_stream.open_csv(io.BytesIO(text), *options)


@pytest.fixture
def sources(monkeypatch):
    alive = weakref.WeakSet()

    class Noted(csv_stream._Source):
        def __init__(self, stream):
            super().__init__(stream)
            alive.add(self)

    monkeypatch.setattr(csv_stream, "_Source", Noted)
    return alive


def test_all_batches_come_in_order():
    with opened(GOOD) as batches:
        assert pa.Table.from_batches(batches).num_rows == 1000


BAD_ROW = b"bank,1,2\n"


@pytest.mark.parametrize(
    "text",
    [GOOD, b"word,v\n" + BAD_ROW, GOOD + BAD_ROW],
    ids=["the caller fails", "the first block is bad", "a later block is bad"],
)
def test_the_file_is_free_after_an_error(sources, text):
    for _ in range(15):  # without the wait, Arrow was last in one run of a hundred
        with pytest.raises((KeyError, pa.ArrowInvalid)), opened(text) as batches:
            next(batches)
            list(batches) if text != GOOD else {}["an error of the caller"]
        gc.collect()
        assert not sources

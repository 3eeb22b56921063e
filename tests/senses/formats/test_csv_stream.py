"""Reading CSV in batches: nothing holds the file afterwards, however the reading ends."""

import io

import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest

from exrpca.senses.formats import csv_stream

GOOD = b"word,v\n" + b"bank,1\n" * 1000
BAD_ROW = b"bank,1,2\n"


@pytest.fixture
def lent(monkeypatch):
    """Weak references to all that Arrow got."""
    lists = []
    wait = csv_stream._wait_until_free

    def noted(things):
        lists.append(things)
        wait(things)

    monkeypatch.setattr(csv_stream, "_wait_until_free", noted)
    return lists


def opened(text, encoding="utf8"):
    options = pa_csv.ReadOptions(block_size=1000, encoding=encoding), pa_csv.ParseOptions()
    return csv_stream.open_csv(io.BytesIO(text), *options, pa_csv.ConvertOptions())


def test_all_batches_come_in_order(lent):
    with opened(GOOD) as batches:
        assert pa.Table.from_batches(batches).num_rows == 1000
    [things] = lent
    assert len(things) > 7000 / 1000
    assert not any(thing() for thing in things)


def test_other_encodings_are_read():
    with opened("word,v\nübung,1\n".encode("latin1"), "latin1") as batches:
        assert pa.Table.from_batches(batches)["word"].to_pylist() == ["übung"]


@pytest.mark.parametrize(
    "text",
    [GOOD, b"word,v\n" + BAD_ROW, GOOD + BAD_ROW],
    ids=["the caller fails", "the first block is bad", "a later block is bad"],
)
def test_the_file_is_free_after_an_error(lent, text):
    for _ in range(200):  # Arrow's threads are the last ones now and then only
        with pytest.raises((KeyError, pa.ArrowInvalid)), opened(text) as batches:
            next(batches)
            list(batches) if text != GOOD else {}["an error of the caller"]
        assert not any(thing() for thing in lent.pop())

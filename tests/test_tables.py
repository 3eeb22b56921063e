"""Small tables: read with clear errors, written as their name says."""

import warnings

import pandas as pd
import pytest

from exrpca import InputError
from exrpca.errors import InputWarning
from exrpca.tables import check_table, read_table, write_table

FRAME = pd.DataFrame({"word": ["bank", "=1+1", "café, a"], "sense": [0, 1, 2], "p": [0.25, 1, 0]})


@pytest.mark.parametrize(
    ("ending", "read"),
    [
        ("csv", pd.read_csv),
        ("json", pd.read_json),
        ("parquet", pd.read_parquet),
        ("xlsx", pd.read_excel),  # no formula, which would be read as 2
    ],
)
def test_a_table_is_written_as_its_name_says(tmp_path, ending, read):
    path = tmp_path / f"table.{ending}"
    write_table(FRAME, path)
    pd.testing.assert_frame_equal(read(path), FRAME, check_dtype=False)
    assert list(tmp_path.iterdir()) == [path]


def test_names_that_say_nothing_are_refused_before_the_work(tmp_path, monkeypatch):
    for name in ("table", "table.doc", "table.csv.gz"):
        with pytest.raises(InputError, match=r"ends in \.csv, \.json, \.parquet or \.xlsx"):
            check_table(tmp_path / name)
    with pytest.raises(InputError, match="is another file of this command"):
        check_table(tmp_path / "a.csv", other_than=[tmp_path / "a.csv"])
    monkeypatch.setattr("exrpca.tables.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'exrpca\[report\]'"):
        check_table(tmp_path / "a.xlsx")


def rows_of(path):
    rows = []
    read_table(path, ["word", "form"], lambda *row: rows.append(row))
    return rows


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_tables_of_all_kinds_are_read(tmp_path, delimiter, line_end):
    path = tmp_path / "forms.csv"
    rows = [["form", "note", "word"], ["banks", "", "bank"], [], ['"a ""b"""', "x", "caf\u00e9"]]
    text = "".join(delimiter.join(row) + line_end for row in rows)
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rows_of(path) == [("bank", "banks"), ("café", 'a "b"')]


def test_a_table_that_ends_in_the_middle_of_a_line_gets_a_note(tmp_path):
    path = tmp_path / "forms.csv"
    path.write_text("form,word\nbanks,bank\ncells,ce")
    with pytest.warns(InputWarning, match="forms.csv: the last line has no line end"):
        assert rows_of(path) == [("bank", "banks"), ("ce", "cells")]


def test_errors_of_rows_name_the_file_and_the_line(tmp_path):
    path = tmp_path / "forms.csv"
    path.write_text("form,word\nbanks,bank\ncells,\n")

    def add(form, word):
        if not word:
            raise InputError("no word")

    with pytest.raises(InputError, match=r"forms\.csv, line 3: no word"):
        read_table(path, ["form", "word"], add)

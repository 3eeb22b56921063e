import json
import re

import pandas as pd
import pytest

from exrpca import InputError
from exrpca.contextual.assigned import read_assigned
from exrpca.contextual.report import report


@pytest.fixture
def assigned():
    money = [f"a loan of {i} dollars from the " for i in range(30)]
    river = [f"fish number {i} swam beside the " for i in range(10)]
    return pd.DataFrame(
        {
            "word": "bank",
            "sense": [0] * 30 + [1] * 10,
            "probability": [0.9] * 30 + [0.8] * 10,
            "left": money + river,
            "target": "bank",
            "right": [" yesterday"] * 30 + [" in muddy water"] * 10,
            "source": [f"{year}/part.txt" for year in (1811, 1961)] * 20,
        }
    )


def test_senses_are_named_by_their_contexts(assigned):
    senses = report(assigned).senses.set_index("sense")
    assert set(senses.loc[0, "name"].split(", ")) <= {"loan", "dollars", "yesterday"}
    assert set(senses.loc[1, "name"].split(", ")) <= {"fish", "number", "swam", "muddy", "water"}
    assert senses["count"].tolist() == [30, 10]
    assert senses["share"].tolist() == [0.75, 0.25]


def test_a_given_name_is_kept(assigned):
    named = assigned.assign(name=["money"] * 30 + ["riverside"] * 10)
    assert report(named).senses["name"].tolist() == ["money", "riverside"]


def test_sentences_have_no_near_duplicates(assigned):
    # the sentences of a sense differ in a number only
    assert [len(found) for found in report(assigned).senses["sentences"]] == [1, 1]


def test_shares_per_folder_add_up(assigned):
    shares = report(assigned, by="folder").shares
    assert shares["group"].unique().tolist() == ["1811", "1961"]
    assert shares.groupby("group")["share"].sum().tolist() == pytest.approx([1, 1])
    assert (shares["low"] < shares["share"]).all()
    assert (shares["share"] < shares["high"]).all()


def test_occurrences_without_a_sense_come_last(assigned):
    assigned.loc[3, "sense"] = -1
    made = report(assigned)
    assert made.concordance["sense"].iloc[-1] == -1
    assert len(made.concordance) == len(assigned)
    assert made.senses["count"].sum() == len(assigned) - 1


def test_a_workbook_keeps_formulas_as_text(assigned, tmp_path):
    assigned.loc[0, "left"] = "=1+1"
    report(assigned, tmp_path / "senses.xlsx", by="folder")
    book = pd.read_excel(tmp_path / "senses.xlsx", sheet_name=None)
    assert list(book) == ["senses", "shares", "concordance"]
    assert "=1+1" in book["concordance"]["left"].tolist()


def test_csv_has_no_formulas(assigned, tmp_path):
    assigned.loc[0, "left"] = "=1+1"
    report(assigned, tmp_path / "lines.csv")
    assert "'=1+1" in pd.read_csv(tmp_path / "lines.csv")["left"].tolist()


def test_json_has_all_tables(assigned, tmp_path):
    report(assigned, tmp_path / "senses.json", by="folder")
    tables = json.loads((tmp_path / "senses.json").read_text())
    assert {name: len(rows) for name, rows in tables.items()} == {
        "senses": 2,
        "shares": 4,
        "changes": 0,
        "concordance": 40,
    }


def test_a_page_shows_text_as_text(assigned, tmp_path):
    assigned["left"] = "<script>alert(1)</script> "
    report(assigned, tmp_path / "senses.html", by="folder")
    page = (tmp_path / "senses.html").read_text()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert re.search(r"75%.*\(\d+% to \d+%\)", page)


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("senses.doc", {}, "a report is one of .xlsx, .html, .json, .csv, not .doc"),
        ("senses.csv", {"by": "era"}, "there is no column 'era'"),
        ("senses.csv", {"by": "target"}, "only 'bank'"),
        ("senses.csv", {"by": "left", "every": 10}, "no value of 'left' begins with a year"),
        ("senses.csv", {"every": 10}, "every needs by"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_written(
    assigned, tmp_path, name, options, says
):
    with pytest.raises(InputError, match=re.escape(says)):
        report(assigned, tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ["csv", "parquet", "json", "xlsx"])
def test_tables_of_every_kind_are_read(assigned, tmp_path, ending):
    path = tmp_path / f"assigned.{ending}"
    writers = {"csv": assigned.to_csv, "parquet": assigned.to_parquet, "xlsx": assigned.to_excel}
    if ending == "json":
        assigned.to_json(path, orient="records")
    else:
        writers[ending](path, index=False)
    found = read_assigned(path)
    pd.testing.assert_frame_equal(found, assigned, check_dtype=False)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("word,count\nbank,1\n", "has no column 'sense'"),
        ("word,sense\nbank,money\n", "has a sense that is not a whole number"),
        ("", "cannot be read"),
    ],
)
def test_other_tables_are_refused(tmp_path, content, says):
    path = tmp_path / "assigned.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=says):
        read_assigned(path)

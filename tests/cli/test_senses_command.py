"""From folders of text to a report in one command."""

import json

import pandas as pd
import pytest

OLD = "The gay company danced all night. "
NEW = "The gay couple married at the town hall. "


@pytest.fixture
def corpus(tmp_path):
    for year, sentence in (("1811", OLD), ("2010", NEW)):
        folder = tmp_path / "corpus" / year
        folder.mkdir(parents=True)
        lines = [f"{sentence}It was number {i}." for i in range(30)]
        (folder / "text.txt").write_text("\r\n".join(lines), encoding="utf-8", newline="")
    return tmp_path / "corpus"


def test_from_folders_to_a_report(exrpca, corpus, tmp_path):
    output = tmp_path / "report.json"
    result = exrpca("senses", corpus, "--words", "gay,unicorn", "--by", "folder", "-o", output)
    tables = json.loads(output.read_text())
    assert {row["group"] for row in tables["shares"]} == {"1811", "2010"}
    assert tables["changes"][0]["prt_p"] < 0.05
    assert {row["source"] for row in tables["concordance"][:1]} <= {
        "1811/text.txt:1",
        "2010/text.txt:1",
    }
    assert "not found in the text: unicorn" in result.stderr
    assert "gay: 60 gay" in result.stderr
    assigned = pd.read_csv(tmp_path / "report.assigned.csv")
    assert len(assigned) == 60
    # the way that the last line of the output names goes on from these files
    again = exrpca(
        "induce",
        tmp_path / "report.occurrences.parquet",
        "--n-senses",
        "gay=2",
        "-o",
        tmp_path / "two.parquet",
    )
    assert "2 senses of 1 word" in again.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--by", "folder"], "pass --words"),
        (["--words", "gay", "--by", "period"], "no column 'period': choose one of folder"),
        (["--words", "gay", "--every", "50"], "--every needs --by"),
        (["--words", "gay", "--language", "zh"], "without spaces"),
        (["--words", "gay", "--encoder", "nowhere"], "nowhere"),
        (["--words", "unicorn"], "none of the words occurs in the text: unicorn"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(exrpca, corpus, tmp_path, options, says):
    result = exrpca("senses", corpus, *options, "-o", "report.html", code=1)
    assert says in result.stderr
    assert not list(tmp_path.glob("report*"))


def test_one_folder_is_no_comparison(exrpca, corpus, tmp_path):
    result = exrpca(
        "senses", corpus / "1811", "--words", "gay", "--by", "folder", "-o", "r.html", code=1
    )
    assert "all texts are in one folder" in result.stderr
    assert not list(tmp_path.glob("r*"))


def test_pictures_of_change(exrpca, tmp_path):
    table = pd.DataFrame(
        {"word": "and/or", "sense": [0] * 60 + [1] * 60, "year": [1811] * 60 + [1961] * 60}
    )
    table.to_csv(tmp_path / "assigned.csv", index=False)
    exrpca("compare", tmp_path / "assigned.csv", "--by", "year", "--plots", tmp_path / "pictures")
    assert "<svg" in (tmp_path / "pictures" / "and_or.svg").read_text()

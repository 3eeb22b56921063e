import pandas as pd
import pytest

from exrpca.contextual.wug import agreement, read_annotation, write_uses
from exrpca.errors import InputError


@pytest.fixture
def assigned():
    return pd.DataFrame(
        {
            "word": ["bank"] * 4 + ["and/or"],
            "sense": [0, 0, 1, -1, 0],
            "left": ['He said "the\t', "the ", "a ", "", ""],
            "target": ["bank", "Banks", "bank", "bank", "and/or"],
            "right": ['"', "", " of the river", "", ""],
            "source": [
                "1811/a.txt:1",
                "1811/a.txt:2",
                "2010/b.txt:1",
                "2010/b.txt:2",
                "2010/b.txt:3",
            ],
        }
    )


def test_uses_are_cut_where_the_target_is(assigned, tmp_path):
    paths = write_uses(assigned, tmp_path, by="folder")
    assert [path.parent.name for path in paths] == ["bank", "and_or"]
    lines = paths[0].read_text(encoding="utf-8").splitlines()
    header, *rows = (line.split("\t") for line in lines)
    assert {len(row) for row in rows} == {len(header)} == {9}
    for row, target in zip(rows, assigned["target"], strict=False):
        use = dict(zip(header, row, strict=True))
        start, end = map(int, use["indexes_target_token"].split(":"))
        assert use["context"][start:end] == target
        assert use["pos"] == " "
    assert [row[3] for row in rows] == ["1811", "1811", "2010", "2010"]


def test_clusters_and_judgments_come_in(assigned, tmp_path):
    path = tmp_path / "clusters.csv"
    path.write_text("identifier\tcluster\nbank-0\t5\nbank-1\t5\nbank-2\t7\nbank-3\t-1\n")
    assert agreement(assigned, read_annotation(path)).to_dict("records") == [
        {"word": "bank", "uses": 3, "ari": 1.0}
    ]
    path = tmp_path / "judgments.csv"
    path.write_text(
        "identifier1\tidentifier2\tannotator\tjudgment\tcomment\tlemma\n"
        "bank-0\tbank-1\tann\t4\t \tbank\n"
        'bank-1\tbank-0\tbob\t3\tI said "four"\tbank\n'
        "bank-2\tbank-0\tann\t4\t \tbank\n"
        "bank-2\tbank-1\tann\t1\t \tbank\n"
        "bank-1\tbank-2\tbob\t0\t \tbank\n"
        "bank-2\tbank-3\tann\t1\t \tbank\n"
    )
    (row,) = agreement(assigned, read_annotation(path)).to_dict("records")
    assert (row["word"], row["pairs"]) == ("bank", 3)
    assert row["agree"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("identifier,cluster\nbank-0,1\n", "separated by tabs"),
        ("identifier\tcluster\nbank-0\tone\n", "cluster is no number"),
        ("identifier\tcluster\ntree-0\t1\n", "no identifier of the annotation"),
        (None, "no such file"),
    ],
)
def test_other_files_are_refused(assigned, tmp_path, text, says):
    path = tmp_path / "clusters.csv"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=says):
        agreement(assigned, read_annotation(path))


def test_uses_need_sentences(tmp_path):
    with pytest.raises(InputError, match="uses need their sentences"):
        write_uses(pd.DataFrame({"word": ["bank"], "sense": [0]}), tmp_path)

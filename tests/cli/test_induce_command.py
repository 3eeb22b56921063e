"""`exrpca induce`: a file of occurrences becomes a file of senses and a table."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from exrpca import load
from exrpca.contextual import Occurrences

DIM = 60


@pytest.fixture
def occurrences_file(tmp_path):
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(300, DIM))
    vectors[:50, 0] += 20
    vectors[50:100, 1] += 20
    word = ["bank"] * 100 + ["river"] * 100 + ["money"] * 100
    texts = pa.table(
        {"left": ["the "] * 300, "target": word, "right": [f" {i}" for i in range(300)]}
    )
    Occurrences.from_arrays(word, vectors, texts=texts).save(tmp_path / "occ.parquet")
    return "occ.parquet"


def test_occurrences_become_senses_and_a_table(exrpca, occurrences_file, tmp_path):
    result = exrpca("induce", occurrences_file, "-o", "senses.parquet", "--assignments", "out.csv")
    assert result.stderr == "senses.parquet: 4 senses of 3 words, 1 of them with several\n"
    senses = load(tmp_path / "senses.parquet")
    assert dict(zip(senses.words, senses.n_senses, strict=True)) == {
        "bank": 2,
        "river": 1,
        "money": 1,
    }
    assert senses.counts.tolist() == [50, 50, 100, 100]
    assert senses.examples[0][0].target == "bank"
    assert len(senses.metadata["induction"]["mean"]) == DIM
    table = pd.read_csv(tmp_path / "out.csv")
    assert table.columns.tolist() == ["word", "sense", "probability", "left", "target", "right"]
    assert table["sense"].nunique() == 2
    assert (table["sense"][:50] != table["sense"][50:100].to_numpy()).all()


def test_losing_all_is_one_sense_and_says_so(exrpca, occurrences_file, tmp_path):
    command = ["induce", occurrences_file, "-o", "senses.parquet", "--lost", "1"]
    assert "lost is 1" in exrpca(*command).stderr
    assert set(load(tmp_path / "senses.parquet").n_senses) == {1}
    assert exrpca(*command, "--quiet").stderr == ""


@pytest.mark.parametrize(
    ("output", "assignments", "message"),
    [
        ("senses.parquet", "senses.parquet", "is another file of this command"),
        ("occ.parquet", "out.csv", "is another file of this command"),
        ("senses.parquet", "nosuch/out.csv", "the folder nosuch does not exist"),
        ("senses.xyz", "out.csv", "cannot tell the format"),
    ],
)
def test_outputs_are_checked_before_the_work(exrpca, tmp_path, output, assignments, message):
    (tmp_path / "occ.parquet").write_text("reading this would fail")
    result = exrpca("induce", "occ.parquet", "-o", output, "--assignments", assignments, code=1)
    assert message in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["occ.parquet"]


def test_bad_input_is_one_line(exrpca, tmp_path):
    (tmp_path / "occ.csv").write_text("word,v0,v1\nbank,1,2\nbank,nan,1\n")
    result = exrpca("induce", "occ.csv", "-o", "senses.parquet", code=1)
    assert result.stderr.count("\n") == 1
    assert "not finite" in result.stderr or "nan" in result.stderr

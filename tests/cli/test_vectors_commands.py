"""info, convert, clean, neighbors, disambiguate."""

import csv
import gzip
import io

import numpy as np
import pytest

from exrpca import clean, load, save
from exrpca.analysis import diagnose


def test_info(exrpca_json, vectors_file):
    facts = {row["property"]: row["value"] for row in exrpca_json("info", vectors_file)}
    assert facts["words"] == 300
    assert facts["sense pairs"] == 400
    assert facts["columns of the paper's matrix"] == 800
    assert facts["centers"] is True


def test_info_abridges_long_metadata(exrpca, planted, tmp_path):
    metadata = {"training": {"dim": 20}, "word_counts": list(range(1000))}
    metadata["induction"] = {"mean": [0.5] * 300, "seed": 0}
    save(planted.senses.replace(metadata=metadata), tmp_path / "x.parquet")
    text = exrpca("info", "x.parquet").stdout
    assert '{"dim": 20}' in text
    assert "1,000 values" in text
    assert '{"mean": "300 values", "seed": 0}' in text
    assert len(text.splitlines()) < 20


def test_convert_keeps_the_vectors(exrpca, planted, vectors_file, tmp_path):
    result = exrpca("convert", vectors_file, "out.gz", "--writer", "mssg")
    assert "out.gz: 300 words, 600 senses" in result.stderr
    assert result.stdout == ""
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()).split()[:2] == [b"300", b"20"]
    again = load(tmp_path / "out.gz")
    np.testing.assert_allclose(again.vectors, planted.senses.vectors, rtol=1e-6)
    assert exrpca("convert", vectors_file, "x.parquet", "--quiet").stderr == ""


def test_one_of_a_kind_is_counted_as_one(exrpca, tmp_path):
    (tmp_path / "one.txt").write_text("bank#0 1 0\n")
    assert "one.parquet: 1 word, 1 sense\n" in exrpca("convert", "one.txt", "one.parquet").stderr


@pytest.mark.parametrize("writer", ["mssg", "word2vec"])
def test_clean_answers_in_the_format_of_its_input(exrpca, planted, tmp_path, writer):
    save(planted.senses, tmp_path / "in", writer=writer)
    exrpca("clean", "in", "-o", "out", "--method", "pca", "--rank", "2")
    assert (tmp_path / "out").read_bytes()[:20] == (tmp_path / "in").read_bytes()[:20]
    expected = clean(planted.senses, method="pca", rank=2)
    np.testing.assert_allclose(load(tmp_path / "out").vectors, expected.vectors, atol=1e-5)


def test_clean_chooses_the_rank_and_says_so(exrpca, vectors_file, tmp_path):
    result = exrpca("clean", vectors_file, "-o", "clean.parquet")
    assert "clean.parquet: 2 components removed" in result.stderr
    assert load(tmp_path / "clean.parquet").metadata["cleaned"] == {"method": "exrpca", "rank": 2}
    bad = exrpca("clean", vectors_file, "-o", "other.parquet", "--rank", "two", code=1)
    assert "--rank two must be a whole number or auto" in bad.stderr


def test_diagnose_prints_or_writes_the_page(exrpca, planted, vectors_file, tmp_path):
    printed = exrpca("diagnose", vectors_file, "--quiet").stdout
    assert printed == diagnose(planted.senses, name=vectors_file.name).text()
    exrpca("diagnose", vectors_file, "-o", "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    bad = exrpca("diagnose", vectors_file, "-o", "nosuch/page.html", code=1)
    assert "the folder nosuch does not exist" in bad.stderr


def test_neighbors(exrpca, exrpca_json, planted, vectors_file):
    rows = exrpca_json("neighbors", vectors_file, "animal_001", "-n", "4")
    assert [row["sense"] for row in rows] == [0] * 4 + [1] * 4
    expected = planted.senses.neighbors("animal_001", 1, 4)
    assert [row["neighbor"] for row in rows[4:]] == expected["neighbor"].tolist()
    table = exrpca("neighbors", vectors_file, "animal_001", "--sense", "0", "--format", "csv")
    assert len(list(csv.DictReader(io.StringIO(table.stdout)))) == 10


def test_disambiguate(exrpca_json, planted, vectors_file):
    real = planted.pairs[planted.pairs["real"]].iloc[0]
    senses = planted.senses
    # words whose global vector is nearest to the center of the pair's second sense
    center = senses.centers[senses.row(real["word"], real["sense_b"])]
    context = " ".join(senses.words[i] for i in np.argsort(-senses.globals @ center)[:5])
    rows = exrpca_json("disambiguate", vectors_file, real["word"], context)
    assert rows[0]["sense"] == real["sense_b"]
    assert sum(row["probability"] for row in rows) == pytest.approx(1)

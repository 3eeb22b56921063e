"""evaluate, sweep, components, detect, plot, reproduce, datasets."""

import json
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from exrpca import clean, load
from exrpca.cli import main
from exrpca.evaluation import (
    WSI_MEASURES,
    compare_vectors,
    evaluate,
    evaluate_wsi,
    read_scws,
    read_word_pairs,
    read_wsi,
)

FIELDS = ["vectors", "method", "rank", "dataset", "measure", "rho", "low", "high", "used", "total"]


@pytest.fixture
def exrpca(tmp_path, monkeypatch, capsys):
    """Run the program in this process: a new one would import for seconds each time."""

    def run(*arguments, code=0):
        monkeypatch.setattr(sys, "argv", ["exrpca", *map(str, arguments)])
        # meant for a process that ends
        monkeypatch.setattr(main, "gc", SimpleNamespace(set_threshold=int, freeze=int))
        monkeypatch.chdir(tmp_path)
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main.run()
        stdout, stderr = capsys.readouterr()
        assert (end.value.code or 0) == code, stderr
        return SimpleNamespace(stdout=stdout, stderr=stderr)

    return run


@pytest.fixture(scope="session")
def data_files(planted, tmp_path_factory):
    """SCWS and word pairs in their formats, with words of the planted vectors."""
    folder = tmp_path_factory.mktemp("data")
    rng = np.random.default_rng(0)
    words = rng.choice(planted.senses.words, size=(80, 2))
    ratings = rng.uniform(0, 10, size=80).round(1)
    scws = []
    for number, ((a, b), rating) in enumerate(zip(words, ratings, strict=True), 1):
        near = rng.choice(planted.senses.words, size=(2, 4))
        contexts = [f"{' '.join(near[0])} <b> {w} </b> {' '.join(near[1])}" for w in (a, b)]
        fields = [number, a, "n", b, "n", *contexts, rating, *[rating] * 10]
        scws.append("\t".join(map(str, fields)))
    (folder / "ratings.txt").write_text("\n".join(scws) + "\n")
    pairs = [f"{a}\t{b}\t{rating}" for (a, b), rating in zip(words, ratings, strict=True)]
    (folder / "pairs.tsv").write_text("\n".join([*pairs, "absent\twords\t1"]) + "\n")
    return folder


@pytest.fixture
def data_options(data_files, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return ["--scws", data_files / "ratings.txt", "--word-pairs", data_files / "pairs.tsv"]


def test_evaluate_prints_the_rows_of_the_python_function(
    exrpca_json, vectors_file, data_files, data_options
):
    rows = exrpca_json(
        *("evaluate", vectors_file, *data_options, "--methods", "none,exrpca", "--ranks", "1-2")
    )
    assert list(rows[0]) == FIELDS
    assert {(row["method"], row["rank"]) for row in rows} == {
        *(("none", None), ("exrpca", 1), ("exrpca", 2))
    }
    expected = evaluate(load(vectors_file), read_scws(data_files / "ratings.txt"))
    found = [r["rho"] for r in rows if (r["method"], r["dataset"]) == ("none", "SCWS")]
    np.testing.assert_allclose(found, expected["rho"])
    assert {(r["used"], r["total"]) for r in rows if r["dataset"] == "pairs"} == {(80, 81)}


def test_evaluate_finds_context_words_among_punctuation_if_asked(
    exrpca_json, vectors_file, data_files, data_options, tmp_path
):
    written = tmp_path / "written.txt"
    text = (data_files / "ratings.txt").read_text()
    written.write_text(re.sub(r"(\w) (?=\w)", r"\1, ", text))
    command = ["evaluate", vectors_file, *data_options, "--methods", "none"]
    tokenized = exrpca_json(*command)
    assert exrpca_json(*command, "--scws", written, "--tokenizer", "words") == tokenized
    assert exrpca_json(*command, "--scws", written) != tokenized


def test_evaluate_several_files_for_people_and_with_gains(
    exrpca, exrpca_json, vectors_file, data_files, data_options
):
    exrpca("clean", vectors_file, "-o", "cleaned.parquet", "--method", "pca", "--rank", "2")
    command = ["evaluate", vectors_file, "cleaned.parquet", *data_options, "--methods", "none,pca"]
    table = exrpca(*command, "--ranks", "2", "--gains").stdout
    assert "Spearman's ρ × 100 on SCWS (80 of 80 pairs), pairs (80 of 81 pairs)" in table
    assert "Gain over the original vectors" in table
    rows = exrpca_json(*command, "--ranks", "2", "--gains")
    assert set(rows[0]) == {*FIELDS, "gain", "gain_low", "gain_high"}
    senses, data = load(vectors_file), read_word_pairs(data_files / "pairs.tsv")
    expected = compare_vectors(clean(senses, method="pca", rank=2), senses, data).set_index(
        "measure"
    )
    gain = next(
        row["gain"]
        for row in rows
        if (row["vectors"], row["method"], row["dataset"], row["measure"])
        == ("planted.parquet", "pca", "pairs", "avgSim")
    )
    assert gain == pytest.approx(expected.loc["avgSim", "difference"], abs=1e-3)
    assert {row["vectors"] for row in rows} == {"planted.parquet", "cleaned.parquet"}


def test_evaluate_without_scws_says_how_to_get_it(exrpca, vectors_file, data_files, data_options):
    result = exrpca("evaluate", vectors_file, *data_options[2:], "--methods", "none")
    assert "Without SCWS, which `exrpca datasets get scws` fetches." in result.stderr
    assert "SCWS" not in result.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--ranks", "one"], "--ranks one: expected numbers"),
        (["--ranks", "5-1"], "--ranks 5-1: no rank"),
        (["--ranks", "20", "--methods", "pca"], "--rank 20 must be between 1 and 19"),
        (["--methods", "magic"], "method 'magic' must be one of"),
        (["--word-pairs", "absent.txt"], "absent.txt: no such file"),
    ],
)
def test_evaluate_bad_input(exrpca, vectors_file, data_options, options, message):
    result = exrpca("evaluate", vectors_file, *data_options, *options, code=1)
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_sweep(exrpca, exrpca_json, vectors_file, data_options):
    rows = exrpca_json("sweep", vectors_file, *data_options)
    assert {row["removed"] for row in rows} == set(range(20))
    table = exrpca("sweep", vectors_file, *data_options).stdout
    assert "SCWS" in table
    assert "localSim" in table


def test_components(exrpca, exrpca_json, vectors_file):
    rows = exrpca_json("components", vectors_file, "--rank", "2")
    assert [row["component"] for row in rows] == [1, 2]
    pairs = exrpca_json("components", vectors_file, "--rank", "2", "--table", "pairs", "-n", "3")
    assert len(pairs) == 6
    everything = exrpca("components", vectors_file, "--rank", "2").stdout
    for title in ("Components", "Pairs they explain best", "Elements of E outside 3σ"):
        assert title in everything


def test_detect(exrpca, exrpca_json, planted, vectors_file):
    rows = exrpca_json("detect", vectors_file, "-n", "3")
    assert len({row["word"] for row in rows}) == 3
    single = next(w for w in planted.senses if len(planted.senses[w]) == 1)
    assert (
        f"{single} has only one sense" in exrpca("detect", vectors_file, "--words", single).stderr
    )
    missing = exrpca("detect", vectors_file, "--words", "nowhere", code=1)
    assert "no word 'nowhere'" in missing.stderr


def test_demo_shows_a_table_vectors_and_a_text(exrpca, tmp_path):
    shown = exrpca("demo", "-o", "found").stdout
    cells, verdicts, meanings = re.split(r"^[23]\. ", shown, flags=re.MULTILINE)
    for column in ("alcohol", "hue", "magnesium"):  # the cells that the demo breaks
        assert column in cells
    assert re.search(r"^prime +0 +2 .* real", verdicts, re.MULTILINE)
    assert re.search(r"^mouse +1 ", meanings, re.MULTILINE)
    assert "MOUSE" in meanings
    page = (tmp_path / "found" / "senses.html").read_text(encoding="utf-8")
    assert "keyboard" in page


@pytest.mark.parametrize("method", ["exrpca", "pca"])
def test_components_fit_once(exrpca, fits, vectors_file, method):
    exrpca("components", vectors_file, "--rank", "2", "--method", method)
    assert sorted(fits) == [("ExRPCA", 2), ("PCA", 2)][method == "pca" :]


def test_plots(exrpca, planted, vectors_file, data_options, tmp_path):
    words = ",".join([w for w in planted.senses if len(planted.senses[w]) > 1][:3])
    exrpca("plot", "overview", vectors_file, "-o", "o.png", "--words", words)
    exrpca("plot", "components", vectors_file, "-o", "c.svg")
    exrpca("plot", "sweep", vectors_file, *data_options, "-o", "s.png")
    assert {path.name for path in tmp_path.iterdir()} >= {"o.png", "c.svg", "s.png"}
    wrong = exrpca("plot", "components", vectors_file, "-o", "c.jpg", code=1)
    assert "c.jpg: ends with '.jpg', expected .png or .svg" in wrong.stderr


def test_reproduce(exrpca, vectors_file, data_options, tmp_path):
    result = exrpca("reproduce", vectors_file, "-o", "report", *data_options, "--ranks", "2,3")
    assert "report.html: written" in result.stderr
    results = json.loads((tmp_path / "report" / "results.json").read_text())
    assert results["vectors"]["name"] == "planted.parquet"
    methods = set(results["settings"]["methods"])
    assert methods >= {"none", "collapsed", "abtt", "pca", "exrpca", "neighbors"}
    assert ("wordnet" in methods) != ("Without the baseline wordnet" in result.stderr)
    assert "localSim" in (tmp_path / "report" / "report.md").read_text()


def test_datasets_get_unknown(exrpca):
    assert "no data set 'wordnet'" in exrpca("datasets", "get", "wordnet", code=1).stderr


def test_datasets_list_says_where_each_is_published(exrpca):
    text = exrpca("datasets", "list").stdout
    for name in ("SCWS", "SemEval-2010", "CoarseWSD-20", "SemCor-WSI"):
        assert f"\n{name} " in f"\n{text}"
    assert text.count("https://github.com/") == 3
    assert max(map(len, text.splitlines())) <= 90


@pytest.fixture(scope="session")
def labeled_file(planted, tmp_path_factory):
    """Random contexts of some words of the planted vectors, and of one that is not there."""
    rng = np.random.default_rng(0)
    words = [*rng.choice(planted.senses.words, size=12, replace=False), "absent"]
    rows = ["word,left,target,right,gold"]
    for word in words:
        for _ in range(6):
            left, right = (" ".join(rng.choice(planted.senses.words, size=4)) for _ in range(2))
            rows.append(f"{word},{left},{word},{right},{rng.integers(2)}")
    path = tmp_path_factory.mktemp("wsi") / "labeled.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_evaluate_wsi_prints_the_rows_of_the_python_function(
    exrpca_json, vectors_file, labeled_file
):
    rows = exrpca_json("evaluate", vectors_file, "--wsi", labeled_file)
    expected = evaluate_wsi(load(vectors_file), read_wsi(labeled_file))
    for name in ("value", "low", "high", "difference", "words"):
        found = np.array([row[name] for row in rows], dtype=float)
        np.testing.assert_allclose(found, expected[name].to_numpy(float), atol=1e-9)
    names = ["planted.parquet", "one cluster", "one per occurrence"]
    assert [row["vectors"] for row in rows[:: len(WSI_MEASURES)]] == names
    assert {(row["vectors"], row["known"]) for row in rows} == {
        *zip(names, (12, None, None), strict=True)
    }


def test_evaluate_wsi_for_people(exrpca, vectors_file, labeled_file):
    exrpca("clean", vectors_file, "-o", "cleaned.parquet", "--method", "pca", "--rank", "2")
    one = exrpca("evaluate", vectors_file, "--wsi", labeled_file)
    assert "labeled: 13 words, 78 occurrences, 2.0 senses per word" in one.stdout
    assert "Difference" not in one.stdout
    assert "planted.parquet: 1 of the 13 words of labeled are not in the vocabulary" in one.stderr
    two = exrpca(
        *("evaluate", vectors_file, "cleaned.parquet", "--quiet"),
        *("--wsi", labeled_file, "--wsi", labeled_file),
    )
    assert two.stdout.count("Difference from planted.parquet") == 2
    assert two.stderr == ""
    # cleaning moves vectors, not centers: the same senses are chosen
    difference = two.stdout.split("Difference")[1].splitlines()[2]
    assert difference.split()[:5] == ["cleaned.parquet", "+0.0", "±0.0", "+0.0", "±0.0"]
    assert max(map(len, two.stdout.splitlines())) <= 80


def test_evaluate_wsi_of_two_files_with_the_same_name(exrpca_json, vectors_file, labeled_file):
    command = ["evaluate", vectors_file, vectors_file.parent / "other" / vectors_file.name]
    command[2].parent.mkdir(exist_ok=True)
    command[2].write_bytes(vectors_file.read_bytes())
    rows = exrpca_json(*command, "--wsi", labeled_file)
    assert {row["vectors"] for row in rows} >= {str(path) for path in command[1:]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--wsi", "absent"], "absent: no such file"),
        (["--wsi", "."], "is not a data set of word sense induction"),
        (["--gains"], "--gains is for similarities, not for --wsi: run the two separately"),
        (["--ranks", "3"], "--ranks is for similarities"),
    ],
)
def test_evaluate_wsi_bad_input(exrpca, vectors_file, labeled_file, options, message):
    result = exrpca("evaluate", vectors_file, "--wsi", labeled_file, *options, code=1)
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_window_without_tokens_is_wrong_usage(exrpca, vectors_file, labeled_file):
    command = ("evaluate", vectors_file, "--wsi", labeled_file, "--window", "0")
    assert "--window" in exrpca(*command, code=2).stderr

"""The commands on senses from `exrpca induce`, as a person would run them."""

import shutil
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from exrpca import encode, induce, load, save
from exrpca.contextual import Occurrences
from tests.contextual.conftest import tiny  # noqa: F401

WORDS = [f"w{i}" for i in range(70)]


@pytest.fixture(scope="module")
def senses_file(tmp_path_factory):
    """Senses of 70 words; every second word has two."""
    rng = np.random.default_rng(0)
    cloud = np.repeat([2 * i + (i % 2) * j for i in range(len(WORDS)) for j in (0, 1)], 30)
    vectors = rng.normal(size=(len(cloud), 60)) + 3 * rng.normal(size=(140, 60))[cloud]
    senses, _ = induce(Occurrences.from_arrays(np.repeat(WORDS, 60), vectors))
    assert senses.n_senses.tolist() == [1, 2] * 35
    path = tmp_path_factory.mktemp("induced") / "senses.parquet"
    save(senses, path)
    return path


def test_detect_and_merge_know_induced_senses(exrpca, exrpca_json, senses_file, tmp_path):
    pairs = exrpca_json("detect", senses_file, "--words", "w1,w3", "--quiet")
    assert {pair["word"] for pair in pairs} == {"w1", "w3"}
    exrpca("merge", senses_file, "-o", "merged.parquet", "--map", "map.csv", "--quiet")
    merged, senses = load(tmp_path / "merged.parquet"), load(senses_file)
    assert merged.n_senses.tolist() == senses.n_senses.tolist()  # what `induce` found stays
    # new occurrences still find their senses
    assert merged.metadata["induction"] == senses.metadata["induction"]
    (tmp_path / "mine.csv").write_text("word,sense_a,sense_b,verdict\nw1,0,1,pseudo\n")
    exrpca("merge", senses_file, "-o", "by_hand.parquet", "--verdicts", "mine.csv", "--quiet")
    assert load(tmp_path / "by_hand.parquet").n_senses.tolist()[:4] == [1, 1, 1, 2]
    mapping = pd.read_csv(tmp_path / "map.csv")
    assert mapping.groupby("word")["new_sense"].max()["w0"] == 0


def test_detect_says_why_it_does_not_decide(exrpca, senses_file):
    said = exrpca("detect", senses_file).stderr
    assert "by its occurrences, which say more than vectors" in said
    assert "35 pairs: 35 real" in said


def test_neighbors_of_induced_senses(exrpca_json, senses_file):
    neighbors = exrpca_json("neighbors", senses_file, "w1", "--n", "3")
    assert len(neighbors) == 6
    assert all(row["cosine"] <= 1 for row in neighbors)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tiny):  # noqa: F811
    """Labeled text and its senses, made with the tiny encoder; "bank" has two."""
    folder = tmp_path_factory.mktemp("banks")
    rows = [
        {
            "word": "bank",
            "left": f"{a} {kind}",
            "target": "bank",
            "right": f"{b} {kind}",
            "gold": kind,
        }
        for a in "abcdef"
        for b in "abcd"
        for kind in ("money", "river")
    ]
    table = pd.DataFrame(rows)
    table.to_csv(folder / "gold.csv", index=False)
    lines = [f"{row['left']} Bank, {row['right']}" for row in rows]
    (folder / "text.txt").write_text("\n".join(lines) + "\n")
    found = encode(folder / "text.txt", words=["bank"], encoder=tiny)
    labels = (table["gold"] == "river").to_numpy(int)  # right, whatever `induce` would find
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # one word is few
        senses, _ = induce(replace(found, labels=labels))
    assert senses.n_senses.tolist() == [2]
    save(senses, folder / "senses.parquet")
    return folder


def test_tag_disambiguate_and_evaluate_choose_by_the_encoder(exrpca, exrpca_json, folder, tiny):  # noqa: F811
    senses = folder / "senses.parquet"
    tagged = exrpca("tag", senses, folder / "text.txt", "--encoder", tiny).stdout.splitlines()
    assert tagged[:2] == ["a money bank#0, a money", "a river bank#1, a river"]
    (folder / "forms.csv").write_text("form,word\nbanks,bank\n")
    (folder / "forms.txt").write_text("a river Banks, a river\n")
    options = ("--encoder", tiny, "--forms", folder / "forms.csv", "--quiet")
    tagged = exrpca("tag", senses, folder / "forms.txt", *options).stdout.splitlines()
    assert tagged == ["a river bank#1, a river"]
    chosen = exrpca_json("disambiguate", senses, "bank", "A river bank, a river", "--encoder", tiny)
    assert [row["sense"] for row in chosen] == [1, 0]
    assert chosen[0]["probability"] > 0.75
    scores = exrpca_json("evaluate", senses, "--wsi", folder / "gold.csv", "--encoder", tiny)
    values = {row["measure"]: row["value"] for row in scores if row["vectors"] == senses.name}
    assert (values["ari"], values["clusters"]) == (1, 2)


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("tag", ["text.txt"]),
        ("disambiguate", ["bank", "a bank"]),
        ("evaluate", ["--wsi", "gold.csv"]),
    ],
)
def test_without_the_encoder_one_line_says_which(exrpca, folder, command, arguments):
    paths = [folder / each if (folder / each).exists() else each for each in arguments]
    said = exrpca(command, folder / "senses.parquet", *paths, code=1).stderr
    assert said.count("\n") == 1
    assert "needs the encoder tiny: pass it as --encoder" in said


def test_another_encoder_is_refused(exrpca, folder, tiny, tmp_path):  # noqa: F811
    other = tmp_path / "other"
    shutil.copytree(tiny, other)
    (other / "tokenizer.json").write_text((tiny / "tokenizer.json").read_text() + "\n")
    command = ("tag", folder / "senses.parquet", folder / "text.txt", "-o", "tagged.txt", "--quiet")
    said = exrpca(*command, "--encoder", other, code=1).stderr
    assert "induced with another encoder, tiny" in said
    assert said.count("\n") == 1
    assert not (tmp_path / "tagged.txt").exists()


def test_vectors_that_have_no_encoder(exrpca, vectors_file, folder, tiny):  # noqa: F811
    said = exrpca("tag", vectors_file, folder / "text.txt", "--encoder", tiny, code=1).stderr
    assert "not induced from occurrences: leave out the encoder" in said
    said = exrpca("evaluate", vectors_file, "--encoder", tiny, code=1).stderr
    assert "--encoder only works with --wsi" in said


def test_from_text_to_tagged_text_with_the_default_encoder(exrpca, tmp_path):
    river = [
        "the bank of the river was steep",
        "they walked along the river bank",
        "the boat lay at the bank of the stream",
        "trees grow on the bank of the lake",
    ]
    money = [
        "the bank lends money to companies",
        "she took a loan from the bank",
        "the bank raised its interest rates",
        "he works for a large bank in the city",
    ]
    others = [
        "the cell has a nucleus",
        "the cell divides",
        "a cat and a dog",
        "the dog barked at the cat",
    ]
    lines = [
        f"{prefix} {line} ."
        for prefix in ("then", "later", "in 1990", "today", "once", "again")
        for line in [*river, *money, *others]
    ]
    (tmp_path / "text.txt").write_text("\n".join(lines) + "\n")
    exrpca("encode", "text.txt", "--words", "bank,cell,cat,dog", "-o", "occ.parquet")
    exrpca("induce", "occ.parquet", "-o", "senses.parquet", "--assignments", "senses.csv")
    (tmp_path / "new.txt").write_text("A loan from the Bank.\nWe sat on the bank of the river.\n")
    first, second = exrpca("tag", "senses.parquet", "new.txt").stdout.splitlines()
    assert first.startswith("A loan from the bank#")
    assert second.startswith("We sat on the bank#")
    assert first[len("A loan from the bank#")] != second[len("We sat on the bank#")]

"""detect, merge, tag and retag: one person's way from vectors to an up-to-date tagged text."""

import operator
import subprocess
from io import StringIO

import pandas as pd
import pytest

from exrpca import detect, load, make_senses, merge, save


@pytest.fixture
def corpus(tmp_path, planted):
    words = planted.senses.words
    path = tmp_path / "text.txt"
    path.write_text(f"{words[1]} {words[4]} unknown\n\n{words[2]} {words[1]}\n", encoding="utf-8")
    return path


def test_merge_writes_vectors_and_the_map(exrpca, vectors_file, tmp_path) -> None:
    result = exrpca("merge", vectors_file, "-o", "small.parquet", "--map", "map.csv")
    before, after = load(vectors_file), load(tmp_path / "small.parquet")
    assert after.words == before.words
    assert len(before) < len(after.vectors) < len(before.vectors)
    assert f"{len(before.vectors):,} senses became {len(after.vectors):,}" in result.stderr
    mapping = pd.read_csv(tmp_path / "map.csv")
    assert len(mapping) == len(before.vectors)
    sizes = mapping.groupby("word", sort=False)["new_sense"].max() + 1
    assert sizes.tolist() == after.n_senses.tolist()


@pytest.mark.parametrize(
    ("output", "map_file", "message"),
    [
        ("small.parquet", "./small.parquet", "is another file of this command"),
        ("small.parquet", "trained.parquet", "is another file of this command"),
        ("small.parquet", "nosuch/map.csv", "the folder nosuch does not exist"),
        (
            "nosuch/small.parquet",
            "map.csv",
            "nosuch/small.parquet: the folder nosuch does not exist",
        ),
    ],
)
def test_merge_checks_what_it_will_write_before_it_reads(
    exrpca, tmp_path, output, map_file, message
) -> None:
    (tmp_path / "trained.parquet").write_text("no vectors: reading would fail")
    result = exrpca("merge", "trained.parquet", "-o", output, "--map", map_file, code=1)
    assert message in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["trained.parquet"]


def test_merged_vectors_get_a_remark(exrpca, vectors_file) -> None:
    remark = "merging again would merge too many"
    assert remark not in exrpca("merge", vectors_file, "-o", "small.parquet").stderr
    for command in (("detect", "small.parquet"), ("merge", "small.parquet", "-o", "less.parquet")):
        assert remark in exrpca(*command).stderr
        assert exrpca(*command, "--quiet").stderr == ""


def test_higher_share_of_lost_pairs_leaves_fewer_senses(exrpca, vectors_file, tmp_path) -> None:
    sizes = []
    for lost in ("0.02", "0.3"):
        exrpca("merge", vectors_file, "-o", "small.parquet", "--lost", lost)
        sizes.append(len(load(tmp_path / "small.parquet").vectors))
    assert sizes[0] > sizes[1]


def test_detect_shows_the_verdicts_that_merge_acts_on(
    exrpca, exrpca_json, planted, vectors_file, tmp_path
) -> None:
    detected = detect(planted.senses, lost=0.3)
    options = ["--lost", "0.3"]
    shown = pd.DataFrame(exrpca_json("detect", vectors_file, *options, "-n", len(planted.senses)))
    assert shown["probability"].is_monotonic_decreasing
    columns = ["word", "sense_a", "sense_b", "shared", "probability", "verdict"]
    by_pair = ["word", "sense_a", "sense_b"]
    pd.testing.assert_frame_equal(
        shown[columns].sort_values(by_pair, ignore_index=True),
        detected[columns].sort_values(by_pair, ignore_index=True),
        check_dtype=False,
    )
    exrpca("merge", vectors_file, "-o", "small.parquet", *options)
    assert load(tmp_path / "small.parquet") == merge(planted.senses, detected)[0]


def test_detect_says_what_was_found_and_where_the_threshold_is(exrpca, vectors_file) -> None:
    said = exrpca("detect", vectors_file).stderr
    assert "of all pairs are expected to be real" in said
    assert "real: a probability of at least 0.5; pseudo: at most" in said
    assert exrpca("detect", vectors_file, "--quiet").stderr == ""


def test_detect_leaves_unknown_words_out(exrpca, planted, vectors_file) -> None:
    single, several = planted.senses.words[0], planted.senses.words[2]
    result = exrpca(
        "detect", vectors_file, "--words", f"nosuch,{several},{single}", "--format", "csv"
    )
    assert "no word 'nosuch'" in result.stderr
    assert f"{single} has only one sense" in result.stderr
    assert set(pd.read_csv(StringIO(result.stdout))["word"]) == {several}
    assert "no word 'nosuch'" in exrpca("detect", vectors_file, "--words", "nosuch", code=1).stderr


def test_merge_warns_when_most_words_keep_one_sense(exrpca, tmp_path) -> None:
    save(make_senses(n_words=300, dim=20, real_share=0.1).senses, tmp_path / "vectors.parquet")
    result = exrpca("merge", "vectors.parquet", "-o", "small.parquet", "--lost", "0.9")
    assert "words with several senses have one left" in result.stderr


def test_tagged_text_is_brought_up_to_date(exrpca, vectors_file, corpus, tmp_path) -> None:
    exrpca("merge", vectors_file, "-o", "small.parquet", "--map", "map.csv")
    exrpca("tag", vectors_file, corpus, "-o", "tagged.txt")
    tagged = (tmp_path / "tagged.txt").read_text(encoding="utf-8")
    plain = corpus.read_text(encoding="utf-8")
    assert [token.split("#")[0] for token in tagged.split()] == plain.split()
    assert [len(line.split()) for line in tagged.splitlines()] == [3, 0, 2]
    result = exrpca("retag", "tagged.txt", "--map", "map.csv")
    retagged = result.stdout
    mapping = pd.read_csv(tmp_path / "map.csv").set_index(["word", "old_sense"])["new_sense"]
    for old, new in zip(tagged.split(), retagged.split(), strict=True):
        word, _, sense = old.partition("#")
        assert new == (f"{word}#{mapping[word, int(sense)]}" if sense else old)
    n_renamed = sum(map(operator.ne, tagged.split(), retagged.split()))
    assert result.stderr == f"{n_renamed} of 4 tagged tokens renamed\n"


def test_retag_says_when_the_text_follows_another_pattern(exrpca, tmp_path) -> None:
    (tmp_path / "map.csv").write_text("word,old_sense,new_sense\nbank,0,0\nbank,1,0\n")
    (tmp_path / "tagged.txt").write_text("bank|1\n")
    result = exrpca("retag", "tagged.txt", "--map", "map.csv")
    assert result.stdout == "bank|1\n"
    assert "nothing renamed: no token is a sense of map.csv written as word#0" in result.stderr
    command = ["retag", "tagged.txt", "--map", "map.csv", "--key-pattern", "word|0"]
    assert exrpca(*command).stdout == "bank|0\n"


def test_tag_reads_standard_input(program, vectors_file, corpus) -> None:
    with corpus.open() as text:
        command = [program, "tag", vectors_file, "-", "--key-pattern", "word|0"]
        result = subprocess.run(command, stdin=text, capture_output=True, text=True, check=True)
    assert "|" in result.stdout
    assert len(result.stdout.splitlines()) == 3


def test_bad_input_is_one_line_and_leaves_nothing(exrpca, vectors_file, corpus, tmp_path) -> None:
    result = exrpca("retag", corpus, "--map", corpus, "-o", "out.txt", code=1)
    assert result.stderr.count("\n") == 1
    assert "no column word, old_sense, new_sense" in result.stderr
    exrpca("merge", vectors_file, "-o", "small.parquet", "--lost", "2", code=1)
    assert {path.name for path in tmp_path.iterdir()} == {corpus.name}


def test_given_verdicts_come_first(exrpca, vectors_file, tmp_path) -> None:
    senses = load(vectors_file)
    word = next(word for word in senses if len(senses[word]) == 2)
    merged = {}
    for verdict in ("real", "pseudo"):
        verdicts = tmp_path / f"{verdict}.csv"
        verdicts.write_text(f"word,sense_a,sense_b,verdict\n{word},0,1,{verdict}\n")
        output = tmp_path / f"{verdict}.parquet"
        exrpca("merge", vectors_file, "-o", output, "--verdicts", verdicts)
        merged[verdict] = load(output)
    assert len(merged["real"][word]) == 2
    assert len(merged["pseudo"][word]) == 1
    assert len(merged["real"].vectors) == len(merged["pseudo"].vectors) + 1

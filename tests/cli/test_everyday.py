"""What a person sees who comes with vectors and text of their own."""

import pytest
from typer.testing import CliRunner

from exrpca import SenseVectors, save
from exrpca.cli import options
from exrpca.cli.main import app
from exrpca.senses.formats import KEY_PATTERNS, READERS, WRITERS

TEXT = "Money in the bank.\nXyzzy qwerty!\n"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the program in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()

    def run(*arguments, code=0):
        result = runner.invoke(app, list(map(str, arguments)), env={"COLUMNS": "80"})
        assert result.exit_code == code, result.output
        return result

    return run


@pytest.fixture
def plain(tmp_path):
    """Sense vectors as a word2vec-like file has them, with labels and capitals."""
    senses = SenseVectors(
        ["bank", "River", "money", "Nato", "NATO"],
        [[1, 0.1], [0, 1], [0.1, 1], [0.2, 1], [1, 0], [1, 1], [1, 1]],
        [2, 2, 1, 1, 1],
        labels=["MONEY", "WATER", "A", "B", "X", "X", "X"],
    )
    path = tmp_path / "plain.vec"
    save(senses, path, key_pattern="word|NOUN")
    return path


def test_tag_without_centers_says_so_and_reports_its_coverage(run, plain, tmp_path):
    (tmp_path / "text.txt").write_text(TEXT)
    result = run("tag", plain, "text.txt", "-o", "tagged.txt")
    tagged = (tmp_path / "tagged.txt").read_text()
    assert tagged.splitlines()[0] == "money|X in the bank|MONEY."
    assert "senses are chosen by sense vectors, compared with the vectors" in result.stderr
    assert "2 of 6 tokens tagged (33.3%), 1 of them with several senses" in result.stderr
    assert run("tag", plain, "text.txt", "-o", "quiet.txt", "--quiet").stderr == ""


def test_disambiguate_says_when_no_context_word_was_known(run, plain):
    unknown = run("disambiguate", plain, "bank", "xyzzy bank qwerty")
    assert "no word of the context is in the vocabulary" in unknown.stderr
    known = run("disambiguate", plain, "bank", "money in the bank")
    assert "no word of the context" not in known.stderr
    assert "MONEY" in known.stdout


def test_words_are_found_regardless_of_case_where_one_is_meant(run, plain):
    result = run("neighbors", plain, "river")
    assert "no word 'river': showing 'River'" in result.stderr
    assert isinstance(run("neighbors", plain, "nato", code=1).exception, ValueError)


def test_no_neighbor_is_shown_twice(run, plain):
    lines = run("disambiguate", plain, "bank", "money bank").stdout.splitlines()
    for line in lines[2:]:
        words = line.split("  ")[-1].split(", ")
        assert len(words) == len(set(words))
        assert "bank" not in words


def test_neighbors_by_label(run, plain):
    by_label = run("neighbors", plain, "bank", "--sense", "WATER", "--format", "csv").stdout
    assert by_label.startswith(
        "sense,label,neighbor,its_sense,its_label,cosine,same_word\n1,WATER,"
    )
    assert run("neighbors", plain, "bank", "--sense", "1", "--format", "csv").stdout == by_label


def test_another_key_pattern_for_the_output(run, plain, tmp_path):
    run("convert", plain, "out.vec", "--output-key-pattern", "word_s0")
    assert "\nbank_s1 0 1\n" in (tmp_path / "out.vec").read_text()


def help_of(annotated):
    return annotated.__metadata__[0].help


def test_help_lists_every_name():
    for name in READERS:
        assert f" {name}" in help_of(options.Reader)
    for name in WRITERS:
        assert f" {name}" in help_of(options.Writer)
    for name in KEY_PATTERNS:
        assert f" {name}" in help_of(options.KeyPattern)

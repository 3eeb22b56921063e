"""What a person sees who comes with vectors and text of their own."""

import re

import numpy as np
import pandas as pd
import pytest
from typer.main import get_command
from typer.testing import CliRunner

from exrpca import SenseVectors, bundled, make_senses, save
from exrpca.cli import options
from exrpca.cli.main import app
from exrpca.cli.people_table import print_for_people
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


def all_options(command=None, path=()):
    """Return each option of each command."""
    command = command or get_command(app)
    for name, below in getattr(command, "commands", {}).items():
        yield from all_options(below, (*path, name))
    if not hasattr(command, "commands"):
        for option in command.params:
            if option.param_type_name == "option":
                yield " ".join([*path, option.opts[0]]), option


def test_every_option_shows_its_default():
    for name, option in all_options():
        shown = (
            option.required or option.default is not None or isinstance(option.show_default, str)
        )
        assert shown, name
        assert option.help, name


def test_verbose_shows_each_step(run, plain, caplog):
    quiet = run("convert", plain, "a.parquet", "--quiet")
    assert quiet.stderr == ""
    with caplog.at_level("INFO", "exrpca"):
        run("convert", plain, "b.parquet", "--verbose")
    assert "Reading plain.vec: " in caplog.text
    assert "format word2vec, keys like word|NOUN: SenseVectors: 5 words, 7 senses" in caplog.text


def test_wide_tables_come_in_parts_that_fit(run, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    names = [f"measure_{i}" for i in range(12)]
    frame = pd.DataFrame(np.full((2, 12), 1234.5678), columns=names)
    frame.insert(
        0, "vectors", ["mine", "a name that is long enough to be wrapped in narrow tables"]
    )
    print_for_people(frame, "Title")
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    assert printed.count("1,234.568") == 24  # no number is cut
    assert printed.count("mine") > 1  # each part says whose numbers they are
    assert "…" not in printed


@pytest.fixture(scope="session")
def some_words(tmp_path_factory):
    """Real words with real neighbors, few enough to be fast."""
    senses = bundled()
    path = tmp_path_factory.mktemp("words") / "words.parquet"
    save(senses.select(dict.fromkeys([*senses.words[:1500], "rock", "bank"])), path)
    return path


def test_tables_of_commands_fit_80_columns(run, some_words):
    path = some_words
    for arguments in (
        ["info", path],
        ["neighbors", path, "rock"],
        ["detect", path, "--words", "rock,bank"],
        ["components", path],
        ["disambiguate", path, "rock", "rock and roll music"],
        ["sweep", path, "--rank", 2],
        ["evaluate", path, "--methods", "none,pca", "--ranks", "1", "--gains"],
    ):
        printed = run(*arguments).stdout
        assert max(map(len, printed.splitlines())) <= 80, arguments
        assert "…" not in printed, arguments


def test_the_verdict_is_next_to_the_pair_at_80_columns(run, some_words):
    printed = run("detect", some_words, "--words", "bank").stdout
    assert re.search(r"^bank +0 +1 +(real|pseudo|undecided) ", printed, re.MULTILINE), printed


def test_parts_of_a_table_repeat_what_rows_are_about(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    frame = pd.DataFrame({"word": ["bank"], "sense_a": [17], "sense_b": [23]})
    frame[["neighbors_a", "neighbors_b"]] = "river water shore"
    frame["verdict"] = "undecided"
    print_for_people(frame, None)
    parts = capsys.readouterr().out.split("\n\n")
    assert len(parts) > 1
    assert all("17" in part and "23" in part for part in parts)


@pytest.mark.parametrize(
    ("command", "step"),
    [
        ("detect", "Finding neighbors"),
        ("diagnose", "Diagnosing"),
        ("components", "Finding components"),
    ],
)
def test_long_steps_show_that_they_are_at_work(run, tmp_path, caplog, command, step):
    """`progress_bar` shows each step, and tells the log how long it took."""
    path = tmp_path / "vectors.parquet"
    save(make_senses(n_words=40, dim=8, n_components=1, seed=0).senses, path)
    with caplog.at_level("INFO", "exrpca"):
        run(command, path, "--verbose")
    assert f"{step}: " in caplog.text

"""Every command that writes looks at its outputs before it reads its inputs."""

import io

import pandas as pd
import pytest

from exrpca import SenseVectors, save

COMMANDS = {
    "convert": ("convert", "in", "OUT"),
    "clean": ("clean", "in", "-o", "OUT"),
    "merge": ("merge", "in", "-o", "OUT"),
    "map": ("merge", "in", "-o", "out.parquet", "--map", "OUT"),
    "train": ("train", "in", "-o", "OUT"),
    "tag": ("tag", "in", "text", "-o", "OUT"),
    "retag": ("retag", "text", "--map", "in", "-o", "OUT"),
    "overview": ("plot", "overview", "in", "-o", "OUT"),
    "components": ("plot", "components", "in", "-o", "OUT"),
    "sweep": ("plot", "sweep", "in", "-o", "OUT"),
    "reproduce": ("reproduce", "in", "-o", "OUT"),
    "demo": ("demo", "-o", "OUT"),
}
VECTORS = ("convert", "clean", "merge", "train")
PICTURES = ("overview", "components", "sweep")


def run(exrpca, command, output):
    arguments = [output if part == "OUT" else part for part in COMMANDS[command]]
    lines = exrpca(*arguments, code=1).stderr.splitlines()
    assert [line.startswith("exrpca: ") for line in lines].count(True) == 1
    return lines[-1]


@pytest.fixture
def bad_input(tmp_path):
    """An input that no command can read: to complain about the output comes first."""
    (tmp_path / "in").write_bytes(b"\xff no vectors, no text")
    return sorted(path.name for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    "command", [name for name in COMMANDS if name not in ("reproduce", "demo")]
)
def test_a_folder_that_does_not_exist(exrpca, command, bad_input, tmp_path):
    name = "no/out.png" if command in PICTURES else "no/out.parquet"
    assert "the folder no does not exist" in run(exrpca, command, name)
    assert sorted(path.name for path in tmp_path.iterdir()) == bad_input


@pytest.mark.parametrize("command", ["reproduce", "demo"])
def test_a_file_where_a_folder_should_be(exrpca, command, bad_input):
    assert "is a file, expected a folder" in run(exrpca, command, "in")


@pytest.mark.parametrize("command", VECTORS)
def test_a_name_that_tells_no_format(exrpca, command, vectors_file, tmp_path):
    (tmp_path / "in").symlink_to(vectors_file)
    error = run(exrpca, command, "out.xyz")
    assert "cannot tell the format from the name 'out.xyz': use a known ending" in error


@pytest.mark.parametrize("command", ["map", "train", "tag", "retag"])
def test_an_output_that_would_overwrite_an_input(exrpca, command, bad_input, tmp_path):
    assert "in: is another file of this command" in run(exrpca, command, "in")
    assert (tmp_path / "in").read_bytes() == b"\xff no vectors, no text"


def test_a_picture_over_the_vectors(exrpca, tmp_path):
    (tmp_path / "in.png").write_text("vectors")
    result = exrpca("plot", "overview", "in.png", "-o", "in.png", code=1)
    assert "is another file of this command" in result.stderr


@pytest.mark.parametrize("command", ["convert", "clean", "merge"])
def test_what_the_format_loses_is_said_once(exrpca, command, vectors_file, tmp_path):
    (tmp_path / "in").symlink_to(vectors_file)
    arguments = ["out.vec" if part == "OUT" else part for part in COMMANDS[command]]
    remarks = exrpca(*arguments).stderr
    expected = "out.vec: the format word2vec does not keep counts, centers, globals, metadata"
    assert remarks.splitlines().count(expected) == 1
    assert exrpca(*arguments, "--quiet").stderr == ""


def test_vectors_may_replace_their_own_file(exrpca, vectors_file, tmp_path):
    own = tmp_path / "own.parquet"
    own.write_bytes(vectors_file.read_bytes())
    exrpca("clean", "own.parquet", "-o", "own.parquet")
    assert own.read_bytes() != vectors_file.read_bytes()


def test_words_are_shown_to_a_terminal_and_do_nothing_to_it(exrpca, tmp_path):
    words = ["bank\x1b[2J\x9b2J", "=1+1", "@cell"]
    save(SenseVectors(words, [[1, 0], [0, 1], [1, 1]], [1, 1, 1]), tmp_path / "a.parquet")
    shown = exrpca("neighbors", "a.parquet", "=1+1").stdout
    assert "bank\\x1b[2J\\x9b2J" in shown
    refused = exrpca("info", "no\x1b[2Jfile", code=1).stderr
    assert "no\\x1b[2Jfile: no such file" in refused
    assert "\x1b" not in shown + refused
    # data is passed on as it is, also what a spreadsheet would take for a formula
    table = exrpca("neighbors", "a.parquet", words[0], "--format", "csv").stdout
    assert pd.read_csv(io.StringIO(table))["neighbor"].tolist() == ["@cell", "=1+1"]

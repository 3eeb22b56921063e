"""What holds for the program as a whole: help, exit codes, one line for bad input."""

import subprocess
from typing import get_args

import pytest
import typer
from typer.testing import CliRunner

from exrpca import __version__
from exrpca.cli.main import app
from exrpca.cli.options import Tokenizer
from exrpca.text.tokens import TOKENIZERS


def every_command(group, path=()):
    """Yield the names and the command of everything that can be run, groups included."""
    for name, command in group.commands.items():
        yield (*path, name), command
        if hasattr(command, "commands"):  # a group, such as plot
            yield from every_command(command, (*path, name))


COMMANDS = dict(every_command(typer.main.get_command(app)))


def test_help_names_every_command(exrpca):
    text = exrpca("--help").stdout
    for path in COMMANDS:
        assert path[0] in text
    assert {("detect",), ("plot", "sweep"), ("datasets", "get")} <= COMMANDS.keys()


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_each_command_has_help(path):
    text = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "200"})
    assert text.exit_code == 0
    assert f"Usage: exrpca {' '.join(path)} " in text.output
    command = COMMANDS[path]
    summary = command.get_short_help_str(limit=200)
    assert summary
    assert summary in text.output
    undocumented = [p.name for p in command.params if not getattr(p, "help", None)]
    assert undocumented == []


def test_version(exrpca):
    assert exrpca("--version").stdout == f"exrpca {__version__}\n"


def test_wrong_usage_exits_with_2(exrpca, vectors_file):
    exrpca("nonsense", code=2)
    exrpca("clean", vectors_file, code=2)  # no --output
    exrpca("info", vectors_file, "--format", "xml", code=2)


def test_bad_input_is_one_line_and_exits_with_1(exrpca, vectors_file, tmp_path):
    for arguments, expected in [
        (("info", "nowhere.txt"), "exrpca: nowhere.txt: no such file"),
        (
            ("neighbors", vectors_file, "animl_001"),
            "no word 'animl_001'; close matches: animal_001",
        ),
        (
            ("clean", vectors_file, "-o", "out.parquet", "--rank", "20"),
            "--rank 20 must be between 1 and 19",
        ),
        (("clean", vectors_file, "-o", "out.parquet", "--method", "ica"), "--method ica"),
        (("clean", vectors_file, "-o", "no/such/out.parquet"), "no/such does not exist"),
    ]:
        result = exrpca(*arguments, code=1)
        assert expected in result.stderr
        assert len(result.stderr.splitlines()) == 1
        assert result.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_closed_pipe_is_no_error_message(program, vectors_file):
    command = f"{program} neighbors {vectors_file} animal_001 -n 500 --format csv | head -1"
    result = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert result.stdout.startswith("sense,")
    assert result.stderr == ""


def test_the_tokenizers_offered_are_those_of_the_library():
    assert get_args(get_args(Tokenizer)[0]) == TOKENIZERS


def test_errors_name_options_where_python_names_arguments(exrpca, tmp_path):
    (tmp_path / "table.csv").write_text("lemma,emb_0,emb_1\nbank,1,2\n")
    said = exrpca("info", "table.csv", code=1).stderr
    assert "pass --columns word=NAME,vector=NAME" in said
    (tmp_path / "a.json").write_text('{"bank": [1, 2]}')
    assert "exrpca.load(words=…, senses=…, vectors=…)" in exrpca("info", "a.json", code=1).stderr

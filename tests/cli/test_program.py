"""What holds for the program as a whole: help, exit codes, one line for bad input."""

import subprocess
from typing import get_args

import pytest

from exrpca import __version__
from exrpca.cli.main import app
from exrpca.cli.options import ProbabilityRule
from exrpca.cli.text import Tokenizer
from exrpca.text.choice import RULES
from exrpca.text.tokens import TOKENIZERS


def test_help_names_every_command(exrpca):
    text = exrpca("--help").stdout
    for command in app.registered_commands:
        assert (command.name or command.callback.__name__) in text


@pytest.mark.parametrize(
    "command", [c.name or c.callback.__name__ for c in app.registered_commands]
)
def test_each_command_has_help(exrpca, command):
    assert "Usage: exrpca" in exrpca(command, "--help").stdout


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
        (("clean", vectors_file, "-o", "out", "--rank", "20"), "rank=20 must be between 1 and 19"),
        (("clean", vectors_file, "-o", "out", "--method", "ica"), "method='ica'"),
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


def test_the_rules_offered_are_those_of_the_library():
    offered = get_args(get_args(ProbabilityRule)[0])
    assert offered == RULES


def test_the_tokenizers_offered_are_those_of_the_library():
    assert get_args(get_args(Tokenizer)[0]) == TOKENIZERS

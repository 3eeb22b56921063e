"""`exrpca encode` as a person would run it."""

import signal
import subprocess
import time

import pytest

from exrpca.contextual import Occurrences
from tests.contextual.conftest import tiny  # noqa: F401


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("The bank, by the river.\nBanks and a cell.\n" * 10)
    return path


def test_words_from_the_command_line_or_a_file(exrpca, text, tiny, tmp_path):  # noqa: F811
    common = ("encode", text, "--encoder", tiny, "-o", "o.parquet")
    said = exrpca(*common, "--words", "bank, cell,nobody").stderr
    assert "not found in the text: nobody" in said
    assert "bank: 10 bank, 10 banks\n" in said
    assert "o.parquet: 30 occurrences of 2 words" in said
    limited = exrpca(*common, "--words", "bank", "--per-word", "5", "--language", "none").stderr
    assert "o.parquet: 5 occurrences of 10, at most 5 per word (--per-word) of 1 word" in limited
    (tmp_path / "words.txt").write_text("bank\n")
    (tmp_path / "forms.csv").write_text("form,word\nbanks,bank\n")
    options = ("--words", "words.txt", "--forms", "forms.csv", "--per-word", "15", "--quiet")
    assert exrpca(*common, *options, "--vector", "target", "--layer", "hidden_0").stderr == ""
    found = Occurrences.load(tmp_path / "o.parquet")
    assert (found.words, len(found)) == (("bank",), 15)
    assert (found.metadata["vector"], found.metadata["layer"]) == ("target", "hidden_0")
    exrpca(*common, "--top", "1", "--per-word", "0")
    assert len(Occurrences.load(tmp_path / "o.parquet")) == 20


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "pass either --words or --top"),
        (("--words", "a", "--top", "3"), "pass either --words or --top"),
        (("--words", "words.txt"), "words.txt: no such file"),
        (("--words", "nobody"), "none of the words occurs in the text: nobody"),
        (("--words", "bank", "--layer", "x"), "has no output 'x'"),
        (("--words", "bank", "--resume", "--forms", "f.csv"), "f.csv: no such file"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    exrpca,
    text,
    tiny,  # noqa: F811
    tmp_path,
    options,
    message,
):
    common = ("encode", text, "--encoder", tiny, "-o", "o.parquet", "--quiet")
    failed = exrpca(*common, *options, code=1)
    assert message in failed.stderr
    assert failed.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == [text]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_continues(exrpca, program, tiny, tmp_path, number):  # noqa: F811
    text = tmp_path / "text.txt"
    text.write_text("the river bank\n" * 20_000)
    output = tmp_path / "o.parquet"
    command = ["encode", text, "--encoder", tiny, "-o", output, "--words", "bank"]
    command += ["--per-word", "0", "--threads", "1"]
    process = subprocess.Popen([program, *command], stderr=subprocess.PIPE, text=True)
    part = tmp_path / "o.parquet.encoding" / "part-000000.npy"
    while not part.exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.005)
    process.send_signal(number)
    said = process.stderr.read()
    assert process.wait() == (130 if number == signal.SIGINT else -signal.SIGTERM)
    assert ("continue with --resume" in said) == (number == signal.SIGINT)
    assert not output.exists()
    exrpca(*command, "--resume")
    assert len(Occurrences.load(output)) == 20_000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["o.parquet", "text.txt"]


def test_a_better_encoder_is_named_when_none_is(exrpca, text, tiny):  # noqa: F811
    said = exrpca("encode", text, "--words", "bank", "-o", "o.parquet").stderr
    assert said.splitlines()[0].startswith("using the encoder that comes with exrpca")
    assert "--encoder mpnet downloads" in said
    said = exrpca("encode", text, "--words", "bank", "--encoder", tiny, "-o", "p.parquet").stderr
    assert "mpnet" not in said

"""Real processes, stopped by real signals."""

import json
import lzma
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exrpca import load
from exrpca.training import train
from exrpca.training.run import Run
from tests.limits import needs_mounts, run_with_mounts, small_disk

PROGRAM = Path(sys.executable).with_name("exrpca")
SETTINGS = [*("--dim", "20"), *("--min-count", "1"), *("--threads", "1"), *("--epochs", "3")]


def command(corpus, output, *more):
    return [PROGRAM, "train", corpus, "-o", output, *SETTINGS, *more]


@pytest.fixture
def run(exrpca):
    """Train by the command line, in this process."""

    def run(corpus, output, *more, code=0):
        return exrpca("train", corpus, "-o", output, *SETTINGS, *more, code=code)

    return run


def run_with_input(output, *more, stdin):
    """Train on standard input, in another process."""
    subprocess.run(command("-", output, *more), stdin=stdin, check=True, capture_output=True)


@pytest.fixture(scope="module")
def uninterrupted(planted_file, tmp_path_factory):
    output = tmp_path_factory.mktemp("whole") / "senses.parquet"
    train(planted_file, output=output, dim=20, min_count=1, threads=1, epochs=3)
    return load(output)


def start_and_signal(corpus, output, number):
    """Start training with frequent checkpoints, send the signal once there is one."""
    process = subprocess.Popen(
        command(corpus, output, "--checkpoint-minutes", "0"), stderr=subprocess.PIPE
    )
    checkpoint = output.with_name(f"{output.name}.training") / "checkpoint.npz"
    while not checkpoint.exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    process.send_signal(number)
    remarks = process.stderr.read().decode()
    return process.wait(), remarks


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_a_resumed_run_equals_an_uninterrupted_one(
    run, planted_file, uninterrupted, tmp_path, number, code
):
    output = tmp_path / "senses.parquet"
    ended, remarks = start_and_signal(planted_file, output, number)
    assert ended == code
    assert ("--resume" in remarks) == (number != signal.SIGKILL)
    assert not output.exists()
    refused = run(planted_file, output, code=1)
    assert "holds an unfinished run" in refused.stderr
    other = run(planted_file, output, "--resume", "--window", "3", code=1)
    assert "started with --window 5, not 3" in other.stderr
    cased = run(planted_file, output, "--resume", "--lowercase", code=1)
    assert "started with --lowercase False, not True" in cased.stderr
    run(planted_file, output, "--resume")
    assert load(output) == uninterrupted
    assert list(tmp_path.iterdir()) == [output]


def test_a_run_is_not_resumed_with_another_text(run, planted_file, uninterrupted, tmp_path):
    output = tmp_path / "senses.parquet"
    start_and_signal(planted_file, output, signal.SIGINT)
    other = tmp_path / "other.txt"
    other.write_text("another text\n")
    refused = run(other, output, "--resume", code=1)
    size = planted_file.stat().st_size
    assert f"planted.txt of {size:,} bytes, not other.txt of 13 bytes" in refused.stderr
    run_with_input(output, "--resume", stdin=subprocess.DEVNULL)  # cannot be compared
    assert load(output) == uninterrupted


def test_a_run_of_another_version_says_so(run, planted_file, tmp_path):
    output = tmp_path / "senses.parquet"
    start_and_signal(planted_file, output, signal.SIGINT)
    started_with = output.with_name(f"{output.name}.training") / "settings.json"
    settings = json.loads(started_with.read_text())
    settings["negative"] = settings.pop("negatives")  # its name in version 0.1
    started_with.write_text(json.dumps(settings))
    refused = run(planted_file, output, "--resume", code=1)
    assert "the run was started by another version of exrpca" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_signal_that_finds_nothing_left_to_train_does_not_lose_the_run(
    planted_file, tmp_path, monkeypatch
):
    train_chunk = Run._train_chunk

    def with_a_signal_in_the_last(self, chunk, plan):
        if chunk == self.total - 1:
            os.kill(os.getpid(), signal.SIGTERM)
        train_chunk(self, chunk, plan)

    monkeypatch.setattr(Run, "_train_chunk", with_a_signal_in_the_last)
    output = tmp_path / "senses.parquet"
    senses = train(planted_file, dim=5, min_count=1, threads=2, output=output)
    assert load(output) == senses
    assert list(tmp_path.iterdir()) == [output]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_while_the_text_is_read_leaves_nothing(tmp_path, number, code):
    output = tmp_path / "senses.parquet"
    process = subprocess.Popen(command("-", output), stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    tokens = output.with_name(f"{output.name}.training") / "tokens.i32"
    while not tokens.exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait() == code
    remarks = process.stderr.read().decode()
    assert "nothing was trained yet" in remarks
    assert "--resume" not in remarks
    assert list(tmp_path.iterdir()) == []


def test_resume_without_a_run_to_resume_begins_one(run, planted_file, uninterrupted, tmp_path):
    output = tmp_path / "senses.parquet"
    started = run(planted_file, output, "--resume")
    assert "no unfinished run to resume, starting a new one" in started.stderr
    assert load(output) == uninterrupted


def test_standard_input_is_the_same_text(planted_file, uninterrupted, tmp_path):
    output = tmp_path / "senses.parquet"
    with planted_file.open("rb") as text:
        run_with_input(output, stdin=text)
    assert load(output) == uninterrupted


def test_bad_input_is_one_line_and_leaves_nothing(run, planted_file, tmp_path):
    cut = tmp_path / "cut.xz"
    cut.write_bytes(lzma.compress(planted_file.read_bytes())[:5000])
    failed = run(cut, tmp_path / "senses.parquet", code=1)
    assert failed.stderr.count("\n") == 1
    assert "cut.xz, line " in failed.stderr
    assert list(tmp_path.iterdir()) == [cut]


def test_two_runs_on_one_output(run, planted_file, uninterrupted, tmp_path):
    output = tmp_path / "senses.parquet"
    first = subprocess.Popen(
        command("-", output), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    tokens = output.with_name(f"{output.name}.training") / "tokens.i32"
    while not tokens.exists():
        assert first.poll() is None, first.stderr.read()
        time.sleep(0.01)
    second = run(planted_file, output, code=1)
    assert f"senses.parquet: process {first.pid} on " in second.stderr
    first.communicate(planted_file.read_bytes())
    assert first.returncode == 0
    assert load(output) == uninterrupted
    assert list(tmp_path.iterdir()) == [output]


@needs_mounts
def test_a_full_disk_at_the_end_loses_nothing(run, planted_file, uninterrupted, tmp_path):
    # the output is on a disk without room, the state is not
    (tmp_path / "disk").mkdir()
    output = tmp_path / "senses.parquet"
    output.symlink_to(tmp_path / "disk" / "real.parquet")
    full = run_with_mounts([small_disk(tmp_path / "disk", "16k")], command(planted_file, output))
    assert full.returncode == 1
    [line] = full.stderr.splitlines()
    assert line.startswith(f"exrpca: {output}: No space left on device; the state is in ")
    assert "resume" in line
    run(planted_file, output, "--resume")
    assert load(output) == uninterrupted
    assert list((tmp_path / "disk").iterdir()) == [tmp_path / "disk" / "real.parquet"]
    assert not output.with_name("senses.parquet.training").exists()


@needs_mounts
def test_a_disk_without_room_for_the_state_is_noticed_first(planted_file, tmp_path):
    (tmp_path / "disk").mkdir()
    output = tmp_path / "disk" / "senses.parquet"
    disk = small_disk(tmp_path / "disk", "1200k")  # 1.1 MB of tokens
    full = run_with_mounts([disk], command(planted_file, output, "--dim", "400"))
    assert full.returncode == 1
    assert "the state of the run needs" in full.stderr
    full = run_with_mounts([small_disk(tmp_path / "disk", "64k")], command(planted_file, output))
    assert full.returncode == 1
    assert "tokens.i32: No space left on device" in full.stderr


def test_closed_standard_input_is_one_line(tmp_path):
    closed = f"{PROGRAM} train - -o {tmp_path}/senses.parquet <&-"
    result = subprocess.run(closed, shell=True, capture_output=True, text=True)
    assert result.stderr == "exrpca: standard input: is closed: pipe a text into it\n"
    assert (result.returncode, list(tmp_path.iterdir())) == (1, [])

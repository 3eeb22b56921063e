import signal
import subprocess
import sys

import pytest

from exrpca import InputError
from exrpca.files import atomic_path, check_output, only_run

HOLD = """
import sys, time
from pathlib import Path
from exrpca.files import only_run
with only_run(Path(sys.argv[1])):
    print("ready", flush=True)
    time.sleep(60)
"""
WRITE = """
import sys, time
from exrpca.files import atomic_path
with atomic_path(sys.argv[1]) as temporary:
    temporary.write_text("half")
    print("ready", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def started():
    processes = []

    def start(program, path):
        process = subprocess.Popen([sys.executable, "-c", program, path], stdout=subprocess.PIPE)
        processes.append(process)
        assert process.stdout.readline() == b"ready\n"
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()


def test_the_second_run_says_who_is_first(tmp_path, started):
    output = tmp_path / "out.parquet"
    first = started(HOLD, output)
    with pytest.raises(InputError) as refused, only_run(output):
        pass
    message = str(refused.value)
    assert message.startswith(f"{output}: process {first.pid} on ")
    assert "has been working on it since" in message
    assert message.endswith("wait for it, or choose another name")
    with only_run(tmp_path / "other.parquet"):
        pass


def test_a_stale_lock_does_not_count(tmp_path, started):
    output = tmp_path / "out.parquet"
    first = started(HOLD, output)
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert (tmp_path / ".out.parquet.lock").exists()
    with only_run(output):
        pass
    assert not list(tmp_path.iterdir())


def test_the_next_run_removes_what_killed_ones_left(tmp_path, started):
    output = tmp_path / "out.txt"
    first = started(WRITE, output)
    unrelated = [tmp_path / ".out.txt.backup.tmp", tmp_path / ".other.txt.01234567.tmp"]
    for path in unrelated:
        path.touch()
    with pytest.raises(InputError, match="has been working on it since"):
        check_output(output)
    [left] = tmp_path.glob(".out.txt.????????.tmp")
    assert left.read_text() == "half"
    first.kill()
    first.wait()
    with atomic_path(output) as temporary:
        temporary.write_text("whole")
    assert output.read_text() == "whole"
    assert sorted(tmp_path.iterdir()) == sorted([output, *unrelated])


def test_a_lock_that_is_a_link_is_not_followed(tmp_path):
    (tmp_path / "own.txt").write_text("mine")
    (tmp_path / ".out.parquet.lock").symlink_to("own.txt")
    with pytest.raises(OSError, match=r"\.lock"), only_run(tmp_path / "out.parquet"):
        pass
    assert (tmp_path / "own.txt").read_text() == "mine"


def test_without_fcntl_the_lock_is_a_file(tmp_path):
    """Windows and some network drives have no locks of POSIX, nor numbers of users."""
    program = (
        "import os, sys\nsys.modules['fcntl'] = None\ndel os.getuid\n"
        "from pathlib import Path\nimport exrpca\n"
        "from exrpca.locks import locked\n"
        "target = Path(sys.argv[1])\n"
        "exrpca.save(exrpca.make_senses(n_words=20, dim=8, seed=0).senses, target)\n"
        "with locked(target) as first, locked(target) as second:\n"
        "    print(first, second, len(exrpca.load(target).words))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, tmp_path / "a.parquet"],
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["True", "False", "20"], done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]

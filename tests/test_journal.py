"""A process that is killed at any step leaves all files old or all new, or the next run says so."""

import itertools
import json
import os
import signal
import subprocess
import warnings

import pytest

from exrpca import make_senses, save
from exrpca.files import atomic_path, check_output, together
from exrpca.journal import InterruptedOutputWarning
from tests.limits import ENVIRONMENT, PROGRAM

CHANGES = ("open", "write", "fsync", "replace", "unlink")


def replace_both(folder):
    with together():
        for name in ("a.txt", "b.csv"):
            with atomic_path(folder / name) as temporary:
                temporary.write_text("new")


def killed_at(folder, step, changes=CHANGES):
    """Replace both files in a process that is killed before its n-th change of the disk.

    Returns whether it lived to be killed.
    """
    child = os.fork()
    if child == 0:
        left = step

        def counted(call):
            def counting(*arguments, **options):
                nonlocal left
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return call(*arguments, **options)

            return counting

        for name in changes:
            setattr(os, name, counted(getattr(os, name)))
        replace_both(folder)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir() if path.name[0] != "."}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "b.csv").write_text("old")
    return tmp_path


def test_a_kill_at_every_step(folder):
    half_done = 0
    for step in itertools.count(1):
        for name in ("a.txt", "b.csv"):
            (folder / name).write_text("old")
        if not killed_at(folder, step):
            break
        before = set(contents(folder).values())
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            # either file brings the other along
            check_output(folder / ("a.txt", "b.csv")[step % 2])
        assert len(set(contents(folder).values())) == 1, step
        if len(before) > 1:
            half_done += 1
            assert "killed while it replaced a.txt and b.csv: all are new" in str(said[0].message)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_output(folder / "a.txt")
            check_output(folder / "b.csv")
        assert sorted(path.name for path in folder.iterdir()) == ["a.txt", "b.csv"]
    assert half_done > 0
    assert step > 10


def test_the_program_says_so_even_if_it_is_to_be_quiet(folder):
    save(make_senses(n_words=5, dim=3, n_components=1, seed=0).senses, folder / "in.parquet")
    assert killed_at(folder, 2, ["replace"])
    convert = [*PROGRAM, "convert", folder / "in.parquet", folder / "b.csv", "--quiet"]
    convert += ["--writer", "word2vec"]
    result = subprocess.run(convert, capture_output=True, text=True, env=ENVIRONMENT)
    assert result.returncode == 0, result.stderr
    assert "killed while it replaced a.txt and b.csv: all are new now\n" in result.stderr
    assert (folder / "a.txt").read_text() == "new"


def test_what_cannot_be_finished_is_said(folder):
    assert killed_at(folder, 2, ["replace"])
    assert contents(folder) == {"a.txt": "new", "b.csv": "old"}
    for temporary in folder.glob(".b.csv.*.tmp"):
        temporary.unlink()
    with pytest.warns(InterruptedOutputWarning, match="contents may not match: run it again"):
        check_output(folder / "b.csv")
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt", "b.csv"]


def test_before_the_first_rename_all_stay_old(folder):
    assert killed_at(folder, 1, ["replace"])
    for temporary in folder.glob(".b.csv.*.tmp"):
        temporary.unlink()
    with pytest.warns(InterruptedOutputWarning, match="none is changed"):
        check_output(folder / "a.txt")
    assert contents(folder) == {"a.txt": "old", "b.csv": "old"}


def test_an_error_leaves_all_files_old(folder):
    with pytest.raises(RuntimeError), together():
        with atomic_path(folder / "a.txt") as temporary:
            temporary.write_text("new")
        raise RuntimeError
    assert contents(folder) == {"a.txt": "old", "b.csv": "old"}
    assert len(list(folder.iterdir())) == 2


def test_blocks_may_be_nested(folder):
    with together():
        with together(), atomic_path(folder / "a.txt") as temporary:
            temporary.write_text("new")
        assert (folder / "a.txt").read_text() == "old"
    assert (folder / "a.txt").read_text() == "new"


def test_a_damaged_journal_is_dropped(folder):
    (folder / ".a.txt.journal").write_text('[{"temp')
    with warnings.catch_warnings():
        warnings.simplefilter("error", InterruptedOutputWarning)
        check_output(folder / "a.txt")
    assert contents(folder) == {"a.txt": "old", "b.csv": "old"}
    assert len(list(folder.iterdir())) == 2


def test_a_journal_moves_nothing_but_temporary_files(folder):
    """Others may write to the folder, and so may put a journal there."""
    victim = folder / "own.txt"
    victim.write_text("mine")
    move = {"temporary": str(victim), "target": str(folder / "a.txt")}
    moves = [{**move, "inode": victim.stat().st_ino}]
    (folder / ".a.txt.journal").write_text(json.dumps(moves))
    check_output(folder / "a.txt")
    assert contents(folder) == {"a.txt": "old", "b.csv": "old", "own.txt": "mine"}

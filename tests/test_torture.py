"""A short form of `make torture`: the same attacks, fewer of each.

They fork, which is safe only in a process without threads: each attack gets a new one.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs to fork")

ROOT = Path(__file__).parents[1]
PROGRAM = """
import json, sys
from benchmarks.harness import SkippedError
from benchmarks.torture import bit_flips, full_disk, kills, mutations
try:
    print(json.dumps(eval(sys.argv[1])))
except SkippedError as reason:
    print(json.dumps({"skipped": str(reason)}))
"""


def attack(expression):
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, expression],
        env=os.environ | one_thread | {"PYTHONPATH": path},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout.splitlines()[-1])
    if "skipped" in found:
        pytest.skip(found["skipped"])
    return found


def test_damaged_files_are_read_or_refused():
    found = attack("mutations.attack(2600, seed=1)")
    assert found["failures"] == {}
    assert found["survived"] == found["tries"] >= 2600
    # the last net is for what no reader foresaw
    assert found["refused by the last net"] < 0.01 * found["tries"]


def test_flipped_bits_are_noticed():
    found = attack("bit_flips.attack(300, seed=1)")
    assert found["survived"] >= 0.99 * found["tries"]
    assert found["refused"] > 0.9 * found["tries"]


def test_killed_commands_leave_whole_files_and_can_be_run_again():
    found = attack("kills.attack(6, seed=1)")
    assert found["failures"] == {}
    assert found["tries"] == 6


def test_a_full_disk_loses_nothing():
    points = ("convert, compressed text", "convert, native", "merge, the map", "train, the vectors")
    found = attack(f"full_disk.attack({points!r})")
    assert found["failures"] == {}
    assert found["tries"] == len(points)

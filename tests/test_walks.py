"""The walks that CONTRIBUTING.md shows are those of the code."""

import subprocess
import sys

import pytest

from scripts.walk import MARKED, PAGE, ROOT


def test_the_walks_are_those_of_the_code():
    if not MARKED.search(PAGE.read_text(encoding="utf-8")):
        pytest.skip("CONTRIBUTING.md has no place for them")
    # a process of its own: what earlier tests cached would be missing
    result = subprocess.run(
        [sys.executable, "-m", "scripts.walk", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr

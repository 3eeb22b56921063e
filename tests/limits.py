"""Processes with little room: read-only disks and full ones, as any user and as root.

A user namespace lets everybody mount file systems for one process. Where the system forbids
that, as in some containers, the tests that need it are skipped.
"""

import functools
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import exrpca

PROGRAM = [sys.executable, "-c", "from exrpca.cli.main import run; run()"]
# the package that is tested, wherever it is installed
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(exrpca.__file__).parents[1])}


@functools.cache
def can_mount():
    command = ["unshare", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


needs_mounts = pytest.mark.skipif(
    not can_mount(), reason="mounting in a user namespace is not possible here"
)


def run_with_mounts(mounts, command, **options):
    """Run a command after some shell commands, such as mount, that only it sees."""
    script = " && ".join([*mounts, f"exec {shlex.join(map(str, command))}"])
    return subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script],
        capture_output=True,
        text=True,
        **{"env": ENVIRONMENT} | options,
    )


def small_disk(folder, size):
    """Return the command that mounts an empty disk of some size on a folder."""
    return f"mount -t tmpfs -o size={size} none {shlex.quote(str(folder))}"

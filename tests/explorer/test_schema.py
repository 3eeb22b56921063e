import subprocess
import sys
from pathlib import Path


def test_answers_are_those_described(address, tmp_path):
    """Schemathesis asks for everything the description allows, and for much that it forbids."""
    program = Path(sys.executable).with_name("schemathesis")
    result = subprocess.run(
        [program, "run", f"{address}openapi.json", "--max-examples=20", "--seed=1", "--no-color"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert result.returncode == 0, result.stdout

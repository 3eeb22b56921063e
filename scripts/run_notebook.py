"""Run the notebooks of the docs again and keep their outputs.

Usage: EXRPCA_DATA=folder python -m scripts.run_notebook [NAME...]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from exrpca.files import atomic_path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "explanation"
NOTEBOOKS = {name: FOLDER / f"{name}.ipynb" for name in ("real-data", "senses", "periods")}
# Seconds that a cell may take.
LONGEST = 1200


def executed(name: str) -> Any:
    """Return the notebook of a name with the outputs of a fresh run."""
    notebook = nbformat.read(NOTEBOOKS[name], as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(
        notebook,
        timeout=LONGEST,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(FOLDER)}},
    ).execute()
    return notebook


def main() -> None:
    for name in sys.argv[1:] or NOTEBOOKS:
        notebook = executed(name)
        with atomic_path(NOTEBOOKS[name]) as temporary:
            nbformat.write(notebook, temporary)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()

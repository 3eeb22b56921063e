"""Run the notebook of the docs again and keep its outputs.

Usage: EXRPCA_DATA=folder python -m scripts.run_notebook
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from exrpca.files import atomic_path

NOTEBOOK = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "real-data.ipynb"
# Seconds that a cell may take.
LONGEST = 1200


def executed() -> Any:
    """Return the notebook with the outputs of a fresh run."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=LONGEST, kernel_name="python3", record_timing=False).execute()
    return notebook


def main() -> None:
    notebook = executed()
    with atomic_path(NOTEBOOK) as temporary:
        nbformat.write(notebook, temporary)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()

"""The notebooks of the docs: their outputs are there, and a fresh run gives the same numbers."""

import os
import re

import nbformat
import pytest

from scripts.run_notebook import NOTEBOOKS, executed


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def printed(notebook):
    """The text of all outputs but pictures, which have no number to compare."""
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    return [o.data["text/plain"] for o in outputs if "data" in o and "image/png" not in o.data]


def numbers(text):
    return [float(number) for number in re.findall(r"\d+\.\d+", text)]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_notebook_was_run_from_top_to_bottom(name):
    notebook = nbformat.read(NOTEBOOKS[name], as_version=4)
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))


@pytest.mark.parametrize(("name", "n_outputs"), [("real-data", 7), ("senses", 6), ("periods", 4)])
def test_a_fresh_run_gives_the_numbers_shown(name, n_outputs):
    if not os.environ.get("EXRPCA_DATA"):
        pytest.skip("needs matrices/ and wsi/ in the folder EXRPCA_DATA")
    shown, fresh = printed(nbformat.read(NOTEBOOKS[name], as_version=4)), printed(executed(name))
    assert len(shown) == len(fresh) == n_outputs
    for old, new in zip(shown, fresh, strict=True):
        assert numbers(new) == pytest.approx(numbers(old), rel=0.03, abs=0.02)
        assert re.sub(r"[\d.]+", "", old).split() == re.sub(r"[\d.]+", "", new).split()

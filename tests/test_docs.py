"""The tables of the docs, and the constants of the code, are those of the committed results."""

import json
import runpy
from pathlib import Path

import pytest

from exrpca.cleaning.detect import _CALIBRATION

ROOT = Path(__file__).resolve().parent.parent
fill_docs = runpy.run_path(str(ROOT / "scripts" / "fill_docs.py"))


@pytest.mark.parametrize("page", fill_docs["PAGES"], ids=lambda page: page.name)
def test_tables_are_those_of_the_results(page):
    text = page.read_text(encoding="utf-8")
    assert fill_docs["filled"](text) == text, "run `make docs`"


def test_every_table_has_its_place():
    pages = "".join(page.read_text(encoding="utf-8") for page in fill_docs["PAGES"])
    assert {found[1] for found in fill_docs["MARKED"].findall(pages)} == fill_docs["TABLES"].keys()


def test_probabilities_are_calibrated_as_measured():
    results = json.loads((ROOT / "benchmarks" / "results" / "pseudowords.json").read_text())
    fitted = results["calibration fitted on the chosen seeds"]
    names = {
        (True, True): "vectors, counts and centers",
        (False, True): "vectors and centers",
        (True, False): "vectors and counts",
        (False, False): "vectors alone",
    }
    for known, calibration in _CALIBRATION.items():
        assert calibration._asdict() == pytest.approx(fitted[names[known]], abs=1e-3)

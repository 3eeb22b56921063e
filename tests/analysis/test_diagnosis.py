"""The diagnosis: what it finds, and that its page says so."""

import numpy as np
import pytest

from exrpca import SenseVectors, make_senses
from exrpca.analysis import diagnose


@pytest.fixture(scope="module")
def found():
    return diagnose(make_senses(n_words=600, n_components=2, real_share=0.3).senses, name="<x>")


def test_page_says_what_was_found(found):
    text = found.text()
    assert text.startswith("# Diagnosis of <x>\n")
    assert str(found.real_share) in text
    assert "(rank 2)" in text
    assert "exrpca clean VECTORS -o clean.parquet --rank 2" in text
    n_real = (found.pairs["verdict"] == "real").sum()
    assert f"| real | {n_real} |" in text
    assert f"would leave {found.n_left.sum():,} of {len(found.senses.vectors):,} senses" in text


def test_html_is_self_contained_and_escaped(found):
    page = found.html()
    assert page.startswith("<!doctype html>")
    assert "<x>" not in page
    assert "http" not in page
    for section in ("The vectors", "How many pairs are real?", "What to do next"):
        assert f"<h2>{section}</h2>" in page


def test_vectors_that_tell_nothing_get_no_advice_to_change_them():
    rng = np.random.default_rng(0)
    words = rng.normal(size=(300, 1, 10)) * 3
    vectors = (words + rng.normal(size=(300, 2, 10))).reshape(-1, 10)
    found = diagnose(SenseVectors(map(str, range(300)), vectors, [2] * 300))
    text = found.text()
    assert "The share of real pairs is unknown." in text
    assert "Missing: counts, centers, globals." in text
    assert "Not likely (rank 0)" in text
    assert "no pair is called pseudo" in text
    assert "exrpca merge" not in text
    assert "exrpca clean" not in text


def test_few_pairs_have_no_direction():
    found = diagnose(SenseVectors(["a"], [[1, 2, 3], [3, 2, 1]], [2]))
    assert "too few pairs" in found.text()

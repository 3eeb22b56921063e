"""The diagnosis: what it finds, and that its page says so without contradicting itself."""

import numpy as np
import pytest

from exrpca import SenseVectors, diagnose, make_senses


@pytest.fixture(scope="module")
def found():
    return diagnose(make_senses(n_words=600, n_components=2, real_share=0.3).senses, name="<x>")


def test_page_says_what_was_found(found):
    text = found.text()
    assert text.startswith("# Diagnosis of <x>\n")
    assert f"about {found.pairs['probability'].mean():.0%} are expected to be real" in text
    assert "exrpca clean VECTORS -o clean.parquet --rank 2" in text
    n_real = (found.pairs["verdict"] == "real").sum()
    assert f"| real | two meanings | {n_real} |" in text
    assert f"would leave {found.n_left.sum():,} of {len(found.senses.vectors):,} senses" in text
    assert "evaluate VECTORS merged.parquet clean.parquet" in text


def test_html_is_self_contained_and_escaped(found):
    page = found.html()
    assert page.startswith("<!doctype html>")
    assert "<x>" not in page
    assert "http" not in page
    for section in ("The vectors", "How many pairs are real?", "What to do next"):
        assert f"<h2>{section}</h2>" in page


def test_vectors_that_tell_nothing_get_no_advice_to_change_them():
    rng = np.random.default_rng(0)
    senses = SenseVectors(map(str, range(300)), rng.normal(size=(600, 10)), [2] * 300)
    text = diagnose(senses).text()
    assert "Nobody can tell from these vectors" in text
    assert "no pair is called pseudo, so there is nothing to join" in text
    assert "exrpca clean" not in text
    assert "exrpca merge" not in text
    assert "merged.parquet" not in text
    assert "--corpus TEXT" in text


def test_few_pairs_have_no_direction():
    found = diagnose(SenseVectors(["a"], [[1, 2, 3], [3, 2, 1]], [2]))
    assert "Nobody can tell either" in found.text()

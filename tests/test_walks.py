"""The walks that CONTRIBUTING.md shows are those of the code."""

import pytest

from scripts.walk import MARKED, PAGE, filled


def test_the_walks_are_those_of_the_code():
    page = PAGE.read_text(encoding="utf-8")
    if not MARKED.search(page):
        pytest.skip("CONTRIBUTING.md has no place for them")
    assert filled(page) == page, "run `python -m scripts.walk`"

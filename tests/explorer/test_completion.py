import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exrpca.explorer.completion import Completion
from exrpca.senses import SenseVectors

WORDS = st.lists(st.text("aAbBéß/<", min_size=1, max_size=4), min_size=1, max_size=30, unique=True)


def completion(words, counts=None):
    return Completion(
        SenseVectors(words, np.ones((len(words), 1)), [1] * len(words), counts=counts)
    )


def test_frequent_words_first_and_the_typed_word_before_all():
    found = completion(["banks", "bank", "bandit", "Bank"], [50, 5, 100, 1])
    assert found.find("ban", 3) == ["bandit", "banks", "bank"]
    assert found.find("bank", 3) == ["bank", "Bank", "banks"]
    assert found.find("x", 3) == []


def test_without_counts_the_order_of_the_file_counts():
    assert completion(["banks", "bank", "band"]).find("BA", 2) == ["banks", "bank"]


@given(WORDS, st.text("aAbBéß/<", max_size=3))
def test_finds_exactly_the_words_that_begin_so(words, beginning):
    expected = {word for word in words if word.casefold().startswith(beginning.casefold())}
    found = completion(words).find(beginning, len(words))
    assert set(found) == expected
    assert len(found) == len(expected)

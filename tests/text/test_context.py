"""The window around a token, and the vector it makes."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca import InputError
from exrpca.senses import SenseVectors
from exrpca.text.context import ContextSettings, context_vectors, windows


@given(
    lengths=st.lists(st.integers(0, 9), min_size=1, max_size=5),
    window=st.integers(1, 6),
    data=st.data(),
)
def test_the_nearest_tokens_of_the_line_count(lengths, window, data):
    n = sum(lengths)
    numbers = data.draw(st.lists(st.integers(-1, n), min_size=n, max_size=n))
    starts = np.cumsum([0, *lengths])
    vectors = np.eye(n + 1, dtype=np.float32)
    around = windows(starts, np.arange(n), ContextSettings(window))
    found = context_vectors(vectors, np.array(numbers, dtype=np.int64), around)
    for start, end in itertools.pairwise(starts):
        for place in range(start, end):
            left = numbers[max(start, place - window) : place]
            right = numbers[place + 1 : min(end, place + 1 + window)]
            known = [i for i in left + right if i >= 0]
            np.testing.assert_array_equal(found[place], vectors[known].sum(axis=0))


def test_a_window_has_tokens():
    with pytest.raises(InputError, match="window=0 must be at least 1"):
        ContextSettings(window=0)


def test_the_window_of_the_centers_is_the_default():
    senses = SenseVectors(["a"], [[1.0]], [1], metadata={"context": {"window": 7}})
    assert ContextSettings.of(senses) == ContextSettings(window=7)
    assert ContextSettings.of(senses, 2) == ContextSettings(window=2)
    assert ContextSettings.of(senses.replace(metadata={})) == ContextSettings(window=5)

"""The contexts of training: what they are made of, and that a text has the same ones later."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from exrpca.text.context import ContextSettings, context_vectors, windows
from exrpca.training.kernel import LINE_END, _slide
from exrpca.training.opening import to_context_rows

N_WORDS, DIM = 6, 3


@njit
def slide(place, begin, end, tokens, rows, reach, total):
    """Call what only compiled code can call."""
    return _slide(place, begin, end, tokens, rows, reach, total)


@given(
    lines=st.lists(st.lists(st.integers(0, N_WORDS - 1), max_size=12), min_size=1, max_size=5),
    window=st.integers(1, 5),
    data=st.data(),
)
def test_a_sliding_window_gives_the_contexts_by_which_senses_are_chosen(lines, window, data):
    rows = np.random.default_rng(0).normal(size=(N_WORDS, DIM)).astype(np.float32)
    with_ends = np.array([token for line in lines for token in (*line, LINE_END)], np.int32)
    places = np.flatnonzero(with_ends != LINE_END)
    seen = np.array([data.draw(st.booleans()) for _ in places], bool)  # the rest is subsampled
    starts = np.cumsum([0, *map(len, lines)])
    tokens = with_ends[places].astype(np.int64)
    around = windows(starts, np.flatnonzero(seen), ContextSettings(window))
    expected = context_vectors(rows, tokens, around)
    total, begin, end = np.empty(DIM, np.float32), 0, 0
    for place, context in zip(places[seen], expected, strict=True):
        begin, end = slide(place, begin, end, with_ends, rows, window, total)
        np.testing.assert_allclose(total - rows[with_ends[place]], context, atol=1e-5)


def text(n_words, n_tokens):
    random = np.random.default_rng(0)
    share = 1 / np.arange(1, n_words + 1)
    tokens = random.choice(n_words, n_tokens, p=share / share.sum()).astype(np.int32)
    tokens[::20] = LINE_END
    return tokens, np.bincount(tokens[tokens != LINE_END], minlength=n_words)


def test_contexts_lack_the_direction_that_they_share():
    tokens, counts = text(200, 20_000)
    vectors = np.random.default_rng(1).normal(size=(200, 8)).astype(np.float32)
    vectors[:, 0] += 5
    to_context_rows(vectors, counts, tokens, window=5, seed=1)
    assert np.abs(vectors[:, 0]).max() < 0.1 * np.abs(vectors).max()
    assert np.linalg.matrix_rank(vectors, tol=1e-4 * np.abs(vectors).max()) == 7


def test_frequent_words_count_less():
    tokens, counts = text(200, 20_000)
    vectors = np.random.default_rng(1).normal(size=(200, 8)).astype(np.float32)
    to_context_rows(vectors, counts, tokens, window=5, seed=1)
    lengths = np.linalg.norm(vectors, axis=1)
    assert lengths[:5].max() < 0.1 * lengths[-50:].mean()

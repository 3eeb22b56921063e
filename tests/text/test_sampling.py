"""Contexts drawn from a text: which, how many, and what is around them."""

import numpy as np

from exrpca import SenseVectors
from exrpca.text.choice import sense_cosines
from exrpca.text.context import ContextSettings
from exrpca.text.lookup import Lookup
from exrpca.text.sampling import sample_contexts
from exrpca.text.tagging import numbered_blocks


def some_senses(window=2):
    rng = np.random.default_rng(0)
    words = ["bank", "cell", *(f"w{i}" for i in range(30))]
    return SenseVectors(
        words,
        rng.normal(size=(34, 4)),
        [2, 2, *[1] * 30],
        centers=rng.normal(size=(34, 4)),
        globals=rng.normal(size=(32, 4)),
        metadata={"context": {"window": window}},
    )


def some_lines(n=300):
    rng = np.random.default_rng(1)
    vocabulary = ["bank", "cell", "unknown", *(f"w{i}" for i in range(30))]
    return [[vocabulary[i] for i in rng.integers(33, size=rng.integers(1, 9))] for _ in range(n)]


def test_drawn_contexts_select_the_senses_that_the_text_does() -> None:
    senses, lines = some_senses(), some_lines()
    words = np.array([0, 1])
    sampled = sample_contexts(senses, lines, words, 10_000)
    (_, tokens, starts), *_ = numbered_blocks(lines, Lookup(senses).__getitem__)
    settings = ContextSettings.of(senses)
    at = np.concatenate([np.flatnonzero(tokens == word) for word in words])
    expected = sense_cosines(senses, tokens, starts, at, settings)
    found = sense_cosines(senses, *sampled.as_text(words), settings)
    np.testing.assert_allclose(found.values, expected.values, atol=1e-6)
    assert sampled.counts[:2].tolist() == [(tokens == word).sum() for word in words]


def test_no_more_than_asked_and_each_as_likely() -> None:
    senses = some_senses(window=1)
    lines = [[f"w{i}", "bank"] for i in range(30)]
    drawn = np.zeros(30, dtype=int)
    for seed in range(400):
        sampled = sample_contexts(senses, lines, np.array([0]), 6, seed=seed)
        before = sampled.drawn[0, :, 0] - 2
        assert len(set(before.tolist())) == 6  # no occurrence is drawn twice
        drawn[before] += 1
    # 80 each by expectation; 4 standard deviations are 32
    assert drawn.min() > 48
    assert drawn.max() < 112
    assert sampled.n_drawn(np.array([0])).tolist() == [6]


def test_a_word_that_does_not_occur_has_no_context() -> None:
    sampled = sample_contexts(some_senses(), [["bank", "w1"]], np.array([0, 1]), 5)
    tokens, starts, at = sampled.as_text(np.array([1]))
    assert len(tokens) == len(at) == 0
    assert starts.tolist() == [0]
    assert sampled.n_drawn(np.array([0, 1])).tolist() == [1, 0]

"""Opening senses: the contexts of a word, grouped."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from exrpca.training import Settings
from exrpca.training.kernel import LINE_END
from exrpca.training.opening import CONTEXTS_PER_WORD, _draw_places, open_senses
from exrpca.training.run import Run
from exrpca.training.vocabulary import Vocabulary
from exrpca.training.weights import initial_weights

N_WORDS, DIM, TOPICS = 8, 6, 2
BANK, ALONE = 0, 7


def text(n_lines=600):
    """Word 0 is in all lines; words 1 to 3 and 4 to 6 are two topics; word 7 is alone in lines."""
    random = np.random.default_rng(0)
    lines = []
    for number in range(n_lines):
        topic = 1 + 3 * (number % TOPICS)
        lines += [BANK, *random.integers(topic, topic + 3, 4), LINE_END]
    return np.array([*lines, ALONE, LINE_END, ALONE, LINE_END], np.int32)


def opened(threads=1, **settings):
    tokens = text()
    counts = np.bincount(tokens[tokens != LINE_END], minlength=N_WORDS)
    vocabulary = Vocabulary(tuple(map(str, range(N_WORDS))), counts)
    chosen = Settings(dim=DIM, multi_sense_top=N_WORDS, contexts="globals", **settings)
    weights = initial_weights(vocabulary, chosen)
    weights.globals[:] = np.random.default_rng(1).normal(size=weights.globals.shape) / 20
    weights.globals[1:4, 0] += 1
    weights.globals[4:7, 1] += 1
    plan = Run(tokens, vocabulary, chosen, weights)._plan(chosen.single_sense_epochs)
    with ThreadPoolExecutor(threads) as pool:
        open_senses(tokens, weights, plan, seed=3, pool=pool)
    return weights


def test_a_word_of_two_topics_gets_a_sense_for_each():
    weights = opened(max_senses=2)
    assert weights.n_senses[BANK] == TOPICS
    first, second = (
        weights.centers[:TOPICS] / np.linalg.norm(weights.centers[:TOPICS], axis=1)[:, None]
    )
    assert abs(first @ second) < 0.3
    assert {int(np.abs(first).argmax()), int(np.abs(second).argmax())} == {0, 1}


def test_each_sense_begins_with_the_vector_of_the_word():
    weights = opened(max_senses=2, optimizer="adagrad", window_negatives=0)
    np.testing.assert_array_equal(weights.vectors[0], weights.vectors[1])
    np.testing.assert_array_equal(weights.squared_vectors[0], weights.squared_vectors[1])


def test_a_word_without_contexts_keeps_one_sense():
    assert opened().n_senses[ALONE] == 1


def test_threads_do_not_matter():
    one, three = opened(threads=1), opened(threads=3)
    np.testing.assert_array_equal(one.centers, three.centers)
    np.testing.assert_array_equal(one.n_senses, three.n_senses)


@pytest.mark.parametrize("n_tokens", [50, CONTEXTS_PER_WORD, 5000])
def test_places_are_drawn_once_each_and_from_everywhere(n_tokens):
    tokens = np.zeros(n_tokens, np.int32)
    places, seen = np.empty((1, CONTEXTS_PER_WORD), np.int32), np.zeros(1, np.int64)
    _draw_places(tokens, places, seen, np.uint64(12345))
    drawn = places[0, : seen[0]]
    assert seen[0] == n_tokens
    assert len(set(drawn)) == min(n_tokens, CONTEXTS_PER_WORD)
    assert abs(drawn.mean() / n_tokens - 0.5) < 0.1

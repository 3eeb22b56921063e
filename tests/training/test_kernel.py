"""One chunk of training: the step it takes on average."""

import numpy as np
import pytest

from exrpca.training.kernel import (
    LINE_END,
    SIGMOID,
    Plan,
    Tables,
    Weights,
    train_chunk,
)
from exrpca.training.prefetch import prefetch_row

N_WORDS, DIM = 8, 4


def fresh_weights():
    random = np.random.default_rng(0)

    def rows():
        return random.normal(scale=0.5, size=(N_WORDS, DIM)).astype(np.float32)

    none = np.zeros((0, DIM), np.float32)
    return Weights(
        globals=rows(), contexts=none, vectors=rows(), centers=rows(),
        counts=np.zeros(N_WORDS, np.int64), n_senses=np.ones(N_WORDS, np.int32),
        squared_globals=none, squared_vectors=none,
    )  # fmt: skip


def plan(window_negatives):
    return Plan(
        window=2, negatives=2, window_negatives=window_negatives, n_multi=0, max_senses=1,
        with_senses=False, context_window=0, prior=0, threshold=-2.0, adagrad=False,
    )  # fmt: skip


def changes_of_globals(window_negatives, seeds):
    """Return what one chunk adds to the global vectors, for each seed."""
    words = np.repeat(np.arange(N_WORDS, dtype=np.int32), np.arange(N_WORDS, 0, -1))
    tables = Tables(keep=np.ones(N_WORDS, np.float32), negatives=words, sigmoid=SIGMOID)
    tokens = np.array([0, 3, 1, 2, 5, LINE_END, 4, 0, 7, 6, 1, 1, 2, LINE_END], np.int32)
    found = []
    for seed in seeds:
        weights = fresh_weights()
        train_chunk(tokens, weights, tables, plan(window_negatives), 1e-3, seed)
        found.append(weights.globals - fresh_weights().globals)
    return np.array(found, np.float64)


@pytest.mark.parametrize("window_negatives", [3, 15])
def test_shared_negatives_take_the_same_step_on_average(window_negatives):
    own = changes_of_globals(0, range(1, 1001))
    shared = changes_of_globals(window_negatives, range(5001, 6001))
    error = np.sqrt((own.var(axis=0) + shared.var(axis=0)) / len(own))
    assert (np.abs(own.mean(axis=0)) > 10 * error).mean() > 0.5  # there are steps to compare
    assert (np.abs(own.mean(axis=0) - shared.mean(axis=0)) < 5 * error).all()


def test_fetching_a_row_ahead_changes_nothing():
    matrix = np.arange(60, dtype=np.float32).reshape(3, 20)
    for row in range(3):
        prefetch_row(matrix, row)
    np.testing.assert_array_equal(matrix.ravel(), np.arange(60))

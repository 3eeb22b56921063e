"""How long it takes only to change the rows that training changes: what memory alone costs."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from exrpca.training import Settings
from exrpca.training.kernel import LINE_END
from exrpca.training.prefetch import prefetch_row
from exrpca.training.weights import lookup_tables

# Rows that are changed in a measurement, by each thread, and how far ahead they are requested.
N_TOUCHED, AHEAD = 2_000_000, 40


@njit(nogil=True, fastmath=True)
def _touch(numbers, arrays, step):  # type: ignore[no-untyped-def]
    """Change the numbered rows of each array."""
    for t in range(len(numbers) - AHEAD):
        for array in arrays:
            prefetch_row(array, numbers[t + AHEAD])
        row = numbers[t]
        for array in arrays:
            for d in range(array.shape[1]):
                array[row, d] += step


def seconds_to_touch(numbered: Any, settings: Settings, n_arrays: int, threads: int) -> float:
    """Return the time to change the rows of all targets of an epoch, in one or more arrays.

    Rows are drawn as training meets them: context words as the text has them after subsampling,
    negatives from their table. A token has about as many context words as its window reaches on
    average.
    """
    vocabulary, tokens = numbered
    tables, rng = lookup_tables(vocabulary, settings), np.random.default_rng(0)
    words = tokens[tokens != LINE_END]
    words = words[rng.random(len(words)) < tables.keep[words]]
    n_targets = len(words) * (1 + settings.window) * (1 + settings.negatives)
    numbers = [_targets(words, tables.negatives, settings.negatives, rng) for _ in range(threads)]
    arrays = tuple(
        np.zeros((len(vocabulary.words), settings.dim), np.float32) for _ in range(n_arrays)
    )
    step = np.float32(1e-6)
    _touch(numbers[0][: 2 * AHEAD], arrays, step)  # compiles
    with ThreadPoolExecutor(threads) as pool:
        start = time.perf_counter()
        list(pool.map(lambda some: _touch(some, arrays, step), numbers))
        seconds = time.perf_counter() - start
    return seconds * n_targets / (threads * N_TOUCHED)


def _targets(
    words: NDArray[np.int32], table: NDArray[np.int32], negatives: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """Return the rows of context words and of negatives, in the shares that training has."""
    targets = table[rng.integers(len(table), size=N_TOUCHED)]
    context = rng.random(N_TOUCHED) < 1 / (1 + negatives)
    targets[context] = words[rng.integers(len(words), size=int(context.sum()))]
    return np.asarray(targets)

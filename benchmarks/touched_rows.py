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

# Tokens of each thread in a measurement, and how many rows ahead a row is requested.
N_TOKENS, AHEAD = 100_000, 40


@njit
def _targets(tokens, keep, table, window, negatives, rng):  # type: ignore[no-untyped-def]
    """Return the rows that training changes, in its order: context words, then negatives."""
    kept = np.array([word for word in tokens if word < 0 or rng.random() < keep[word]])
    targets = np.empty(2 * window * (1 + negatives) * len(kept), np.int32)
    n = 0
    for i in range(len(kept)):
        first, reach = n, rng.integers(1, window + 1)
        for side in (-1, 1):
            for step in range(1, reach + 1):
                j = i + side * step
                if kept[i] < 0 or j < 0 or j >= len(kept) or kept[j] < 0:
                    break
                targets[n] = kept[j]
                n += 1
        for _ in range(negatives * (n - first)):
            targets[n] = table[rng.integers(0, len(table))]
            n += 1
    return targets[:n]


@njit(nogil=True, fastmath=True)
def _touch(targets, arrays, step):  # type: ignore[no-untyped-def]
    """Change the rows of the targets in each array."""
    for t in range(len(targets) - AHEAD):
        for array in arrays:
            prefetch_row(array, targets[t + AHEAD])
        row = targets[t]
        for array in arrays:
            for d in range(array.shape[1]):
                array[row, d] += step


def seconds_to_touch(numbered: Any, settings: Settings, n_arrays: int, threads: int) -> float:
    """Return the time to change the rows of all targets of an epoch, in one or more arrays."""
    vocabulary, tokens = numbered
    tables, rng = lookup_tables(vocabulary, settings), np.random.default_rng(0)
    targets = [
        _targets(part, tables.keep, tables.negatives, settings.window, settings.negatives, rng)
        for part in _parts(tokens, threads)
    ]
    shape = (len(vocabulary.words), settings.dim)
    arrays = tuple(np.ones(shape, np.float32) for _ in range(n_arrays))
    step = np.float32(1e-6)
    _touch(targets[0][: 2 * AHEAD], arrays, step)  # compiles
    with ThreadPoolExecutor(threads) as pool:
        start = time.perf_counter()
        list(pool.map(lambda some: _touch(some, arrays, step), targets))
        seconds = time.perf_counter() - start
    return seconds * len(tokens) / (threads * N_TOKENS)


def _parts(tokens: NDArray[np.int32], n: int) -> list[NDArray[np.int32]]:
    """Return parts of the text from different places, each from the beginning of a line."""
    starts = [int(len(tokens) * part / n) for part in range(n)]
    lines = [start + int((tokens[start:] == LINE_END).argmax()) for start in starts]
    return [tokens[line : line + N_TOKENS] for line in lines]

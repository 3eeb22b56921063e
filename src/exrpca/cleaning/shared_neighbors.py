"""How many of their nearest neighbors two senses of a word have in common."""

from __future__ import annotations

import heapq
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numba import config
from numpy.typing import NDArray

from exrpca.blas import blas_on_one_thread
from exrpca.compiling import cached_njit
from exrpca.progress import progress_bar
from exrpca.senses import DifferenceMatrix, SenseVectors
from exrpca.senses.cosine import unit_vectors
from exrpca.senses.ragged import offsets_of, rows_of_groups

Integers = NDArray[np.int64]
Numbers = NDArray[np.int32]
Floats = NDArray[np.float32]

# How many neighbors of each sense are compared. 50 and 200 agree with people about as well.
N_NEIGHBORS = 100

# Only this many words can be neighbors, the most frequent ones: they agree with people as well as
# all words do, and the work grows with the vocabulary instead of its square.
_N_CANDIDATES = 10_000

# With fewer words, a tenth of them are neighbors: 100 of 200 words would be shared by chance.
_LARGEST_SHARE = 0.1

_N_EXAMPLES = 3

# Pairs of senses of different words that show what is shared by chance and frequency.
_N_DIFFERENT = 1000

# Cosines in memory at a time, for each thread.
_BLOCK_ENTRIES = 1 << 22


@dataclass(frozen=True)
class SharedNeighbors:
    """The neighbors that the two senses of each pair share.

    Attributes
    ----------
    n_neighbors : int
        How many neighbors of each sense were compared.
    expected : float
        How many two senses share by chance.
    counts : ndarray of int, shape (n_pairs,)
        How many they share.
    examples : ndarray of int, shape (n_pairs, 3)
        The shared words that are nearest to both, by their position in the vocabulary; −1
        where there are fewer.
    of_different_words : ndarray of int
        How many two senses of different words share: a sample.
    near : ndarray of int, shape (n_rows, n_neighbors)
        The neighbors of each sense that is in a pair, nearest first.
    rows : ndarray of int, shape (n_rows,)
        The rows of `senses.vectors` that `near` is about.
    """

    n_neighbors: int
    expected: float
    counts: Integers
    examples: Numbers
    of_different_words: Integers
    near: Numbers
    rows: Integers

    @property
    def percent(self) -> NDArray[np.float64]:
        """How many of 100 neighbors are shared beyond what chance gives; at least 0."""
        most = max(self.n_neighbors - self.expected, 1e-9)  # 0 if there is one word
        beyond_chance = (self.counts - self.expected) / most
        return np.asarray(100 * np.maximum(beyond_chance, 0))


def find_shared_neighbors(
    differences: DifferenceMatrix, *, progress: bool = False
) -> SharedNeighbors:
    """Find the neighbors that the two senses of each pair share.

    Neighbors are words: a word is as near as the nearest of its senses, by plain cosine. The
    word of the pair itself is left out.

    Parameters
    ----------
    differences : DifferenceMatrix
        Its pairs.
    progress : bool, default False
        Show a progress bar on standard error.

    Examples
    --------
    >>> from exrpca import bundled
    >>> senses = bundled()
    >>> differences = DifferenceMatrix(senses)
    >>> shared = find_shared_neighbors(differences)
    >>> pair = int(differences.select(["prime"])[0])  # the two ministers
    >>> int(shared.counts[pair]), [senses.words[i] for i in shared.examples[pair]]
    (51, ['minister', 'cabinet', 'ministers'])
    """
    senses, a, b = differences.senses, differences.rows_a, differences.rows_b
    rows = np.flatnonzero(senses.n_senses[senses.word_of_row] > 1)
    place = np.empty(len(senses.vectors), dtype=np.int64)
    place[rows] = np.arange(len(rows))
    words = candidate_words(senses)
    n = n_neighbors(len(words))
    near = nearest_words(senses, rows, words, n, progress=progress)
    counts, examples = _shared(near, place[a], place[b], len(senses), _N_EXAMPLES)
    return SharedNeighbors(
        n, n**2 / len(words), counts, examples, _of_different_words(senses, rows, near), near, rows
    )


def n_neighbors(n_words: int) -> int:
    """Return how many neighbors are compared among `n_words` words.

    Examples
    --------
    >>> n_neighbors(50_000), n_neighbors(300)
    (100, 30)
    """
    n_candidates = min(n_words, _N_CANDIDATES)
    # one candidate may be the word itself
    return max(1, min(N_NEIGHBORS, int(_LARGEST_SHARE * n_candidates), n_candidates - 1))


def _of_different_words(senses: SenseVectors, rows: Integers, near: Numbers) -> Integers:
    """Return how many neighbors some two rows share that are half of all rows apart."""
    some = np.linspace(0, len(rows) - 1, min(len(rows), _N_DIFFERENT)).astype(np.int64)
    others = (some + len(rows) // 2) % len(rows)
    apart = senses.word_of_row[rows[some]] != senses.word_of_row[rows[others]]
    counts: Integers = _shared(near, some[apart], others[apart], len(senses), _N_EXAMPLES)[0]
    return counts


def candidate_words(senses: SenseVectors) -> Integers:
    """Return the words that can be neighbors: the most frequent 10,000, by position.

    Without counts, these are the first in the file. A file in alphabetical order has no first
    ones, so they are evenly spaced.

    Examples
    --------
    >>> candidate_words(SenseVectors(["a", "b"], [[1.0], [2.0]], [1, 1]))
    array([0, 1])
    """
    n = len(senses)
    if n <= _N_CANDIDATES:
        return np.arange(n)
    if senses.counts is not None:
        counts = np.add.reduceat(senses.counts, senses.offsets[:-1])
        return np.sort(np.argsort(-counts, kind="stable")[:_N_CANDIDATES])
    if all(x <= y for x, y in zip(senses.words, senses.words[1:], strict=False)):
        return np.linspace(0, n - 1, _N_CANDIDATES).astype(np.int64)
    return np.arange(_N_CANDIDATES)


def nearest_words(
    senses: SenseVectors, rows: Integers, words: Integers, n: int, *, progress: bool = False
) -> Numbers:
    """Return the nearest of some words for each of some rows, by position, nearest first.

    Examples
    --------
    >>> vectors = [[1, 0], [0, 1], [1, 9], [9, 1]]
    >>> senses = SenseVectors(["bank", "river", "money"], vectors, [2, 1, 1])
    >>> nearest_words(senses, np.array([0, 1]), np.arange(3), 1)
    array([[2],
           [1]], dtype=int32)
    """
    unit = unit_vectors(senses.vectors)
    others = unit[rows_of_groups(senses.offsets, words)].T
    starts = offsets_of(senses.n_senses[words])
    own = senses.word_of_row[rows]
    near = np.empty((len(rows), n), dtype=np.int32)
    size = max(1, _BLOCK_ENTRIES // others.shape[1])
    blocks = [slice(start, start + size) for start in range(0, len(rows), size)]

    def search(block: slice) -> None:
        _nearest(unit[rows[block]] @ others, starts, words, own[block], near[block])

    with (
        progress_bar("Finding neighbors", len(rows), show=progress) as report,
        blas_on_one_thread(),
        ThreadPoolExecutor(config.NUMBA_NUM_THREADS) as pool,  # type: ignore[attr-defined]
    ):
        for block, _ in zip(blocks, pool.map(search, blocks), strict=True):
            report(min(block.stop, len(rows)))
    return near


@cached_njit(nogil=True)
def _nearest(
    cosines: Floats, starts: Integers, words: Integers, own: Integers, near: Numbers
) -> None:
    """Write the words with the highest cosines into each row of `near`."""
    for row in range(len(cosines)):
        best = [(np.float32(-np.inf), np.int64(-1)) for _ in range(near.shape[1])]
        least = best[0][0]
        for place in range(len(words)):
            highest = cosines[row, starts[place]]
            for column in range(starts[place] + 1, starts[place + 1]):
                highest = max(highest, cosines[row, column])
            if highest > least and words[place] != own[row]:
                heapq.heapreplace(best, (highest, words[place]))
                least = best[0][0]
        best.sort()
        for rank in range(len(best)):
            near[row, rank] = best[len(best) - 1 - rank][1]


@cached_njit(nogil=True)
def _shared(
    near: Numbers, a: Integers, b: Integers, n_words: int, n_examples: int
) -> tuple[Integers, Numbers]:
    """Return how many words each pair of rows shares, and the first of them."""
    counts = np.zeros(len(a), dtype=np.int64)
    examples = np.full((len(a), n_examples), -1, dtype=np.int32)
    last_pair = np.full(n_words, -1, dtype=np.int64)  # the pair in which a word was seen last
    for pair in range(len(a)):
        for rank in range(near.shape[1]):
            # both lists side by side, so that the words nearest to both come first
            for word in (near[a[pair], rank], near[b[pair], rank]):
                if last_pair[word] == pair:
                    if counts[pair] < n_examples:
                        examples[pair, counts[pair]] = word
                    counts[pair] += 1
                last_pair[word] = pair
    return counts, examples

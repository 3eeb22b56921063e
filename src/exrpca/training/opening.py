"""Opening senses on trained vectors: contexts of fixed rows, and their groups by k-means.

After epochs with one sense per word, the vectors of the words of a context say what the context is
about. The row that a word adds to a context is its vector, weighted by inverse frequency, without
the direction that all contexts share (Arora, Liang, Ma 2017, "A simple but tough-to-beat baseline
for sentence embeddings"). The rows stay as they are from then on, so that a center, which is a mean
of contexts, can be compared with any of them, in training and later.

For each word with several senses, some of its contexts are drawn and grouped by spherical k-means.
The groups become its senses: each starts from the one vector of the word, with the mean of its
group as center.
"""

from __future__ import annotations

from concurrent.futures import Executor

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from exrpca.blas import blas_on_one_thread
from exrpca.training.kernel import (
    LINE_END,
    Floats,
    Ids,
    Plan,
    Weights,
    compiled,
    next_random,
)

# The weight of a word is a / (a + its share of the text); a from Arora, Liang and Ma (2017), who
# recommend 1e-3 to 1e-4.
_SMOOTHING = 1e-4

# Contexts from which the shared direction is computed.
_SAMPLE = 20_000

# Contexts drawn per word, and the largest number of rounds of k-means. Where
# the numbers come from is not recorded.
CONTEXTS_PER_WORD = 200
_ROUNDS = 10
# Words whose contexts are in memory at the same time, and parts in which threads write them.
_WORDS_AT_A_TIME = 100
_PARTS = 16


def to_context_rows(
    rows: Floats, counts: NDArray[np.int64], tokens: Ids, *, window: int, seed: int
) -> None:
    """Turn the vector of each word into the row that it adds to a context, in place.

    Parameters
    ----------
    rows : ndarray of shape (n_words, dim)
        The vector of each word.
    counts : ndarray of shape (n_words,)
        The number of tokens of each word.
    tokens : ndarray of int32
        The text: positions in the vocabulary, `LINE_END` where a line ends.
    window : int
        The number of tokens on each side that make a context.
    seed : int
    """
    share = counts / counts.sum()
    rows *= (_SMOOTHING / (_SMOOTHING + share)).astype(np.float32)[:, None]
    places = np.random.default_rng(seed).integers(len(tokens), size=min(_SAMPLE, len(tokens)))
    contexts = np.zeros((len(places), rows.shape[1]), np.float32)
    write_contexts(np.sort(places), tokens, rows, window, contexts)
    shared = np.linalg.eigh(contexts.T.astype(np.float64) @ contexts)[1][:, -1].astype(np.float32)
    along = rows @ shared
    for column, part in zip(rows.T, shared, strict=True):  # needs no second matrix
        column -= part * along


@compiled
def write_contexts(places, tokens, rows, window, contexts):  # type: ignore[no-untyped-def]
    """Add the rows of the tokens around each place of the text to its context."""
    for i in range(len(places)):
        for side in (-1, 1):
            for step in range(1, window + 1):
                j = places[i] + side * step
                if j < 0 or j >= len(tokens) or tokens[j] == LINE_END:
                    break
                word = tokens[j]
                for d in range(rows.shape[1]):
                    contexts[i, d] += rows[word, d]


def open_senses(tokens: Ids, weights: Weights, plan: Plan, *, seed: int, pool: Executor) -> None:
    """Give each of the first `plan.n_multi` words its senses, in place."""
    # the largest array of a run besides the weights: no more bytes than needed
    number = np.int32 if len(tokens) <= np.iinfo(np.int32).max else np.int64
    places = np.empty((plan.n_multi, CONTEXTS_PER_WORD), number)
    seen = np.zeros(plan.n_multi, np.int64)
    _draw_places(tokens, places, seen, np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    n_places = np.minimum(seen, CONTEXTS_PER_WORD)
    with blas_on_one_thread():  # for many small products
        for start in range(0, plan.n_multi, _WORDS_AT_A_TIME):
            words = range(start, min(start + _WORDS_AT_A_TIME, plan.n_multi))
            drawn = np.concatenate([places[word, : n_places[word]] for word in words])
            contexts = _contexts_at(drawn.astype(np.int64), tokens, weights, plan, pool)
            ends = n_places[words].cumsum()
            for word, part in zip(words, np.split(contexts, ends[:-1]), strict=True):
                _open(word, part, weights, plan, np.random.default_rng((seed, word)))


@compiled
def _draw_places(tokens, places, seen, state):  # type: ignore[no-untyped-def]
    """Draw places of each word, all equally likely (reservoir sampling); count all in `seen`."""
    n_words, most = places.shape
    for i in range(len(tokens)):
        word = tokens[i]
        if word < 0 or word >= n_words:
            continue
        at = seen[word]
        seen[word] += 1
        if at >= most:
            state = next_random(state)
            at = np.int64((state >> uint64(16)) % uint64(seen[word]))
            if at >= most:
                continue
        places[word, at] = i


def _contexts_at(
    places: NDArray[np.int64], tokens: Ids, weights: Weights, plan: Plan, pool: Executor
) -> Floats:
    """Return the contexts at some places of the text; 0 where a token is alone in its line."""
    # without fixed rows, contexts are made of the global vectors as they are now
    fixed = plan.context_window > 0
    rows = weights.contexts if fixed else weights.globals
    window = plan.context_window if fixed else plan.window
    contexts = np.zeros((len(places), rows.shape[1]), np.float32)

    def write(some: NDArray[np.int64], its_contexts: Floats) -> None:
        write_contexts(some, tokens, rows, window, its_contexts)

    list(pool.map(write, *(np.array_split(array, _PARTS) for array in (places, contexts))))
    return contexts


def _open(
    word: int, contexts: Floats, weights: Weights, plan: Plan, rng: np.random.Generator
) -> None:
    """Give a word the senses that its contexts show, each with the one vector of the word."""
    lengths = np.linalg.norm(contexts, axis=1)
    there = lengths > 0
    if not there.any():
        return
    centers = _centers(contexts[there] / lengths[there, None], plan.max_senses, rng)
    centers = centers[centers.any(axis=1)]
    first = word * plan.max_senses
    senses = slice(first, first + len(centers))
    weights.n_senses[word] = len(centers)
    weights.centers[senses] = centers
    weights.vectors[senses] = weights.vectors[first]
    if plan.adagrad:
        weights.squared_vectors[senses] = weights.squared_vectors[first]


def _centers(contexts: Floats, n_groups: int, rng: np.random.Generator) -> Floats:
    """Group contexts of length 1 by direction (spherical k-means); return the means of the groups.

    The mean of an empty group is 0.
    """
    centers = directions = _first_centers(contexts, n_groups, rng)
    group = np.full(len(contexts), -1)
    for _ in range(_ROUNDS):
        last, group = group, (contexts @ directions.T).argmax(axis=1)
        if (group == last).all():
            break
        belongs = (group == np.arange(n_groups)[:, None]).astype(np.float32)
        centers = belongs @ contexts / np.maximum(belongs.sum(axis=1, keepdims=True), 1)
        directions = centers / np.maximum(np.linalg.norm(centers, axis=1, keepdims=True), 1e-15)
    return centers


def _first_centers(contexts: Floats, n_groups: int, rng: np.random.Generator) -> Floats:
    """Draw contexts as the first centers; distant ones are more likely (k-means++)."""
    distances = np.ones(len(contexts))
    chosen = []
    for draw in rng.random(n_groups):
        ends = distances.cumsum()
        chosen.append(min(ends.searchsorted(draw * ends[-1], side="right"), len(contexts) - 1))
        distances = np.minimum(distances, np.maximum(1 - contexts @ contexts[chosen[-1]], 0))
    return contexts[chosen]

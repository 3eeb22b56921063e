"""Opening senses on trained vectors: the contexts of a word are grouped by k-means.

After epochs with one sense per word, the vectors of the words of a context say what the context is
about. For each word with several senses, some of its contexts are drawn and grouped by
spherical k-means. The groups become its senses: each starts from the one vector of the word, with
the mean of its group as center.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from exrpca.training.contexts import add_around
from exrpca.training.kernel import (
    Plan,
    Weights,
    compiled,
    copy_values,
    inlined,
    next_random,
    to_unit,
)

# Contexts drawn per word, and the largest number of rounds of k-means.
CONTEXTS_PER_WORD = 200
_ROUNDS = 10
_WORDS_AT_A_TIME = 500


def open_senses(
    tokens: NDArray[np.int32], weights: Weights, plan: Plan, *, seed: int, pool: Executor
) -> None:
    """Give each of the first `plan.n_multi` words its senses, in place."""
    # the largest array of a run besides the weights: no more bytes than needed
    number = np.int32 if len(tokens) <= np.iinfo(np.int32).max else np.int64
    places = np.empty((plan.n_multi, CONTEXTS_PER_WORD), number)
    n_places = _draw_places(tokens, places, seed)
    starts = range(0, plan.n_multi, _WORDS_AT_A_TIME)

    def open_from(start: int) -> None:
        stop = min(start + _WORDS_AT_A_TIME, plan.n_multi)
        _open(start, stop, tokens, places, n_places, weights, plan, seed)

    list(pool.map(open_from, starts))


@inlined
def _first_state(seed):  # type: ignore[no-untyped-def]
    """Return a first random state that is not 0, where it would stay."""
    state = uint64(seed) * uint64(2654435761) + uint64(88172645463325252)
    return next_random(next_random(state))


@compiled
def _draw_places(tokens, places, seed):  # type: ignore[no-untyped-def]
    """Draw places of each word, all equally likely (reservoir sampling); return how many."""
    n_words, most = places.shape
    seen = np.zeros(n_words, np.int64)
    state = _first_state(seed)
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
    return np.minimum(seen, most)


@compiled
def _open(start, stop, tokens, places, n_places, weights, plan, seed):  # type: ignore[no-untyped-def]
    """Give the words from `start` up to `stop` their senses."""
    # without fixed rows, contexts are made of the global vectors as they are now
    fixed = plan.context_window > 0
    rows = weights.contexts if fixed else weights.globals
    window = plan.context_window if fixed else plan.window
    dim = rows.shape[1]
    contexts = np.empty((places.shape[1], dim), np.float32)
    centers = np.empty((plan.max_senses, dim), np.float32)
    for word in range(start, stop):
        n = 0
        for place in places[word, : n_places[word]]:
            contexts[n] = 0
            found = add_around(place, tokens, rows, window, contexts[n])
            to_unit(contexts[n])
            n += min(found, 1)
        if n == 0:
            continue
        _group(contexts[:n], centers, _first_state(seed + word))
        _write_senses(word, centers, weights, plan)


@inlined
def _group(contexts, centers, state):  # type: ignore[no-untyped-def]
    """Group contexts of length 1 by direction (spherical k-means); an empty center becomes 0."""
    _first_centers(contexts, centers, state)
    scales = np.ones(len(centers), np.float32)  # 1 / the length of each center
    group = np.full(len(contexts), -1)
    for _ in range(_ROUNDS):
        moved = False
        for i in range(len(contexts)):
            nearest = _nearest(contexts[i], centers, scales)
            moved |= nearest != group[i]
            group[i] = nearest
        if not moved:
            break
        _to_means(contexts, group, centers)
        for sense in range(len(centers)):
            scales[sense] = 1 / math.sqrt(_dot(centers[sense], centers[sense]) + 1e-30)


@inlined
def _first_centers(contexts, centers, state):  # type: ignore[no-untyped-def]
    """Draw the first centers; distant contexts are more likely (k-means++)."""
    distances = np.full(len(contexts), np.float32(2))
    for sense in range(len(centers)):
        state = next_random(state)
        left = (state >> uint64(40)) * (1 / 2**24) * distances.sum()
        chosen = 0
        while chosen < len(contexts) - 1 and left >= distances[chosen]:
            left -= distances[chosen]
            chosen += 1
        copy_values(contexts[chosen], centers[sense])
        for i in range(len(contexts)):
            distance = max(np.float32(0), 1 - _dot(contexts[i], centers[sense]))
            distances[i] = min(distances[i], distance)


@inlined
def _nearest(context, centers, scales):  # type: ignore[no-untyped-def]
    best, best_cosine = 0, np.float32(-2)
    for sense in range(len(centers)):
        cosine = _dot(context, centers[sense]) * scales[sense]
        if cosine > best_cosine:
            best, best_cosine = sense, cosine
    return best


@inlined
def _to_means(contexts, group, centers):  # type: ignore[no-untyped-def]
    """Make each center the mean of its group."""
    centers[:] = 0
    sizes = np.zeros(len(centers), np.float32)
    for i in range(len(contexts)):
        sizes[group[i]] += 1
        for d in range(contexts.shape[1]):
            centers[group[i], d] += contexts[i, d]
    for sense in range(len(centers)):
        for d in range(contexts.shape[1]):
            centers[sense, d] /= max(sizes[sense], np.float32(1))


@inlined
def _dot(a, b):  # type: ignore[no-untyped-def]
    dot = np.float32(0)
    for d in range(len(a)):
        dot += a[d] * b[d]
    return dot


@inlined
def _write_senses(word, centers, weights, plan):  # type: ignore[no-untyped-def]
    first = word * plan.max_senses
    n_senses = 0
    for sense in range(len(centers)):
        if not centers[sense].any():
            continue
        row = first + n_senses
        copy_values(centers[sense], weights.centers[row])
        copy_values(weights.vectors[first], weights.vectors[row])
        if plan.adagrad:
            copy_values(weights.squared_vectors[first], weights.squared_vectors[row])
        n_senses += 1
    weights.n_senses[word] = n_senses

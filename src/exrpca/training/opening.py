"""Opening senses on trained global vectors: each word's contexts are parted by k-means.

After epochs with one sense a word, the mean of a context's global vectors says what the context
is about. For each word that is to have several senses some of its contexts are drawn, grouped by
spherical k-means, and the groups become its senses: each starts from the word's one vector, with
the mean of its group as centre.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor

import numpy as np
from numba import njit, uint64
from numpy.typing import NDArray

from exrpca.training.kernel import Plan, Weights, _next_random

# Contexts drawn for each word, and rounds of k-means: more of either changed no score.
CONTEXTS_PER_WORD = 200
_ROUNDS = 10
_WORDS_AT_A_TIME = 500

_compiled = njit(nogil=True, fastmath=True, cache=True, error_model="numpy")


def open_senses(
    tokens: NDArray[np.int32], weights: Weights, plan: Plan, *, seed: int, pool: Executor
) -> None:
    """Give each of the first `plan.n_multi` words its senses, in place."""
    places, n_places = _draw_places(tokens, plan.n_multi, CONTEXTS_PER_WORD, seed)
    starts = range(0, plan.n_multi, _WORDS_AT_A_TIME)
    list(
        pool.map(
            lambda start: _open(
                start,
                min(start + _WORDS_AT_A_TIME, plan.n_multi),
                tokens,
                places,
                n_places,
                weights,
                plan,
                seed,
            ),
            starts,
        )
    )


@_compiled
def _draw_places(tokens, n_words, most, seed):  # type: ignore[no-untyped-def]
    """Draw up to `most` places of each word, all places equally likely (reservoir sampling)."""
    places = np.empty((n_words, most), np.int64)
    seen = np.zeros(n_words, np.int64)
    state = uint64(seed * 2654435761 + 88172645463325252)
    for i in range(len(tokens)):
        word = tokens[i]
        if word < 0 or word >= n_words:
            continue
        at = seen[word]
        seen[word] += 1
        if at >= most:
            state = _next_random(state)
            at = np.int64((state >> uint64(16)) % uint64(seen[word]))
            if at >= most:
                continue
        places[word, at] = i
    return places, np.minimum(seen, most)


@_compiled
def _open(start, stop, tokens, places, n_places, weights, plan, seed):  # type: ignore[no-untyped-def]
    dim = weights.globals.shape[1]
    contexts = np.empty((places.shape[1], dim), np.float32)
    lengths = np.empty(places.shape[1], np.float32)
    group = np.empty(places.shape[1], np.int64)
    centers = np.empty((plan.max_senses, dim), np.float32)
    for word in range(start, stop):
        n = _contexts_at(
            places[word, : n_places[word]], tokens, weights.globals, plan.window, contexts, lengths
        )
        if n == 0:
            continue
        state = uint64(seed * 2654435761 + 88172645463325252 + word * 7919)
        _first_centers(contexts, n, centers, state)
        group[:] = -1
        for _ in range(_ROUNDS):
            if not _assign(contexts, n, centers, group):
                break
            _recenter(contexts, lengths, n, centers, group)
        first = word * plan.max_senses
        n_senses = 0
        for sense in range(plan.max_senses):
            size = 0
            mean = np.zeros(dim, np.float32)
            for i in range(n):
                if group[i] == sense:
                    size += 1
                    for d in range(dim):
                        mean[d] += lengths[i] * contexts[i, d]
            if size == 0:
                continue
            row = first + n_senses
            for d in range(dim):
                weights.centers[row, d] = mean[d] / np.float32(size)
                weights.vectors[row, d] = weights.vectors[first, d]
            if plan.adagrad:
                for d in range(dim):
                    weights.squared_vectors[row, d] = weights.squared_vectors[first, d]
            n_senses += 1
        weights.n_senses[word] = n_senses


@_compiled
def _contexts_at(places, tokens, globals_, window, contexts, lengths):  # type: ignore[no-untyped-def]
    """Write the mean context at each place as a unit vector and a length; return how many."""
    dim = globals_.shape[1]
    n = 0
    for place in places:
        for d in range(dim):
            contexts[n, d] = 0
        found = 0
        for side in (-1, 1):
            for step in range(1, window + 1):
                j = place + side * step
                if j < 0 or j >= len(tokens) or tokens[j] < 0:
                    break
                found += 1
                for d in range(dim):
                    contexts[n, d] += globals_[tokens[j], d]
        square = np.float32(0)
        for d in range(dim):
            square += contexts[n, d] * contexts[n, d]
        if square == 0:
            continue
        length = math.sqrt(square)
        lengths[n] = length / np.float32(found)
        for d in range(dim):
            contexts[n, d] /= length
        n += 1
    return n


@_compiled
def _first_centers(contexts, n, centers, state):  # type: ignore[no-untyped-def]
    """Choose k contexts far from each other as first centres (k-means++)."""
    dim = contexts.shape[1]
    distance = np.full(n, np.float32(2))
    for sense in range(len(centers)):
        total = distance.sum()
        state = _next_random(state)
        target = np.float32((state >> uint64(40)) * (1 / 2**24)) * total
        chosen = n - 1
        for i in range(n):
            target -= distance[i]
            if target < 0:
                chosen = i
                break
        for d in range(dim):
            centers[sense, d] = contexts[chosen, d]
        for i in range(n):
            dot = np.float32(0)
            for d in range(dim):
                dot += contexts[i, d] * contexts[chosen, d]
            distance[i] = min(distance[i], max(np.float32(0), 1 - dot))


@_compiled
def _assign(contexts, n, centers, group):  # type: ignore[no-untyped-def]
    """Put each context into the group of its nearest centre; return whether any moved."""
    moved = False
    dim = contexts.shape[1]
    for i in range(n):
        best, best_dot = 0, np.float32(-2)
        for sense in range(len(centers)):
            dot = np.float32(0)
            for d in range(dim):
                dot += contexts[i, d] * centers[sense, d]
            if dot > best_dot:
                best, best_dot = sense, dot
        moved |= group[i] != best
        group[i] = best
    return moved


@_compiled
def _recenter(contexts, lengths, n, centers, group):  # type: ignore[no-untyped-def]
    """Move each centre to the direction of its group's mean."""
    dim = contexts.shape[1]
    for sense in range(len(centers)):
        mean = np.zeros(dim, np.float32)
        for i in range(n):
            if group[i] == sense:
                for d in range(dim):
                    mean[d] += lengths[i] * contexts[i, d]
        square = np.float32(0)
        for d in range(dim):
            square += mean[d] * mean[d]
        if square > 0:
            for d in range(dim):
                centers[sense, d] = mean[d] / math.sqrt(square)

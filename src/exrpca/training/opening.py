"""Opening senses on trained vectors: the contexts of a word are grouped by k-means.

After epochs with one sense per word, the vectors of the words of a context say what the context is
about. For each word with several senses, some of its contexts are drawn and grouped by
spherical k-means. The groups become its senses: each starts from the one vector of the word, with
the mean of its group as center.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from exrpca.training.contexts import add_around
from exrpca.training.kernel import (
    Floats,
    Plan,
    Weights,
    clear,
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


class _Room(NamedTuple):
    """Arrays to group the contexts of one word in: made in compiled code, they compile for long."""

    contexts: Floats
    centers: Floats
    group: NDArray[np.int64]
    distances: Floats
    scales: Floats  # 1 / the length of each center
    sizes: Floats

    @classmethod
    def of(cls, max_senses: int, dim: int) -> _Room:
        """Return room for the contexts of one word."""
        n, k = CONTEXTS_PER_WORD, max_senses
        contexts, centers, distances, scales, sizes = (
            np.empty(shape, np.float32) for shape in ((n, dim), (k, dim), n, k, k)
        )
        return cls(contexts, centers, np.empty(n, np.int64), distances, scales, sizes)


def open_senses(
    tokens: NDArray[np.int32], weights: Weights, plan: Plan, *, seed: int, pool: Executor
) -> None:
    """Give each of the first `plan.n_multi` words its senses, in place."""
    # the largest array of a run besides the weights: no more bytes than needed
    number = np.int32 if len(tokens) <= np.iinfo(np.int32).max else np.int64
    places = np.empty((plan.n_multi, CONTEXTS_PER_WORD), number)
    seen = np.zeros(plan.n_multi, np.int64)
    _draw_places(tokens, places, seen, seed)
    n_places = np.minimum(seen, CONTEXTS_PER_WORD)
    starts = range(0, plan.n_multi, _WORDS_AT_A_TIME)

    def open_from(start: int) -> None:
        stop = min(start + _WORDS_AT_A_TIME, plan.n_multi)
        room = _Room.of(plan.max_senses, weights.vectors.shape[1])
        _open(start, stop, tokens, places, n_places, weights, plan, seed, room)

    list(pool.map(open_from, starts))


@inlined
def _first_state(seed):  # type: ignore[no-untyped-def]
    """Return a first random state that is not 0, where it would stay."""
    state = uint64(seed) * uint64(2654435761) + uint64(88172645463325252)
    return next_random(next_random(state))


@compiled
def _draw_places(tokens, places, seen, seed):  # type: ignore[no-untyped-def]
    """Draw places of each word, all equally likely (reservoir sampling); count all in `seen`."""
    n_words, most = places.shape
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


@compiled
def _open(start, stop, tokens, places, n_places, weights, plan, seed, room):  # type: ignore[no-untyped-def]
    """Give the words from `start` up to `stop` their senses."""
    # without fixed rows, contexts are made of the global vectors as they are now
    fixed = plan.context_window > 0
    rows = weights.contexts if fixed else weights.globals
    window = plan.context_window if fixed else plan.window
    for word in range(start, stop):
        n = np.int64(0)  # typed: for a literal 0, functions would be compiled once more
        for p in range(n_places[word]):
            context = room.contexts[n]
            clear(context)
            found = add_around(np.int64(places[word, p]), tokens, rows, window, context)
            to_unit(context)
            n += min(found, 1)
        if n == 0:
            continue
        _group(n, room, _first_state(seed + word))
        weights.n_senses[word] = _write_senses(
            word * plan.max_senses, room.centers, weights.centers, weights.vectors
        )
        if plan.adagrad:
            first = word * plan.max_senses
            for row in range(first + 1, first + weights.n_senses[word]):
                copy_values(weights.squared_vectors[first], weights.squared_vectors[row])


@inlined
def _group(n, room, state):  # type: ignore[no-untyped-def]
    """Group contexts of length 1 by direction (spherical k-means); an empty center becomes 0."""
    _first_centers(n, room.contexts, room.centers, room.distances, state)
    scales = room.scales
    for sense in range(len(scales)):
        scales[sense] = 1
    for i in range(n):
        room.group[i] = -1
    for _ in range(_ROUNDS):
        moved = False
        for i in range(n):
            nearest = _nearest(room.contexts[i], room.centers, scales)
            moved |= nearest != room.group[i]
            room.group[i] = nearest
        if not moved:
            break
        _to_means(n, room.contexts, room.group, room.centers, room.sizes)
        for sense in range(len(scales)):
            center = room.centers[sense]
            scales[sense] = 1 / math.sqrt(_dot(center, center) + 1e-30)


@inlined
def _first_centers(n, contexts, centers, distances, state):  # type: ignore[no-untyped-def]
    """Draw the first centers; distant contexts are more likely (k-means++)."""
    for i in range(n):
        distances[i] = 2
    for sense in range(len(centers)):
        state = next_random(state)
        total = np.float32(0)
        for i in range(n):
            total += distances[i]
        left = (state >> uint64(40)) * (1 / 2**24) * total
        chosen = 0
        while chosen < n - 1 and left >= distances[chosen]:
            left -= distances[chosen]
            chosen += 1
        copy_values(contexts[chosen], centers[sense])
        for i in range(n):
            distance = max(np.float32(0), np.float32(1) - _dot(contexts[i], centers[sense]))
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
def _to_means(n, contexts, group, centers, sizes):  # type: ignore[no-untyped-def]
    """Make each center the mean of its group."""
    for sense in range(len(centers)):
        clear(centers[sense])
        sizes[sense] = 0
    for i in range(n):
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
def _write_senses(first, found, centers, vectors):  # type: ignore[no-untyped-def]
    """Write the centers that are not 0, each with the one vector of the word; return how many."""
    n_senses = 0
    for sense in range(len(found)):
        if _dot(found[sense], found[sense]) > 0:
            copy_values(found[sense], centers[first + n_senses])
            copy_values(vectors[first], vectors[first + n_senses])
            n_senses += 1
    return n_senses

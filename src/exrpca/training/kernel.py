"""The inner loop: one pass of skip-gram with senses over a chunk of tokens.

Threads run `train_chunk` at the same time on the same arrays without locks: they seldom meet in
one row, and a lost update does no harm (Recht et al. 2011, "Hogwild").
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types, uint64, uintp
from numba.extending import intrinsic
from numpy.typing import NDArray

from exrpca.compiling import cached_njit

Floats = NDArray[np.float32]
Ids = NDArray[np.int32]

# Marks the end of a line: contexts do not cross it.
LINE_END = -1

# The logistic function is read from a table: outside ±6 its slope is nearly 0.
SIGMOID_RANGE = 6.0
SIGMOID = (1 / (1 + np.exp(-np.linspace(-SIGMOID_RANGE, SIGMOID_RANGE, 4096)))).astype(np.float32)
_SIGMOID_STEP = np.float32((len(SIGMOID) - 1) / (2 * SIGMOID_RANGE))


# Shared negatives are drawn again after this many windows. Until then their rows stay in the cache
# of one core instead of moving between the caches of all.
NEGATIVES_LIFE = 2


class Weights(NamedTuple):
    """The arrays that training changes.

    Each of the first `n_multi` words owns `max_senses` rows of `vectors`, `centers` and `counts`,
    from row `w * max_senses` on for word `w`; each later word owns one. The sums of squared
    gradients are empty unless AdaGrad is used.
    """

    globals: Floats
    contexts: Floats  # the row that each word adds to a context; empty with moving contexts
    vectors: Floats
    centers: Floats
    counts: NDArray[np.int64]
    n_senses: Ids
    squared_globals: Floats
    squared_vectors: Floats


class Tables(NamedTuple):
    """The arrays that training only reads."""

    keep: Floats  # the probability that a token of each word survives subsampling
    negatives: Ids  # words to draw from, each as often as its share of count^0.75
    sigmoid: Floats


class Plan(NamedTuple):
    """The settings the inner loop needs."""

    window: int
    negatives: int
    window_negatives: int  # shared by a window; 0: `negatives` for each context word
    n_multi: int
    max_senses: int
    with_senses: bool  # False: every token trains sense 0, no center moves
    context_window: int  # of contexts of fixed rows; 0: mean global vector of the drawn window
    prior: int  # how many contexts a center counts for when an epoch begins
    threshold: float  # open a sense if the best cosine is lower; -2: never
    adagrad: bool


# error_model: checks for division by 0 would keep the loops from using vector instructions.
compiled = cached_njit(nogil=True, fastmath=True, error_model="numpy")

# What compiled functions call. Unless it is inlined, a process that compiles and one that loads
# compiled code run differently optimized copies, whose sums differ in the last bit. Only compiled
# code can call it; a call from Python ends the process. Without wrappers it compiles faster.
_NO_WRAPPERS: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_inlined = njit(fastmath=True, error_model="numpy", forceinline=True, **_NO_WRAPPERS)


# --- prefetching ---------------------------------------------------------------------------------
# A row that is about to be changed is requested before it is needed. Without it, a token takes a
# third more time with SGD, and half as much again with AdaGrad.

_CACHE_LINE = 64  # bytes; if lines are longer, some are requested twice

# The arguments of LLVM's prefetch: to write, into the nearest cache, data. A row requested to be
# read stays shared with the core that wrote it last, and is requested again when it is written.
# For that, two threads were slower than one.
_WRITE, _NEAREST, _DATA = 1, 3, 1


def _define_prefetch(typing_context: Any, address: Any) -> Any:
    def prefetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [pointer],
            ir.FunctionType(ir.VoidType(), [pointer, number, number, number]),
        )
        how = [number(_WRITE), number(_NEAREST), number(_DATA)]
        builder.call(function, [builder.inttoptr(arguments[0], pointer), *how])
        return context.get_dummy_value()

    return types.void(types.uintp), prefetch


_prefetch: Any = intrinsic(_define_prefetch)


@njit(forceinline=True)
def _prefetch_row(matrix, row):  # type: ignore[no-untyped-def]
    """Request a row of a C-ordered matrix, to change it, without waiting for it."""
    start = matrix.ctypes.data + row * matrix.strides[0]
    for offset in range(0, matrix.strides[0], _CACHE_LINE):
        _prefetch(uintp(start + offset))


# --- one chunk -----------------------------------------------------------------------------------


@_inlined
def _copy_values(source, target):  # type: ignore[no-untyped-def]
    """Copy an array. An assignment of slices does the same, but takes a second more to compile."""
    for d in range(len(source)):
        target[d] = source[d]


@_inlined
def _clear(array):  # type: ignore[no-untyped-def]
    """Fill an array with 0; like a copy, it compiles faster than an assignment to a slice."""
    for d in range(len(array)):
        array[d] = 0


@_inlined
def next_random(state):  # type: ignore[no-untyped-def]
    """Return the next random number (xorshift; Marsaglia 2003)."""
    state ^= state << uint64(13)
    state ^= state >> uint64(7)
    state ^= state << uint64(17)
    return state


@_inlined
def _subsample(tokens, keep, state, kept, places):  # type: ignore[no-untyped-def]
    """Write the tokens that are kept, and their places; return how many, and the random state."""
    n = 0
    for i in range(len(tokens)):
        word = tokens[i]
        if word >= 0 and keep[word] < 1:
            state = next_random(state)
            if (state >> uint64(40)) * np.float32(1 / 2**24) >= keep[word]:
                continue
        kept[n] = word
        places[n] = i
        n += 1
    return n, state


@_inlined
def _gather_context(kept, n, i, reach, targets):  # type: ignore[no-untyped-def]
    """Collect the words up to `reach` places around place `i` of the line; return how many."""
    found = 0
    j = i - 1
    while j >= max(0, i - reach) and kept[j] >= 0:
        targets[found] = kept[j]
        found += 1
        j -= 1
    j = i + 1
    while j <= min(n - 1, i + reach) and kept[j] >= 0:
        targets[found] = kept[j]
        found += 1
        j += 1
    return found


@_inlined
def _choose_sense(word, first, context, weights, plan):  # type: ignore[no-untyped-def]
    """Return the sense whose center is nearest to the context, or a new one."""
    n_senses = weights.n_senses[word]
    if n_senses == 1 and plan.threshold < -1:
        return 0
    best, best_cosine = 0, np.float32(-2)
    for sense in range(n_senses):
        dot, square = np.float32(0), np.float32(1e-30)
        for d in range(len(context)):
            center = weights.centers[first + sense, d]
            dot += context[d] * center
            square += center * center
        cosine = dot / math.sqrt(square)  # times the length of the context, the same for all
        if sense == 0 or cosine > best_cosine:
            best, best_cosine = sense, cosine
    if plan.threshold >= -1 and n_senses < plan.max_senses and weights.counts[first] > 0:
        square = np.float32(0)
        for d in range(len(context)):
            square += context[d] * context[d]
        if best_cosine < plan.threshold * math.sqrt(square):
            weights.n_senses[word] = n_senses + 1
            return n_senses
    return best


@_inlined
def _draw_negatives(drawn, first, step, state, table):  # type: ignore[no-untyped-def]
    """Draw every `step`-th negative again, from `first` on; return the random state.

    They are drawn one window ahead, so that their rows can be prefetched.
    """
    for t in range(first, len(drawn), step):
        state = next_random(state)
        drawn[t] = table[(state >> uint64(16)) % uint64(len(table))]
    return state


@_inlined
def _prefetch_drawn(t, drawn, first, step, globals_):  # type: ignore[no-untyped-def]
    """Request the row of the `t`-th negative that `_draw_negatives` has just drawn.

    Called once for each target while it is worked on: requests in one go would have to wait.
    """
    ahead = first + t * step
    if ahead < len(drawn):
        _prefetch_row(globals_, drawn[ahead])


@_inlined
def _weigh(targets, n_context, n_negatives, t, plan):  # type: ignore[no-untyped-def]
    """Return the weight of negative `t`; it never counts against a context word equal to it.

    The negatives that a window shares replace those that each context word would have drawn for
    itself. They are weighted so that the expected gradient is the same.
    """
    if plan.window_negatives == 0:
        return np.float32(targets[t] != targets[(t - n_context) // plan.negatives])
    others = 0
    for c in range(n_context):
        others += targets[c] != targets[t]
    return np.float32(others * plan.negatives / n_negatives)


@_inlined
def _mean_context(words, n, globals_, mean):  # type: ignore[no-untyped-def]
    share = np.float32(1 / n)
    _clear(mean)
    for t in range(1, n, 2):  # two at a time: the mean is read and written half as often
        a, b = words[t - 1], words[t]
        for d in range(len(mean)):
            mean[d] += share * (globals_[a, d] + globals_[b, d])
    if n % 2 == 1:
        c = words[n - 1]
        for d in range(len(mean)):
            mean[d] += share * globals_[c, d]


@_inlined
def _slide(place, begin, end, tokens, rows, reach, total):  # type: ignore[no-untyped-def]
    """Move a window to a place of the text; return where it begins and ends.

    `total` is the sum of the rows of its tokens, `tokens[begin:end]`. A token enters and leaves
    once, however wide the window is.
    """
    if place >= end:  # in another line, or out of reach
        begin = place
        while begin > max(0, place - reach) and tokens[begin - 1] != LINE_END:
            begin -= 1
        end = begin
        _clear(total)
    while end < min(len(tokens), place + reach + 1) and tokens[end] != LINE_END:
        word = tokens[end]
        for d in range(len(total)):
            total[d] += rows[word, d]
        end += 1
    while begin < place - reach:
        word = tokens[begin]
        for d in range(len(total)):
            total[d] -= rows[word, d]
        begin += 1
    return begin, end


@_inlined
def _to_unit(vector):  # type: ignore[no-untyped-def]
    """Give a vector the length 1, in place."""
    square = np.float32(1e-30)
    for d in range(len(vector)):
        square += vector[d] * vector[d]
    scale = np.float32(1 / math.sqrt(square))
    for d in range(len(vector)):
        vector[d] *= scale


@_inlined
def _leave_out(own, total, context):  # type: ignore[no-untyped-def]
    """Write the sum of a window without the row of its own token, at length 1."""
    for d in range(len(context)):
        context[d] = total[d] - own[d]
    _to_unit(context)


@_inlined
def _move_center(row, context, weights, prior):  # type: ignore[no-untyped-def]
    """Add one context to the running mean that is the center of the sense."""
    weights.counts[row] += 1
    share = np.float32(1 / (prior + weights.counts[row]))
    for d in range(len(context)):
        weights.centers[row, d] += share * (context[d] - weights.centers[row, d])


@_inlined
def _find_steps(vector, targets, n_context, n_negatives, weights, sigmoid, plan, steps):  # type: ignore[no-untyped-def]
    """Write how far each target's vector moves along the sense's vector, and vice versa."""
    globals_ = weights.globals
    for t in range(n_context + n_negatives):
        c = targets[t]
        if plan.adagrad:
            _prefetch_row(weights.squared_globals, c)
        dot = np.float32(0)
        for d in range(len(vector)):
            dot += vector[d] * globals_[c, d]
        dot = min(max(dot, np.float32(-SIGMOID_RANGE)), np.float32(SIGMOID_RANGE))
        p = sigmoid[np.int64((dot + np.float32(SIGMOID_RANGE)) * _SIGMOID_STEP)]
        if t < n_context:
            steps[t] = np.float32(1) - p
        else:
            steps[t] = -p * _weigh(targets, n_context, n_negatives, t, plan)


@_inlined
def _step_sgd(row, vector, gradient, targets, steps, n, rate, weights, drawn, first, step):  # type: ignore[no-untyped-def]
    globals_, vectors = weights.globals, weights.vectors
    _clear(gradient)
    for t in range(n):
        _prefetch_drawn(t, drawn, first, step, globals_)
        c, move = targets[t], rate * steps[t]
        for d in range(len(vector)):
            gradient[d] += move * globals_[c, d]
            globals_[c, d] += move * vector[d]
    for d in range(len(vector)):
        vectors[row, d] += gradient[d]


@_inlined
def _step_adagrad(row, vector, gradient, targets, steps, n, rate, weights, drawn, first, step):  # type: ignore[no-untyped-def]
    globals_, squared_globals = weights.globals, weights.squared_globals
    vectors, squared_vectors = weights.vectors, weights.squared_vectors
    _clear(gradient)
    for t in range(n):
        _prefetch_drawn(t, drawn, first, step, globals_)
        c, move = targets[t], steps[t]
        for d in range(len(vector)):
            gradient[d] += move * globals_[c, d]
            own = move * vector[d]
            squared_globals[c, d] += own * own
            globals_[c, d] += rate * own / math.sqrt(squared_globals[c, d])
    for d in range(len(vector)):
        squared_vectors[row, d] += gradient[d] * gradient[d]
        vectors[row, d] += rate * gradient[d] / math.sqrt(squared_vectors[row, d])


@compiled
def train_chunk(tokens, weights, tables, plan, rate, seed):  # type: ignore[no-untyped-def]
    """Train on one chunk of tokens with one learning rate."""
    dim = weights.globals.shape[1]
    rate = np.float32(rate)
    kept = np.empty(len(tokens), np.int32)
    places = np.empty(len(tokens), np.int32)
    n, state = _subsample(tokens, tables.keep, uint64(seed), kept, places)
    most = 2 * plan.window
    shared = plan.window_negatives > 0
    life = np.int64(NEGATIVES_LIFE if shared else 1)
    drawn = np.empty(max(plan.window_negatives, plan.negatives * most), np.int32)
    # typed numbers: for literal ones, functions would be compiled once more
    zero, one = np.int64(0), np.int64(1)
    state = _draw_negatives(drawn, zero, one, state, tables.negatives)
    targets = np.empty(most + len(drawn), np.int32)
    steps = np.empty(len(targets), np.float32)
    context = np.empty(dim, np.float32)
    vector = np.empty(dim, np.float32)
    gradient = np.empty(dim, np.float32)
    total = np.empty(dim, np.float32)
    begin, end = zero, zero

    for i in range(n):
        word = kept[i]
        if word < 0:
            continue
        state = next_random(state)
        reach = 1 + np.int64((state >> uint64(16)) % uint64(plan.window))
        n_context = _gather_context(kept, n, i, reach, targets)
        if n_context == 0:
            continue
        n_negatives = plan.window_negatives if shared else plan.negatives * n_context
        fresh, age = drawn[:n_negatives], i % life
        _copy_values(fresh, targets[n_context:])
        state = _draw_negatives(fresh, age, life, state, tables.negatives)
        row = plan.max_senses * word
        if word >= plan.n_multi:
            row = plan.n_multi * (plan.max_senses - 1) + word
        if plan.with_senses:
            if plan.context_window > 0:
                begin, end = _slide(
                    places[i], begin, end, tokens, weights.contexts, plan.context_window, total
                )
                _leave_out(weights.contexts[word], total, context)
            else:
                _mean_context(targets, n_context, weights.globals, context)
            if word < plan.n_multi:
                row += _choose_sense(word, row, context, weights, plan)
            _move_center(row, context, weights, plan.prior)
        _copy_values(weights.vectors[row], vector)
        _find_steps(vector, targets, n_context, n_negatives, weights, tables.sigmoid, plan, steps)
        n_targets = n_context + n_negatives
        if plan.adagrad:
            _step_adagrad(
                row, vector, gradient, targets, steps, n_targets, rate, weights, fresh, age, life
            )
        else:
            _step_sgd(
                row, vector, gradient, targets, steps, n_targets, rate, weights, fresh, age, life
            )

"""The sense that each token of a text calls for, for whole texts at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.senses.sense_vectors import SenseVectors

Integers = NDArray[np.int64]
Floats = NDArray[np.float32]

NO_WORD = -1

# Tokens whose senses are chosen at a time.
_BLOCK = 1 << 20


class SenseChooser:
    """Chooses the most probable sense of every token, as `SenseVectors.disambiguate` does.

    Parameters
    ----------
    senses : SenseVectors
        With centres and global vectors.
    window : int, default 5
        How many tokens on each side are the context; those in the vocabulary count.

    Examples
    --------
    >>> senses = SenseVectors(
    ...     ["bank", "river", "money"], np.eye(4), [2, 1, 1],
    ...     centers=[[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]],
    ...     globals=[[1, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]],
    ... )
    >>> chooser = SenseChooser(senses)
    >>> chooser.choose(np.array([1, 0, 0, 2]), np.array([0, 2, 4]))  # river bank, bank money
    array([0, 0, 1, 0], dtype=int32)
    """

    def __init__(self, senses: SenseVectors, *, window: int = 5) -> None:
        if senses.centers is None or senses.globals is None:
            missing = " and ".join(n for n in ("centers", "globals") if getattr(senses, n) is None)
            raise InputError(f"choosing a sense needs centers and globals; there are no {missing}")
        if window < 1:
            raise InputError(f"window={window} must be at least 1")
        lengths = np.linalg.norm(senses.centers, axis=1, keepdims=True)
        self._centers: Floats = senses.centers / np.maximum(lengths, np.finfo(np.float32).tiny)
        self._globals = senses.globals
        self._offsets = senses.offsets
        self._window = window

    def choose(self, tokens: Integers, starts: Integers) -> NDArray[np.int32]:
        """Return the sense of each token; `NO_WORD` for a token that is no word.

        Parameters
        ----------
        tokens : ndarray of int64
            The position of each token's word in the vocabulary, `NO_WORD` where it has none.
        starts : ndarray of int64
            Where each line begins, and at last the number of tokens: contexts end with lines.
        """
        return np.asarray(
            _choose(
                tokens.astype(np.int64, copy=False),
                starts.astype(np.int64, copy=False),
                self._offsets,
                self._globals,
                self._centers,
                self._window,
            )
        )


def numbered_blocks(
    lines: Iterable[Sequence[str]], numbers: Mapping[str, int], *, missing: int = NO_WORD
) -> Iterator[tuple[list[Sequence[str]], Integers, Integers]]:
    """Yield lines, many at a time, with the numbers of their tokens and where each line starts.

    Examples
    --------
    >>> for block, tokens, starts in numbered_blocks([["a", "b"], ["a"]], {"a": 7}):
    ...     print(block, tokens, starts)
    [['a', 'b'], ['a']] [ 7 -1  7] [0 2 3]
    """
    block: list[Sequence[str]] = []
    tokens: list[int] = []
    starts = [0]
    for line in lines:
        block.append(line)
        tokens += [numbers.get(token, missing) for token in line]
        starts.append(len(tokens))
        if len(tokens) >= _BLOCK:
            yield block, np.array(tokens, dtype=np.int64), np.array(starts, dtype=np.int64)
            block, tokens, starts = [], [], [0]
    yield block, np.array(tokens, dtype=np.int64), np.array(starts, dtype=np.int64)


# reassoc and contract let the compiler use vector instructions
@njit(parallel=True, cache=True, fastmath={"reassoc", "contract"})
def _choose(
    tokens: Integers,
    starts: Integers,
    offsets: Integers,
    global_vectors: Floats,
    unit_centers: Floats,
    window: int,
) -> NDArray[np.int32]:
    chosen = np.full(len(tokens), NO_WORD, dtype=np.int32)
    for line in prange(len(starts) - 1):
        context = np.empty(global_vectors.shape[1], dtype=np.float32)
        for at in range(starts[line], starts[line + 1]):
            word = tokens[at]
            if word == NO_WORD:
                continue
            first, end = offsets[word], offsets[word + 1]
            chosen[at] = 0
            if end - first > 1:
                begin = max(at - window, starts[line])
                near = tokens[begin : min(at + window + 1, starts[line + 1])]
                _add_context(near, at - begin, global_vectors, context)
                chosen[at] = _nearest(context, unit_centers[first:end])
    return chosen


@njit(cache=True, inline="always")
def _add_context(near: Integers, middle: int, global_vectors: Floats, context: Floats) -> None:
    """Sum up the global vectors of the words around the middle one."""
    context[:] = 0
    for at in range(len(near)):
        if at != middle and near[at] != NO_WORD:
            for i in range(len(context)):
                context[i] += global_vectors[near[at], i]


@njit(cache=True, inline="always")
def _nearest(context: Floats, unit_centers: Floats) -> int:
    """Return the centre of highest cosine, the first of those that tie."""
    nearest, highest = 0, np.float32(-np.inf)
    for sense in range(len(unit_centers)):
        dot = np.float32(0)
        for i in range(len(context)):
            dot += context[i] * unit_centers[sense, i]
        if dot > highest:
            nearest, highest = sense, dot
    return nearest

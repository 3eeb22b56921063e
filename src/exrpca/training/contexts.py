"""What a context is made of: one row per word, whose sum over a window is the context.

The row of a word is its vector, weighted by inverse frequency, without the direction that all
contexts share (Arora, Liang, Ma 2017, "A simple but tough-to-beat baseline for sentence
embeddings"). The rows stay as they are from the moment the senses are opened, so that a center,
which is a mean of contexts, can be compared with any of them, in training and later.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exrpca.training.kernel import LINE_END, Floats, Ids, compiled

# The weight of a word is a / (a + its share of the text).
_SMOOTHING = 1e-4

# Contexts from which the shared direction is computed.
_SAMPLE = 20_000


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

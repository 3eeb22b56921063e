"""The arrays of a run: their initial values, and the `SenseVectors` they become."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.senses import SenseVectors
from exrpca.training.kernel import SIGMOID, Floats, Tables, Weights
from exrpca.training.settings import Settings
from exrpca.training.vocabulary import Vocabulary

# Negatives are drawn from a table with this many places per word on average.
_NEGATIVES_PLACES = 64
_NEGATIVES_POWER = 0.75

_WORDS_AT_A_TIME = 1000

# Keeps the first step of AdaGrad from dividing by 0.
_ADAGRAD_START = 1e-8


def multi_sense_words(vocabulary: Vocabulary, settings: Settings) -> int:
    """Return how many of the most frequent words may have several senses."""
    if settings.max_senses == 1:
        return 0
    return min(settings.multi_sense_top, len(vocabulary.words))


def first_rows(n_words: int, n_multi: int, max_senses: int) -> NDArray[np.int64]:
    """Return the row of each word's first sense."""
    words = np.arange(n_words, dtype=np.int64)
    rows: NDArray[np.int64] = words + np.minimum(words, n_multi) * (max_senses - 1)
    return rows


def initial_weights(vocabulary: Vocabulary, settings: Settings) -> Weights:
    """Return small random vectors for each word and for each sense it may get."""
    n_words = len(vocabulary.words)
    n_multi = multi_sense_words(vocabulary, settings)
    n_rows = n_words + n_multi * (settings.max_senses - 1)
    random = np.random.default_rng(settings.seed)
    all_at_once = settings.model == "mssg" and settings.single_sense_epochs == 0
    n_senses = np.ones(n_words, dtype=np.int32)
    n_senses[:n_multi] = settings.max_senses if all_at_once else 1
    adagrad = settings.optimizer == "adagrad"

    def small(n: int) -> Floats:
        values = random.random((n, settings.dim), dtype=np.float32)
        values -= np.float32(0.5)
        values /= np.float32(settings.dim)
        return values

    def squares(n: int) -> Floats:
        return np.full((n, settings.dim) if adagrad else (0, 0), _ADAGRAD_START, dtype=np.float32)

    n_contexts = n_words if settings.contexts == "words" else 0
    return Weights(
        globals=small(n_words),
        contexts=np.zeros((n_contexts, settings.dim), np.float32),
        vectors=small(n_rows),
        centers=small(n_rows) if all_at_once else np.zeros((n_rows, settings.dim), np.float32),
        counts=np.zeros(n_rows, dtype=np.int64),
        n_senses=n_senses,
        squared_globals=squares(n_words),
        squared_vectors=squares(n_rows),
    )


def lookup_tables(vocabulary: Vocabulary, settings: Settings) -> Tables:
    """Return the probabilities of being kept and the table of negatives."""
    share = vocabulary.counts / vocabulary.n_tokens
    if settings.sample > 0:
        # word2vec's rule, which keeps a little more than sqrt(sample / share)
        keep = np.minimum(1, np.sqrt(settings.sample / share) + settings.sample / share)
    else:
        keep = np.ones(len(share))
    reach = np.cumsum(vocabulary.counts**_NEGATIVES_POWER)
    places = (np.arange(_NEGATIVES_PLACES * len(share)) + 0.5) / (_NEGATIVES_PLACES * len(share))
    negatives = np.searchsorted(reach / reach[-1], places)
    return Tables(keep.astype(np.float32), negatives.astype(np.int32), SIGMOID)


def as_sense_vectors(
    weights: Weights, vocabulary: Vocabulary, settings: Settings, metadata: Mapping[str, Any]
) -> SenseVectors:
    """Return the senses that were trained, the most frequent of each word first.

    They reuse the memory of the weights: no second copy is made.
    """
    n_words = len(vocabulary.words)
    n_multi = multi_sense_words(vocabulary, settings)
    first = first_rows(n_words, n_multi, settings.max_senses)
    word_of_row = np.repeat(np.arange(n_words), np.diff(first, append=len(weights.vectors)))
    used = weights.counts > 0
    used[first] |= np.add.reduceat(used, first) == 0  # a word without any context
    order = np.lexsort((-weights.counts, word_of_row))
    rows = order[used[order]]
    n_senses = np.bincount(word_of_row[rows])
    return SenseVectors(
        vocabulary.words,
        _compact(weights.vectors, rows, n_senses),
        n_senses,
        counts=weights.counts[rows],
        centers=_compact(weights.centers, rows, n_senses),
        globals=weights.contexts if settings.contexts == "words" else weights.globals,
        metadata=metadata,
    )


def _compact(array: Floats, rows: NDArray[np.int64], n_senses: NDArray[np.int64]) -> Floats:
    """Move the given rows to the front, in place.

    Rows move only within their word or forward, so a block of whole words never overwrites what a
    later block needs.
    """
    ends = np.cumsum(n_senses)[_WORDS_AT_A_TIME - 1 :: _WORDS_AT_A_TIME]
    for start, stop in pairwise([0, *ends, len(rows)]):
        array[start:stop] = array[rows[start:stop]]
    return array[: len(rows)]

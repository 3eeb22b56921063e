"""The senses of each word averaged into one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from exrpca.senses.sense_vectors import SenseVectors

Floats = NDArray[np.float32]


def collapsed(senses: SenseVectors) -> dict[str, Any]:
    """Return the arguments of the vectors that `SenseVectors.collapse` makes."""
    starts = senses.offsets[:-1]
    share = _shares(senses)[:, None]

    def mean(rows: Floats) -> Floats:
        return np.add.reduceat(rows * share, starts, axis=0)

    centers, examples = senses.mean_centers, senses.examples
    return {
        "words": senses.words,
        "vectors": mean(senses.vectors),
        "n_senses": np.ones(len(senses.words), dtype=np.int64),
        "counts": None if senses.counts is None else np.add.reduceat(senses.counts, starts),
        "centers": None if centers is None else mean(centers),
        "globals": senses.globals,
        "examples": examples and [sum(examples[senses.rows(word)], ()) for word in senses.words],
        "metadata": senses.metadata,
    }


def word_means(senses: SenseVectors) -> Floats:
    """Return the mean of each word's senses, weighted by their counts."""
    means: Floats = np.add.reduceat(senses.vectors * _shares(senses)[:, None], senses.offsets[:-1])
    return means


def _shares(senses: SenseVectors) -> Floats:
    """Return the weight of each sense among the senses of its word."""
    if senses.counts is None:
        counts = np.ones(len(senses.vectors))
    else:
        counts = senses.counts.astype(np.float64)
    totals = np.repeat(np.add.reduceat(counts, senses.offsets[:-1]), senses.n_senses)
    equal = 1 / np.repeat(senses.n_senses, senses.n_senses)
    share = np.where(totals > 0, counts / np.maximum(totals, 1e-300), equal)
    return share.astype(np.float32)

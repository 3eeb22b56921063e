"""The senses nearest to a sense, by cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from exrpca.errors import InputError
from exrpca.senses.cosine import unit_vectors

if TYPE_CHECKING:
    from exrpca.senses.sense_vectors import SenseVectors


def nearest_senses(
    senses: SenseVectors, word: str, sense: int | str | None, n: int
) -> pd.DataFrame:
    """Return the neighbors of one sense of a word, or of each; see `SenseVectors.neighbors`."""
    if n < 1:
        raise InputError(f"n={n} must be at least 1")
    rows = senses.rows(word)
    wanted = range(rows.start, rows.stop) if sense is None else [senses.row(word, sense)]
    return pd.concat([_nearest(senses, word, own, n) for own in wanted], ignore_index=True)


def _nearest(senses: SenseVectors, word: str, own: int, n: int) -> pd.DataFrame:
    cosine = senses.cosines(senses.vectors[own])
    cosine[own] = -np.inf
    n = min(n, len(cosine) - 1)
    best = np.argpartition(-cosine, n - 1)[:n] if n else np.empty(0, dtype=np.int64)
    best = best[np.lexsort((best, -cosine[best]))]
    words = np.searchsorted(senses.offsets, best, side="right") - 1
    labels = senses.labels
    return pd.DataFrame(
        {
            "sense": own - senses.rows(word).start,
            **({} if labels is None else {"label": labels[own]}),
            "neighbor": [senses.words[i] for i in words],
            "its_sense": best - senses.offsets[words],
            **({} if labels is None else {"its_label": [labels[row] for row in best]}),
            "cosine": cosine[best],
            "same_word": words == senses.index(word),
        }
    )


def sense_pairs(senses: SenseVectors, word: str) -> pd.DataFrame:
    """Return the cosine of each pair of senses of a word; see `SenseVectors.pairs`."""
    unit = unit_vectors(senses[word])
    a, b = np.triu_indices(len(unit), 1)
    labels = None if senses.labels is None else np.array(senses.labels[senses.rows(word)])
    return pd.DataFrame(
        {
            "sense_a": a,
            "sense_b": b,
            **({} if labels is None else {"label_a": labels[a], "label_b": labels[b]}),
            "cosine": (unit[a] * unit[b]).sum(axis=1),
        }
    )


def neighbor_words(senses: SenseVectors, word: str, sense: int, n: int) -> list[str]:
    """Return the nearest other words of a sense, each once.

    Examples
    --------
    >>> from exrpca.senses import SenseVectors
    >>> senses = SenseVectors(["bank", "river"], [[1, 0], [0, 1], [0, 2], [1, 9]], [2, 2])
    >>> neighbor_words(senses, "bank", 1, 2)
    ['river']
    """
    near = nearest_senses(senses, word, sense, 4 * n + 10)
    others = near.loc[~near["same_word"], "neighbor"]
    return list(others.drop_duplicates().head(n))

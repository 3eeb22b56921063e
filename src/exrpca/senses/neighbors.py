"""The senses nearest to a sense, by cosine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from exrpca.errors import InputError

if TYPE_CHECKING:
    from exrpca.senses.sense_vectors import SenseVectors


def nearest_senses(senses: SenseVectors, word: str, sense: int | str, n: int) -> pd.DataFrame:
    """Return the `n` senses with the highest cosine to one sense; see `SenseVectors.neighbors`."""
    if n < 1:
        raise InputError(f"n={n} must be at least 1")
    own = senses.row(word, sense)
    cosine = senses.cosines(senses.vectors[own])
    cosine[own] = -np.inf
    n = min(n, len(cosine) - 1)
    best = np.argpartition(-cosine, n - 1)[:n] if n else np.empty(0, dtype=np.int64)
    best = best[np.lexsort((best, -cosine[best]))]
    words = np.searchsorted(senses.offsets, best, side="right") - 1
    labels = {} if senses.labels is None else {"label": [senses.labels[row] for row in best]}
    return pd.DataFrame(
        {
            "word": [senses.words[i] for i in words],
            "sense": best - senses.offsets[words],
            **labels,
            "cosine": cosine[best],
            "same_word": words == senses.index(word),
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
    others = near.loc[~near["same_word"], "word"]
    return list(others.drop_duplicates().head(n))

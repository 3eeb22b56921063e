"""The pairs of a word's senses: their neighbours and their noise (the paper's Table 3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from exrpca.analysis.decomposed import Decomposed
from exrpca.senses import SenseVectors


def describe_pairs(
    decomposed: Decomposed, words: Sequence[str], *, n_neighbors: int = 5
) -> pd.DataFrame:
    """Return the sense pairs of some words, with the neighbours of both senses.

    Parameters
    ----------
    decomposed : Decomposed
    words : sequence of str
        A word with one sense has no pair and no row.
    n_neighbors : int, default 5

    Returns
    -------
    DataFrame
        `word`, `sense_a`, `sense_b`, `neighbors_a`, `neighbors_b` (words, nearest first),
        `noise` (‖S_p‖₂) and `percentile` (how many of a hundred pairs have less noise).
    """
    rows = decomposed.differences.select(list(words))
    table = decomposed.differences.pairs.iloc[rows].reset_index(drop=True)
    for side in ("a", "b"):
        table[f"neighbors_{side}"] = [
            neighbor_words(decomposed.senses, word, sense, n_neighbors)
            for word, sense in zip(table["word"], table[f"sense_{side}"], strict=True)
        ]
    table["noise"] = decomposed.noise[rows]
    below = np.searchsorted(np.sort(decomposed.noise), table["noise"].to_numpy())
    table["percentile"] = 100 * below / len(decomposed.noise)
    return table


def neighbor_words(senses: SenseVectors, word: str, sense: int, n: int) -> str:
    """Return the nearest other words of a sense, each once."""
    near = senses.neighbors(word, sense, n=4 * n + 10)
    others = near.loc[~near["same_word"], "word"]
    return " ".join(others.drop_duplicates().head(n))


def noisiest_words(decomposed: Decomposed, n: int) -> list[str]:
    """Return the `n` words that have the pairs with most noise."""
    order = np.argsort(-decomposed.noise, kind="stable")
    return list(decomposed.differences.pairs["word"].iloc[order].drop_duplicates().head(n))

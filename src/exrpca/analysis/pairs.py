"""The pairs of a word's senses: neighbors, outlier norm and verdict (the paper's Table 3)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from exrpca.senses import SenseVectors


def describe_pairs(
    senses: SenseVectors, detected: pd.DataFrame, words: Sequence[str], *, n_neighbors: int = 5
) -> pd.DataFrame:
    """Return the sense pairs of some words, with the neighbors of both senses.

    Parameters
    ----------
    senses : SenseVectors
    detected : DataFrame
        From `detect(senses)`.
    words : sequence of str
        A word with one sense has no pair and no row.
    n_neighbors : int, default 5

    Returns
    -------
    DataFrame
        `word`, `sense_a`, `sense_b`, `neighbors_a`, `neighbors_b` (words, nearest first),
        `outlier_norm` (‖S_p‖₂), `probability` (that the pair is real) and `verdict`.
    """
    for word in words:
        senses.index(word)  # a missing word is an error, with close matches
    order = {word: place for place, word in enumerate(words)}
    table = detected[detected["word"].isin(order)]
    table = table.sort_values("word", key=lambda word: word.map(order), kind="stable")
    near = {
        f"neighbors_{side}": [
            neighbor_words(senses, word, sense, n_neighbors)
            for word, sense in zip(table["word"], table[f"sense_{side}"], strict=True)
        ]
        for side in ("a", "b")
    }
    columns = ["word", "sense_a", "sense_b", *near, "outlier_norm", "probability", "verdict"]
    return table.assign(**near)[columns].reset_index(drop=True)


def most_outlying_words(detected: pd.DataFrame, n: int) -> list[str]:
    """Return the `n` words whose pairs have the largest outlier norms."""
    by_norm = detected.sort_values("outlier_norm", ascending=False)
    return list(by_norm["word"].drop_duplicates().head(n))


def neighbor_words(senses: SenseVectors, word: str, sense: int, n: int) -> str:
    """Return the nearest other words of a sense, each once."""
    near = senses.neighbors(word, sense, n=4 * n + 10)
    others = near.loc[~near["same_word"], "word"]
    return " ".join(others.drop_duplicates().head(n))

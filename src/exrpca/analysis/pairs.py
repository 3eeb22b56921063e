"""The pairs of a word's senses: neighbors, evidence and verdict (the paper's Table 3)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from exrpca.senses import SenseVectors
from exrpca.senses.neighbors import neighbor_words

_JUDGED = (
    *("verdict", "probability", "judged_by"),
    *("shared", "examples", "cosine", "outlier_norm"),
)
# What `detect` adds with a text and an encoder.
_SENTENCES = ("occurrences_a", "occurrences_b", "sentence_a", "sentence_b")


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
        `word`, `sense_a`, `sense_b`, what `detect` says (`verdict`, `probability`, `judged_by`,
        `shared`, `examples` in one string, `cosine`, `outlier_norm` if it is there, and with a
        text the numbers of occurrences and typical sentences), `neighbors_a` and `neighbors_b`
        (words, nearest first).

    Examples
    --------
    >>> from exrpca import bundled, detect
    >>> senses = bundled()
    >>> table = describe_pairs(senses, detect(senses), ["rock"], n_neighbors=2)
    >>> table[["sense_a", "sense_b", "neighbors_a", "neighbors_b"]]
       sense_a  sense_b      neighbors_a      neighbors_b
    0        0        1        pop metal  rocks limestone
    1        0        2        pop metal       rocks hole
    2        1        2  rocks limestone       rocks hole
    """
    for word in words:
        senses.index(word)  # a missing word is an error, with close matches
    order = {word: place for place, word in enumerate(words)}
    table = detected[detected["word"].isin(order)]
    table = table.sort_values("word", key=lambda word: word.map(order), kind="stable")
    near = {
        f"neighbors_{side}": [
            " ".join(neighbor_words(senses, word, sense, n_neighbors))
            for word, sense in zip(table["word"], table[f"sense_{side}"], strict=True)
        ]
        for side in ("a", "b")
    }
    columns = [
        "word",
        "sense_a",
        "sense_b",
        *(c for c in (*_JUDGED, *_SENTENCES) if c in table),
        *near,
    ]
    table = table.assign(**near, examples=[" ".join(words) for words in table["examples"]])
    return table[columns].reset_index(drop=True)

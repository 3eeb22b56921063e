"""Which sense an occurrence has: that of the nearest center."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import softmax

from exrpca.contextual.centering import CenteredVectors, Integers
from exrpca.contextual.occurrences import NO_LABEL, Occurrences
from exrpca.errors import InputError
from exrpca.senses import SenseVectors
from exrpca.senses.metadata import induction_entry

Floats = NDArray[np.floating[Any]]

# The sense of an occurrence that has none.
NO_SENSE = NO_LABEL

# How far the nearest center can be trusted: with this share, the probability is about how often an
# occurrence has the label of most in its sense, on labeled words; see
# docs/explanation/induction.md.
_PURE = 0.6


def assign(senses: SenseVectors, occurrences: Occurrences) -> pd.DataFrame:
    """Return the sense of each occurrence, by the nearest center of its word.

    Parameters
    ----------
    senses : SenseVectors
        From `induce`.
    occurrences : Occurrences
        New occurrences; their vectors are made as those were that `induce` saw.

    Returns
    -------
    DataFrame
        As `induce` returns: one row per occurrence. A word without senses has the sense −1 and
        no probability.

    Examples
    --------
    >>> settings = {"mean": [0.5, 0.5], "spread": 0.2}
    >>> senses = SenseVectors(
    ...     ["bank"], [[1, 0], [0, 1]], [2], centers=[[0.7, -0.7], [-0.7, 0.7]],
    ...     metadata={"induction": settings},
    ... )
    >>> assign(senses, Occurrences.from_arrays(["bank", "cell"], np.array([[2, 9], [1, 1]])))
       word  sense  probability
    0  bank      1     0.799959
    1  cell     -1          NaN
    """
    centered = _centered(senses, occurrences.vectors)
    sense = np.full(len(occurrences), NO_SENSE)
    probability = np.full(len(occurrences), np.nan)
    for word, rows in occurrences.by_word():
        if word in senses and len(rows):
            shares = _word_probabilities(senses, senses.index(word), centered, rows)
            sense[rows], probability[rows] = shares.argmax(axis=1), shares.max(axis=1)
    table = assignment_table(occurrences, sense, probability)
    return table if senses.labels is None else table.assign(name=sense_names(senses, table))


def sense_names(senses: SenseVectors, assignments: pd.DataFrame) -> list[str]:
    """Return the name that a person gave to the sense of each occurrence, or an empty string."""
    labels = senses.labels or [""] * len(senses.vectors)
    return [
        labels[senses.offsets[senses.index(word)] + sense] if sense != NO_SENSE else ""
        for word, sense in zip(assignments["word"], assignments["sense"], strict=True)
    ]


def sense_probabilities(senses: SenseVectors, words: Integers, vectors: NDArray[Any]) -> Floats:
    """Return how probable each sense is for occurrences of the words with some positions.

    Parameters
    ----------
    senses : SenseVectors
        From `induce`.
    words : ndarray of int, shape (n,)
        The position of each occurrence's word in `senses.words`.
    vectors : ndarray of shape (n, dim)
        Of the occurrences, as the encoder made them.

    Returns
    -------
    ndarray of shape (n, most senses of a word)
        0 where a word has no such sense.

    Examples
    --------
    >>> settings = {"mean": [0.5, 0.5], "spread": 0.2}
    >>> senses = SenseVectors(
    ...     ["bank"], [[1, 0], [0, 1]], [2], centers=[[0.7, -0.7], [-0.7, 0.7]],
    ...     metadata={"induction": settings},
    ... )
    >>> sense_probabilities(senses, np.array([0]), np.array([[2, 9]])).argmax(axis=1)
    array([1])
    """
    centered = _centered(senses, vectors)
    shares = np.zeros((len(words), int(senses.n_senses.max(initial=0))))
    for word in np.unique(words).tolist():
        rows = np.flatnonzero(words == word)
        shares[rows, : senses.n_senses[word]] = _word_probabilities(senses, word, centered, rows)
    return shares


def _centered(senses: SenseVectors, vectors: NDArray[Any]) -> CenteredVectors:
    settings = induction_entry(senses.metadata)
    if senses.centers is None or senses.dim != vectors.shape[1]:
        raise InputError(
            f"the occurrences have {vectors.shape[1]} dimensions, the centers of the senses "
            f"{0 if senses.centers is None else senses.dim}"
        )
    return CenteredVectors(vectors, np.array(settings["mean"], dtype=np.float32))


def _word_probabilities(
    senses: SenseVectors, word: int, centered: CenteredVectors, rows: Integers
) -> Floats:
    """Return the probability of each sense of a word for each of its occurrences."""
    assert senses.centers is not None  # noqa: S101 - `_centered` looked
    assert senses.center_offsets is not None  # noqa: S101
    spread = induction_entry(senses.metadata)["spread"]
    # a merged sense has several centers: their probabilities add up
    first_of_sense = senses.center_offsets[senses.offsets[word] : senses.offsets[word + 1] + 1]
    centers = senses.centers[first_of_sense[0] : first_of_sense[-1]]
    starts = first_of_sense[:-1] - first_of_sense[0]
    shares = [probabilities(closeness(x, centers), spread) for _, x in centered.blocks(rows)]
    return np.add.reduceat(np.concatenate(shares), starts, axis=1)


def assignment_table(
    occurrences: Occurrences, sense: Integers, probability: Floats
) -> pd.DataFrame:
    """Return one row per occurrence: word, sense, probability and its text, if any."""
    table = pd.DataFrame(
        {
            "word": np.array(occurrences.words, dtype=object)[occurrences.word_of],
            "sense": sense,
            "probability": probability,
        }
    )
    if occurrences.texts is None:
        return table
    # Arrow strings are not copied
    texts: pd.DataFrame = occurrences.texts.to_pandas(types_mapper=pd.ArrowDtype)
    return pd.concat([table, texts], axis=1)


def closeness(x: Floats, centers: Floats) -> Floats:
    """Return x·c − |c|²/2 for each row and center: the largest is that of the nearest center.

    Examples
    --------
    >>> closeness(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0]]))
    array([[ 0.5, -0.5]])
    """
    return np.asarray(x @ centers.T - (centers**2).sum(axis=1) / 2)


def probabilities(close: Floats, spread: float) -> Floats:
    """Return the probability of each sense.

    Normals of one variance around the centers say which sense is nearest. A sense also holds
    occurrences of other meanings, so the rest of the probability is spread evenly.
    """
    return np.asarray(_PURE * softmax(close / spread, axis=1) + (1 - _PURE) / close.shape[1])


def scatter(x: Floats, sense: Integers, centers: Floats) -> tuple[float, int]:
    """Return the scatter along the lines between centers: sum of squares, degrees of freedom.

    Only these directions matter for the choice. All others hold most of the noise.
    """
    squares, freedom = 0.0, 0
    for i in range(len(centers)):
        for j in range(i):
            line = centers[i] - centers[j]
            line = line / max(float(np.linalg.norm(line)), 1e-12)
            both = (sense == i) | (sense == j)
            squares += float((((x[both] - centers[sense[both]]) @ line) ** 2).sum())
            freedom += max(int(both.sum()) - 2, 0)  # two means were fitted
    return squares, freedom


def cluster_means(
    parts: Iterable[tuple[slice, NDArray[Any]]], labels: Integers, k: int, dim: int
) -> NDArray[np.float32]:
    """Return the mean of each of k clusters, from vectors that come in parts.

    Examples
    --------
    >>> vectors = np.array([[1.0, 0], [3, 0], [0, 5]])
    >>> cluster_means([(slice(0, 3), vectors)], np.array([0, 0, 1]), 2, 2)
    array([[2., 0.],
           [0., 5.]], dtype=float32)
    """
    total = np.zeros((k, dim))
    for part, vectors in parts:
        member = labels[part] == np.arange(k)[:, None]
        total += member.astype(np.float32) @ vectors.astype(np.float32)
    counts = np.bincount(labels[labels != NO_SENSE], minlength=k)
    return (total / np.maximum(counts, 1)[:, None]).astype(np.float32)

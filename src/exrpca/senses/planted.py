"""Planted data: sense vectors whose pseudo directions, real pairs and noise are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.senses.differences import DifferenceMatrix
from exrpca.senses.sense_vectors import SenseVectors

_TOPICS = (
    *("animal", "body", "building", "chemistry", "clothing", "computer", "finance", "food"),
    *("geography", "history", "language", "law", "mathematics", "medicine", "music", "plant"),
    *("religion", "ship", "sport", "weather"),
)


@dataclass(frozen=True)
class PlantedSenses:
    """What `make_senses` made, and the truth about it.

    Attributes
    ----------
    senses : SenseVectors
    components : ndarray of shape (n_components, dim)
        The orthonormal directions in which pseudo senses differ.
    pairs : DataFrame
        Columns `word`, `sense_a`, `sense_b` and `real`: the senses have different topics.
        Its rows are those of `DifferenceMatrix(senses)`.

    Examples
    --------
    >>> planted = make_senses(n_words=100, dim=20, n_components=2)
    >>> planted.components.shape, len(planted.pairs)
    ((2, 20), 132)
    """

    senses: SenseVectors
    components: NDArray[np.float32]
    pairs: pd.DataFrame


def make_senses(
    *,
    n_words: int = 1000,
    dim: int = 50,
    n_components: int = 3,
    max_senses: int = 3,
    real_share: float = 0.2,
    noise: float = 0.1,
    seed: int = 0,
) -> PlantedSenses:
    """Make sense vectors with known pseudo directions, real pairs and noise.

    A sense vector is a topic, plus what is the word's own, plus a part along the pseudo
    directions that the senses of one word do not share, plus Gaussian noise. Senses of one
    topic are pseudo senses of each other, senses of two topics really different.

    Parameters
    ----------
    n_words, dim : int
        The vocabulary and the dimensions.
    n_components : int, default 3
        The number of pseudo directions; the first varies most.
    max_senses : int, default 3
        Words have 1 to that many senses; each number is equally frequent.
    real_share : float, default 0.2
        The probability that a further sense of a word has a topic of its own.
    noise : float, default 0.1
        The standard deviation of the noise on each element.
    seed : int, default 0

    Returns
    -------
    PlantedSenses

    Examples
    --------
    >>> planted = make_senses(n_words=100, dim=20, seed=1)
    >>> planted.senses
    <SenseVectors: 100 words, 199 senses, 20 dimensions, counts, centers, globals>
    >>> planted.pairs.head(3)
             word  sense_a  sense_b   real
    0  animal_001        0        1  False
    1  animal_002        0        1  False
    2  animal_002        0        2  False
    """
    random = np.random.default_rng(seed)
    n_senses = 1 + np.arange(n_words) % max_senses
    word_of_row = np.repeat(np.arange(n_words), n_senses)
    first = np.concatenate([[0], np.cumsum(n_senses)[:-1]])
    components = np.linalg.qr(random.normal(size=(dim, n_components)))[0].T

    topics = random.normal(size=(len(_TOPICS), dim)) / np.sqrt(2)
    topics -= topics @ components.T @ components
    topic_of_word = np.arange(n_words) * len(_TOPICS) // n_words
    topic = topic_of_word[word_of_row]
    stray = random.random(len(topic)) < real_share
    stray[first] = False
    topic[stray] = random.integers(len(_TOPICS), size=stray.sum())

    own = random.normal(size=(n_words, dim)) / np.sqrt(8)
    scales = 2.0 / np.arange(1, n_components + 1)
    pseudo = (random.normal(size=(len(topic), n_components)) * scales) @ components
    spread = random.normal(size=(len(topic), dim)) * noise
    vectors = topics[topic] + own[word_of_row] + pseudo + spread

    senses = SenseVectors(
        [f"{_TOPICS[t]}_{i:03d}" for i, t in enumerate(topic_of_word)],
        vectors,
        n_senses,
        counts=random.integers(50, 5000, size=len(topic)),
        centers=topics[topic] + random.normal(size=vectors.shape) * noise,
        globals=topics[topic_of_word] + own,
        metadata={"origin": f"make_senses(n_words={n_words}, dim={dim}, seed={seed})"},
    )
    differences = DifferenceMatrix(senses)
    pairs = differences.pairs.assign(real=topic[differences.rows_a] != topic[differences.rows_b])
    return PlantedSenses(senses, components.astype(np.float32), pairs)

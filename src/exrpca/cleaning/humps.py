"""Whether the contexts of two senses form one hump or two, in a text.

The direction from one sense to the other is found with half of their contexts. The other half is
placed on it, and two normal distributions are fitted to the places: `valley` is how far apart they
are. Any cloud can be cut in two, so each sense is also cut by itself, across its leading direction,
and judged in the same way. What counts is how much farther apart the humps of two senses are than
those within a sense.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.contextual.valley import valley
from exrpca.progress import ProgressCallback
from exrpca.senses import DifferenceMatrix, SenseVectors
from exrpca.text.choice import ChoiceBasis, sense_cosines
from exrpca.text.context import ContextSettings, context_vectors, windows
from exrpca.text.sampling import SampledContexts

Contexts = NDArray[Any]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Side = NDArray[np.bool_]

# Each half needs so many contexts of each side. With fewer, nothing is said.
_FEWEST = 4

# Words whose context vectors are in memory at a time.
_BATCH = 200


def hump_distances(
    differences: DifferenceMatrix, sampled: SampledContexts, report: ProgressCallback
) -> Floats:
    """Return how much farther apart the humps of each pair are than those within its senses.

    Parameters
    ----------
    differences : DifferenceMatrix
        The pairs. Their senses must have centers and global vectors.
    sampled : SampledContexts
        Contexts of the words with several senses.
    report : callable
        Told how many words are done.

    Returns
    -------
    ndarray
        The distance of each pair, in widths of a hump; NaN where there are too few contexts.
    """
    senses, rows_a, rows_b = differences.senses, differences.rows_a, differences.rows_b
    within = np.full(len(senses.vectors), np.nan)
    between = np.full(len(differences), np.nan)
    words, first_pairs = np.unique(senses.word_of_row[rows_a], return_index=True)
    last_pairs = np.append(first_pairs[1:], len(differences))
    for done, (contexts, rows) in enumerate(_clouds(senses, sampled, words)):
        for row in range(senses.offsets[words[done]], senses.offsets[words[done] + 1]):
            within[row] = distance_within(contexts[rows == row])
        for pair in range(first_pairs[done], last_pairs[done]):
            second, either = rows == rows_b[pair], np.isin(rows, (rows_a[pair], rows_b[pair]))
            between[pair] = distance_between(contexts[either], second[either])
        if done % _BATCH == 0:
            report(done)
    # senses with few contexts are compared with what is usual
    usual = np.nanmedian(within) if np.isfinite(within).any() else np.nan
    within[np.isnan(within)] = usual
    return np.asarray(between - (within[rows_a] + within[rows_b]) / 2)


def _clouds(
    senses: SenseVectors, sampled: SampledContexts, words: Integers
) -> Iterator[tuple[Contexts, Integers]]:
    """Yield for each word its contexts, at length 1, and the row of the sense each one selects."""
    settings, vectors = ContextSettings.of(senses), ChoiceBasis.of(senses).word_vectors
    for begin in range(0, len(words), _BATCH):
        batch = words[begin : begin + _BATCH]
        tokens, starts, at = sampled.as_text(batch)
        rows = (
            senses.offsets[tokens[at]] + sense_cosines(senses, tokens, starts, at, settings).best()
        )
        contexts = context_vectors(vectors, tokens, windows(starts, at, settings))
        lengths = np.linalg.norm(contexts, axis=1, keepdims=True)
        contexts /= np.maximum(lengths, 1e-9)
        ends = np.cumsum(sampled.n_drawn(batch))
        for first, last in zip(ends - sampled.n_drawn(batch), ends, strict=True):
            known = lengths[first:last, 0] > 0
            yield contexts[first:last][known], rows[first:last][known]


def distance_between(contexts: Contexts, second: Side) -> float:
    """Return how far apart the humps of two senses are; NaN with too few contexts.

    Parameters
    ----------
    contexts : ndarray of shape (n, dim)
        Contexts of both senses.
    second : ndarray of bool, shape (n,)
        Which of them are of the second sense.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> second = np.arange(200) % 3 == 0
    >>> one_cloud = rng.normal(size=(200, 20))
    >>> two_clouds = one_cloud + 5 * np.outer(second, np.eye(20)[0])
    >>> distance_between(one_cloud, second) < 2 < 4 < distance_between(two_clouds, second)
    True
    """
    half = np.arange(len(contexts)) % 2 == 0
    counts = np.bincount(2 * half + second, minlength=4)
    if counts.min() < _FEWEST:
        return np.nan
    return float(
        np.mean([_on_direction(contexts[a], second[a], contexts[~a]) for a in (half, ~half)])
    )


def distance_within(contexts: Contexts) -> float:
    """Return how far apart the humps of one sense are, cut across its leading direction.

    Examples
    --------
    >>> contexts = np.random.default_rng(0).normal(size=(200, 20))
    >>> distance_within(contexts) < 2.5
    True
    """
    half = np.arange(len(contexts)) % 2 == 0
    if (~half).sum() < 2 * _FEWEST:
        return np.nan
    found = []
    for part in (half, ~half):
        centered = contexts[part] - contexts[part].mean(axis=0)
        leading = np.linalg.eigh(centered @ centered.T)[1][:, -1]
        upper = np.argsort(np.argsort(leading)) >= len(leading) // 2
        found.append(_on_direction(contexts[part], upper, contexts[~part]))
    return float(np.mean(found))


def _on_direction(contexts: Contexts, second: Side, others: Contexts) -> float:
    """Return how far apart the humps of other contexts are on the way between two sides."""
    direction = contexts[second].mean(axis=0) - contexts[~second].mean(axis=0)
    return valley(others @ direction)

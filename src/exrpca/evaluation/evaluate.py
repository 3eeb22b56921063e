"""Scores of sense vectors: how their similarities agree with people's ratings."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.evaluation.correlation import Bootstrap, Interval
from exrpca.evaluation.similarity import PairSimilarity, Scores
from exrpca.evaluation.word_pairs import WordPairs
from exrpca.senses import SenseVectors
from exrpca.text.choice import Rule


def evaluate(
    senses: SenseVectors,
    data: WordPairs,
    *,
    rule: Rule = "inverse",
    window: int | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Correlate every similarity measure with people's ratings.

    Parameters
    ----------
    senses : SenseVectors
    data : WordPairs
        See `read_scws`, `read_word_pairs` and `wordsim353`.
    rule : {"inverse", "shifted"}, default "inverse"
        How the probability of a sense comes from the cosine of context and center.
    window : int, optional
        How many tokens on each side of a word are its context.
        By default, as many as the centers were made with.
    n_resamples : int, default 1000
        For the 95% bootstrap interval.
    seed : int, default 0

    Returns
    -------
    DataFrame
        One row per measure: `dataset`, `measure`, Spearman's `rho` with its 95% interval from
        `low` to `high`, and how many pairs of the `total` were in the vocabulary: `used`.

    Examples
    --------
    >>> senses = SenseVectors(
    ...     ["cat", "dog", "car"], [[1, 0], [0.8, 0.6], [0.9, 0.4], [0, 1]], [2, 1, 1]
    ... )
    >>> words = (("cat", "dog"), ("cat", "car"), ("dog", "car"))
    >>> evaluate(senses, WordPairs("pets", words, np.array([8, 2, 3])))[["measure", "rho", "used"]]
      measure  rho  used
    0  avgSim  1.0     3
    1  maxSim  0.5     3
    """
    pairs = PairSimilarity(senses, data, rule=rule, window=window)
    bootstrap = bootstrap_of(pairs, n_resamples=n_resamples, seed=seed)
    correlations = {
        measure: bootstrap.correlation(score) for measure, score in pairs.scores().items()
    }
    return pd.DataFrame(
        [
            {
                "dataset": data.name,
                "measure": measure,
                "rho": rho,
                "low": low,
                "high": high,
                "used": len(pairs.used),
                "total": len(data),
            }
            for measure, (rho, low, high) in correlations.items()
        ]
    )


def compare(
    senses: SenseVectors,
    others: SenseVectors,
    data: WordPairs,
    *,
    rule: Rule = "inverse",
    window: int | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Measure by how much one set of vectors scores above another, on the pairs in both.

    Both are resampled together: the interval is that of the paired difference.

    Parameters
    ----------
    senses, others : SenseVectors
    data : WordPairs
    rule, window, n_resamples, seed
        As for `evaluate`.

    Returns
    -------
    DataFrame
        One row per measure that both have: `dataset`, `measure`, `difference` (of ρ) with its
        95% interval from `low` to `high`, `used` and `total`.

    Examples
    --------
    >>> from exrpca import bundled
    >>> from exrpca.evaluation import wordsim353
    >>> senses = bundled()
    >>> table = compare(senses.collapse(), senses, wordsim353())
    >>> table[["measure", "difference", "used", "total"]].round(2)
         measure  difference  used  total
    0  globalSim         0.0   352    353
    1     avgSim        -0.0   352    353
    2     maxSim        -0.0   352    353
    """
    sides = [PairSimilarity(side, data, rule=rule, window=window) for side in (senses, others)]
    common = np.intersect1d(sides[0].used, sides[1].used)
    if len(common) < 2:
        raise InputError(f"{len(common)} pairs of {data.name} are in both vocabularies")
    bootstrap = Bootstrap(data.ratings[common], n_resamples=n_resamples, seed=seed)
    scores = [_at(side, common) for side in sides]
    differences: dict[str, Interval] = {
        measure: bootstrap.difference(scores[0][measure], scores[1][measure])
        for measure in scores[0]
        if measure in scores[1]
    }
    return pd.DataFrame(
        [
            {
                "dataset": data.name,
                "measure": measure,
                "difference": difference,
                "low": low,
                "high": high,
                "used": len(common),
                "total": len(data),
            }
            for measure, (difference, low, high) in differences.items()
        ]
    )


def bootstrap_of(pairs: PairSimilarity, *, n_resamples: int, seed: int) -> Bootstrap:
    """Return resamples of the used pairs; too few of them are bad input."""
    if len(pairs.used) < 2:
        raise InputError(
            f"{len(pairs.used)} of the {len(pairs.data)} pairs of {pairs.data.name} are in the "
            "vocabulary, expected at least 2"
        )
    return Bootstrap(pairs.ratings, n_resamples=n_resamples, seed=seed)


def _at(pairs: PairSimilarity, common: NDArray[np.int64]) -> Scores:
    at = np.searchsorted(pairs.used, common)
    return {measure: score[at] for measure, score in pairs.scores().items()}

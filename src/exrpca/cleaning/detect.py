"""Detection: which pairs of senses are real, and which are pseudo."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression

from exrpca.cleaning.scores import PairScores, check_score
from exrpca.cleaning.sense_decomposition import (
    DEFAULT_RANK,
    SenseDecomposition,
    decomposition_of,
    usable_rank,
)
from exrpca.errors import InputError
from exrpca.senses import SenseVectors

Floats = NDArray[Any]

DEFAULT_SCORE = "surprise"


class Calibration(NamedTuple):
    """How the probability follows from the default score."""

    intercept: float
    slope: float
    low: float  # the probability at the lowest scores,
    high: float  # and at the highest: no score is always right

    def probability(self, score: Floats) -> Floats:
        """Return the probability that pairs are real."""
        rise = expit(self.intercept + self.slope * score)
        return np.asarray(self.low + (self.high - self.low) * rise)


# P(real) = low + (high − low) · expit(intercept + slope · score), by (has counts, has centers).
# Fitted to pseudowords with as many real as pseudo pairs (benchmarks/pseudowords.py).
_CALIBRATION = {
    (True, True): Calibration(-3.5532, 3.1256, 0.0011, 0.9665),
    (False, True): Calibration(-4.8017, 3.9923, 0.0001, 0.9673),
    (True, False): Calibration(-2.9178, 2.4918, 0.005, 0.9711),
    (False, False): Calibration(-3.5847, 2.6499, 0.0001, 0.9909),
}


def detect(
    senses: SenseVectors | SenseDecomposition,
    *,
    score: str = DEFAULT_SCORE,
    fdr: float = 0.2,
    method: str | None = None,
    rank: int | None = None,
) -> pd.DataFrame:
    """Judge whether the two senses of each pair are really different.

    Parameters
    ----------
    senses : SenseVectors or SenseDecomposition
        Vectors, with at least one word that has two senses, or their fitted decomposition.
        Counts, centers and global vectors are optional.
    score : str, default "surprise"
        What decides, one of `SCORES`; "outlier_norm" is the indicator of Shi et al. (2018).
    fdr : float, default 0.2
        The false-discovery rate: the share of pseudo pairs to expect among those called real, if
        half of all pairs were real. If fewer are, more of the verdicts "real" are wrong.
    method : {"exrpca", "pca", "rpca", "convex"}, optional
        How the components are found; "exrpca" by default. Not with a decomposition.
    rank : int, optional
        How many components to find at most; 3 by default. There are fewer if there are few pairs
        or dimensions. Not with a decomposition.

    Returns
    -------
    DataFrame
        One row per pair: `word`, `sense_a`, `sense_b`, `outlier_norm` (‖S_p‖₂), `score`,
        `probability` (that the pair is real) and `verdict` ("real" or "pseudo").

    Notes
    -----
    The default score compares each pair with the other pairs of `senses`, so use vectors as they
    were trained. After merging, only what is left is compared.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> planted = make_senses(n_words=300)
    >>> pairs = detect(planted.senses)
    >>> real = planted.pairs["real"].to_numpy()
    >>> bool(pairs["score"][real].median() > pairs["score"][~real].median())
    True
    """
    vectors = senses if isinstance(senses, SenseVectors) else senses.senses
    if not 0 < fdr < 1:
        raise InputError(f"fdr={fdr} must be between 0 and 1")
    check_score(score, vectors)
    if isinstance(senses, SenseVectors):
        rank = usable_rank(senses, DEFAULT_RANK if rank is None else rank)
    scores = PairScores(decomposition_of(senses, method=method, rank=rank))
    values = scores.score(score)
    if score == DEFAULT_SCORE:
        probability = _probability(vectors, values)
    else:
        # E[P(real) | score]: a pair is as probable as the pairs with the same score are
        by_default = _probability(vectors, scores.score(DEFAULT_SCORE))
        probability = IsotonicRegression().fit_transform(values, by_default)
    return scores.differences.pairs.assign(
        outlier_norm=scores.decomposition.outlier_norm,
        score=values,
        probability=probability,
        verdict=np.where(real_at(probability, values, fdr), "real", "pseudo"),
    )


def real_at(probability: Floats, score: Floats, fdr: float) -> NDArray[np.bool_]:
    """Return the largest set of most probable pairs of which a share `fdr` is expected pseudo.

    Among equally probable pairs, those with higher scores come first.

    Examples
    --------
    >>> probability = np.array([0.2, 0.99, 0.9, 0.6])
    >>> real_at(probability, probability, fdr=0.2)
    array([False,  True,  True,  True])
    """
    order = np.lexsort((-score, -probability))
    expected = np.cumsum(1 - probability[order]) / np.arange(1, len(order) + 1)
    n_real = np.searchsorted(expected, fdr, side="right")
    real = np.zeros(len(order), dtype=bool)
    real[order[:n_real]] = True
    return real


def _probability(senses: SenseVectors, score: Floats) -> Floats:
    known = senses.counts is not None, senses.centers is not None
    return _CALIBRATION[known].probability(score)

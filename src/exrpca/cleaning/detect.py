"""Detection: which pairs of senses are really different, and which pseudo."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression

from exrpca.cleaning.scores import PairScores
from exrpca.errors import InputError
from exrpca.senses import SenseVectors

Floats = NDArray[Any]

DEFAULT_SCORE = "surprise"
# P(real) = expit(intercept + slope · score), by whether there are counts and centres; fitted to
# pseudowords, as many real as pseudo pairs (benchmarks/pseudowords.py prints them).
_CALIBRATION = {
    (True, True): (-3.24, 2.67),
    (False, True): (-4.33, 3.48),
    (True, False): (-2.74, 2.23),
    (False, False): (-3.53, 2.57),
}


def detect(
    senses: SenseVectors,
    *,
    score: str = DEFAULT_SCORE,
    fdr: float = 0.2,
    method: str = "exrpca",
    rank: int = 3,
) -> pd.DataFrame:
    """Say of each pair of senses of a word whether they are really different.

    Parameters
    ----------
    senses : SenseVectors
        Counts, centres and global vectors are not needed.
    score : str, default "surprise"
        What decides, one of `SCORES`; "noise" is the indicator of Shi et al. (2018).
    fdr : float, default 0.2
        The false-discovery rate: the share of pseudo pairs to expect among those called real.
    method, rank
        How the differences are decomposed, for the noise and for the scores made from it.

    Returns
    -------
    DataFrame
        One row a pair: `word`, `sense_a`, `sense_b`, `noise` (‖S_p‖₂), `score`,
        `probability` (that the pair is real) and `verdict` ("real" or "pseudo").

    Examples
    --------
    >>> from exrpca import make_senses
    >>> planted = make_senses(n_words=300)
    >>> pairs = detect(planted.senses)
    >>> real = planted.pairs["real"].to_numpy()
    >>> bool(pairs["score"][real].median() > pairs["score"][~real].median())
    True
    """
    if not 0 < fdr < 1:
        raise InputError(f"fdr={fdr} must be between 0 and 1")
    scores = PairScores(senses, method=method, rank=rank)
    values = scores.score(score)
    probability = _probability(senses, scores.score(DEFAULT_SCORE))
    if score != DEFAULT_SCORE:
        # E[P(real) | score]: what a score says of a pair is what the pairs that share it are
        probability = IsotonicRegression().fit_transform(values, probability)
    return scores.differences.pairs.assign(
        noise=scores.noise,
        score=values,
        probability=probability,
        verdict=np.where(real_at(probability, fdr), "real", "pseudo"),
    )


def real_at(probability: Floats, fdr: float) -> NDArray[np.bool_]:
    """Return the largest set of most probable pairs with at most `fdr` pseudo ones expected.

    Examples
    --------
    >>> real_at(np.array([0.2, 0.99, 0.9, 0.6]), fdr=0.2)
    array([False,  True,  True,  True])
    """
    order = np.argsort(-probability, kind="stable")
    expected = np.cumsum(1 - probability[order]) / np.arange(1, len(order) + 1)
    n_real = np.searchsorted(expected, fdr, side="right")
    real = np.zeros(len(order), dtype=bool)
    real[order[:n_real]] = True
    return real


def _probability(senses: SenseVectors, score: Floats) -> Floats:
    intercept, slope = _CALIBRATION[senses.counts is not None, senses.centers is not None]
    return np.asarray(expit(intercept + slope * score))

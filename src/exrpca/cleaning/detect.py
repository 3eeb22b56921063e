"""Detection: which pairs of senses are really different, and which pseudo."""

from __future__ import annotations

from typing import Any, NamedTuple

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


class Calibration(NamedTuple):
    """How a probability follows from the default score."""

    intercept: float
    slope: float
    low: float  # what is left at the lowest scores, and missing at the highest:
    high: float  # no score is always right

    def probability(self, score: Floats) -> Floats:
        """Return the probability that pairs are real."""
        rise = expit(self.intercept + self.slope * score)
        return np.asarray(self.low + (self.high - self.low) * rise)


# P(real) = low + (high − low) · expit(intercept + slope · score), by whether there are counts and
# centers; fitted to pseudowords, as many real as pseudo pairs (benchmarks/pseudowords.py).
_CALIBRATION = {
    (True, True): Calibration(-3.5532, 3.1256, 0.0011, 0.9665),
    (False, True): Calibration(-4.8017, 3.9923, 0.0001, 0.9673),
    (True, False): Calibration(-2.9178, 2.4918, 0.005, 0.9711),
    (False, False): Calibration(-3.5847, 2.6499, 0.0001, 0.9909),
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
        Counts, centers and global vectors are not needed.
    score : str, default "surprise"
        What decides, one of `SCORES`; "noise" is the indicator of Shi et al. (2018).
    fdr : float, default 0.2
        The false-discovery rate: the share of pseudo pairs to expect among those called real, if
        half of all pairs were real. Where fewer are, more of the verdicts "real" are wrong.
    method, rank
        How the differences are decomposed, for the noise and for the scores made from it; at
        most `rank` components, fewer where there are fewer pairs or dimensions.

    Returns
    -------
    DataFrame
        One row a pair: `word`, `sense_a`, `sense_b`, `noise` (‖S_p‖₂), `score`,
        `probability` (that the pair is real) and `verdict` ("real" or "pseudo").

    Notes
    -----
    The default score compares each pair with the others of `senses`: take vectors as they were
    trained. After merging, what is left is compared with what is left.

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
    if score == DEFAULT_SCORE:
        probability = _probability(senses, values)
    else:
        # E[P(real) | score]: what a score says of a pair is what the pairs that share it are
        by_default = _probability(senses, scores.score(DEFAULT_SCORE))
        probability = IsotonicRegression().fit_transform(values, by_default)
    return scores.differences.pairs.assign(
        noise=scores.noise,
        score=values,
        probability=probability,
        verdict=np.where(real_at(probability, values, fdr), "real", "pseudo"),
    )


def real_at(probability: Floats, score: Floats, fdr: float) -> NDArray[np.bool_]:
    """Return the largest set of most probable pairs with at most `fdr` pseudo ones expected.

    Of equally probable pairs those of higher score come first.

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

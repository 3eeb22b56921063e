"""Detection: which pairs of senses are real, and which are pseudo."""

from __future__ import annotations

import numpy as np
import pandas as pd

from exrpca.cleaning.contrast import FEWEST_PAIRS, find_contrast, vector_score
from exrpca.cleaning.mixture import find_mixture
from exrpca.cleaning.pair_geometry import Floats
from exrpca.cleaning.real_share import UNKNOWN_SHARE, RealShare
from exrpca.cleaning.sense_decomposition import SenseDecomposition
from exrpca.cleaning.usual import CountFeatures
from exrpca.cleaning.verdicts import DEFAULT_LOST, verdicts
from exrpca.contextual.strength import check_lost
from exrpca.senses import DifferenceMatrix, SenseVectors
from exrpca.senses.metadata import is_induced

_SEED = 0


def detect(
    senses: SenseVectors | SenseDecomposition, *, lost: float = DEFAULT_LOST
) -> pd.DataFrame:
    """Judge whether the two senses of each pair are really different.

    The share of real pairs is estimated from the vectors themselves. If the differences have two
    clearly separated lengths, these decide. Otherwise, the senses of a word are compared with
    those of different words, which needs centers from training. If neither says anything, all
    pairs are undecided. Those of senses from `induce`, which has judged them, usually are.
    :doc:`/explanation/detection` has the rule and its results.

    Parameters
    ----------
    senses : SenseVectors or SenseDecomposition
        Vectors, with at least one word that has two senses, or their fitted decomposition.
        Counts and centers are optional.
    lost : float, default 0.1
        The expected share of all real pairs that may be called pseudo. With less, more pairs are
        undecided, and `merge` leaves more senses.

    Returns
    -------
    DataFrame
        One row per pair: `word`, `sense_a`, `sense_b`, `score` (the higher, the less alike),
        `probability` (that the pair is real) and `verdict` ("real", "pseudo" or "undecided").
        Undecided pairs may have no probability (NaN). With a decomposition also `outlier_norm`
        (‖S_p‖₂), the indicator of Shi et al. (2018), which does not decide.
        `attrs["real_share"]` is the share of real pairs, a `RealShare`.

    Notes
    -----
    Use the original vectors. After merging, the remaining pairs are not a representative sample.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> planted = make_senses(n_words=500, real_share=0.3)
    >>> pairs = detect(planted.senses)
    >>> print(pairs.attrs["real_share"])
    37% of the pairs are real (33% to 41%)
    >>> bool(((pairs["verdict"] == "real") == planted.pairs["real"]).all())
    True
    """
    check_lost(lost)
    if isinstance(senses, SenseDecomposition):
        differences = senses.differences
        pairs = differences.pairs.assign(outlier_norm=senses.outlier_norm)
    else:
        differences = DifferenceMatrix(senses)
        pairs = differences.pairs.copy()
    score, probability, share = _judged(differences)
    pairs["score"], pairs["probability"] = score, probability
    pairs["verdict"] = verdicts(probability, score, lost)
    pairs.attrs["real_share"] = share
    return pairs


def _judged(differences: DifferenceMatrix) -> tuple[Floats, Floats, RealShare]:
    """Return score and probability of each pair, and the share of real ones."""
    senses = differences.senses
    usual = CountFeatures(senses.counts, len(differences))
    rng = np.random.default_rng(_SEED)
    mixture = find_mixture(differences, usual, rng)
    if mixture.is_clear:
        return mixture.score, mixture.probability, mixture.real_share()
    unknown = np.full(len(differences), np.nan)
    if not _has_contrast(senses) or len(differences) < FEWEST_PAIRS:
        score = vector_score(differences, usual(differences.rows_a, differences.rows_b))
        return score, unknown, UNKNOWN_SHARE
    contrast = find_contrast(differences, usual, rng)
    if not contrast.is_informative:
        return contrast.score, unknown, UNKNOWN_SHARE
    share = contrast.real_share(senses.word_of_row[differences.rows_a], rng)
    return contrast.score, contrast.probability, share


def _has_contrast(senses: SenseVectors) -> bool:
    """Whether senses of different words can be compared with those of one word.

    The centers of induced senses are made of vectors of the word itself, so that those of other
    words are far away whatever the senses are.
    """
    return senses.centers is not None and not is_induced(senses.metadata)

"""From probabilities to verdicts: real, pseudo or undecided."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from exrpca.cleaning.pair_geometry import Floats

DEFAULT_LOST = 0.1


def verdicts(probability: Floats, score: Floats, lost: float) -> NDArray[np.object_]:
    """Return "real", "pseudo" or "undecided" for each pair.

    A pair is real if it is more probably real than not. The least probable of the others are
    pseudo: as many as hold the share `lost` of all real pairs, by expectation. Among equally
    probable pairs, those with lower scores come first. Without a probability (NaN), a pair is
    undecided.

    Examples
    --------
    >>> probability = np.array([0.9, 0.1, 0.4, 0.0, np.nan])
    >>> verdicts(probability, probability, lost=0.1).tolist()
    ['real', 'pseudo', 'undecided', 'pseudo', 'undecided']
    """
    verdict = np.full(len(probability), "undecided", dtype=object)
    known = np.flatnonzero(np.isfinite(probability))
    order = known[np.lexsort((score[known], probability[known]))]
    n_real_lost = np.cumsum(probability[order])
    if len(order):
        within = order[n_real_lost <= lost * n_real_lost[-1] + 1e-9]
        verdict[within] = "pseudo"
    verdict[known[probability[known] >= 0.5]] = "real"
    return verdict

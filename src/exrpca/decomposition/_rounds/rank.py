"""The rank of a matrix with outliers, found on a sample of its rows.

The rank is found from below. A fit at one rank sets outliers aside and measures the noise, and what
is left shows the next rank, until it stays.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.pursuit import small_gram
from exrpca.decomposition._rounds.start import first_guess, fit_from

# Takes the variances along all principal directions, by decreasing size, and the shape of the
# matrix. Returns how many of them to keep.
Rule = Callable[[Floats, tuple[int, int]], int]

_MOST_FITS = 12
# The 1% quantile, from above, of the Tracy–Widom distribution for real matrices.
_TRACY_WIDOM = 2.02


def choose_rank(x: Floats, rule: Rule, threshold: float, *, center: bool, in_units: bool) -> int:
    """Return the rank that the rule sees in `x` without its outliers; it may be 0.

    `in_units` shows the matrix to the rule in units of each feature's noise.
    """
    most: int = max(min(x.shape) // 2, 1)
    # With too few components the rule sees more, and often too many: what is left counts as noise
    # and differs between features. With too many, some fit outliers. So the rank is the smallest
    # one at which the rule sees no more.
    guess = first_guess(x, center=center)
    too_few, enough, found = 0, most + 1, most
    rank = 1
    for _ in range(_MOST_FITS):
        model, low_rank, aside = fit_from(guess, x, rank, threshold, center=center)
        rest = np.where(aside, low_rank, x)
        if in_units:
            rest = rest / _noise(model)
        seen = min(rule(_variances(rest, center=center), x.shape), most)
        if seen > rank:
            too_few = rank
        else:
            enough, found = rank, seen
        if enough <= too_few + 1 or found <= too_few:
            break
        between = too_few < seen < enough
        rank = min(seen if between else (too_few + enough) // 2, 2 * max(too_few, 1) + 1)
    return found


def _noise(model: Model) -> Floats:
    """Return the noise of each feature as it was before the components took their share."""
    left = 1 - (model.components.astype(np.float64) ** 2).sum(axis=0)
    noise: Floats = model.unit / np.sqrt(np.maximum(left, 1 / len(left)))
    return np.where(noise > 0, noise, 1.0).astype(model.unit.dtype)


def _variances(x: Floats, *, center: bool) -> Floats:
    rows = x - x.mean(axis=0) if center else x
    degrees = max(len(x) - int(center), 1)
    values = np.linalg.eigvalsh(small_gram(rows))[::-1][: min(degrees, x.shape[1])]
    variances: Floats = np.maximum(values, 0.0) / degrees
    return variances


def above_noise(variances: Floats, shape: tuple[int, int]) -> int:
    """Return how many variances are larger than noise alone would have them.

    Kritchman and Nadler (2009), "Non-Parametric Detection of the Number of Signals: Hypothesis
    Testing and Random Matrix Theory".
    """
    m, d = shape[0] - 1, shape[1]
    if m < 1 or variances.sum() == 0:
        return 0
    for rank in range(len(variances) - 1):
        rest = d - rank
        noise = variances[rank:].sum() / rest / (1 - rank / m)
        roots = np.sqrt(m - 0.5), np.sqrt(rest - 0.5)
        center = sum(roots) ** 2 / m
        width = np.sqrt(center / m) * (1 / roots[0] + 1 / roots[1]) ** (1 / 3)
        if variances[rank] <= noise * (center + _TRACY_WIDOM * width):
            return rank
    return len(variances) - 1


def share_of_variance(share: float) -> Rule:
    """Return the rule that keeps this share of the variance."""

    def rule(variances: Floats, _: tuple[int, int]) -> int:
        held = np.cumsum(variances)
        return int(np.searchsorted(held, share * held[-1])) + 1

    return rule

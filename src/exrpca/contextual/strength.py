"""How strong a cut is: whether the two sides are really different senses.

    strength = separation · valley / 2

`separation` compares distances across the cut with those within the sides. `valley` asks whether
the occurrences have two modes on the way from one side to the other; 2 means that there is no
evidence of that. With fewer than 20 occurrences no valley can be seen, and separation decides.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from exrpca.contextual.split import Floats, Side, cut_in_two, squared_distances
from exrpca.contextual.valley import ONE_MODE, valley
from exrpca.errors import InputError

# From this many occurrences on a valley can be seen.
ENOUGH = 20

# The weight of the vocabulary's typical distance, in occurrences.
_PSEUDO_OCCURRENCES = 3

# Folds, and how often an occurrence is scored, by a cut of the folds it is not in. With 5
# rounds the results differ too much between seeds.
_FOLDS, _ROUNDS = 3, 10

# How strong people's cuts of labeled words are: a log-logistic fit; see
# docs/explanation/induction.md.
_SLOPE, _HALFWAY = 2.8, 2.13

DEFAULT_LOST = 0.15


def strength(
    gram: Floats,
    side: Side,
    *,
    typical: float,
    rng: np.random.Generator,
    given: bool = False,
) -> float:
    """Return the strength of a cut.

    Parameters
    ----------
    gram : ndarray of shape (m, m)
        Inner products of the occurrences.
    side : ndarray of bool, shape (m,)
        The side of each occurrence.
    typical : float
        The typical distance 1 − cos of two occurrences of a word.
    rng : Generator
    given : bool, default False
        The sides are somebody's clusters; else `cut_in_two` found them, and what it finds
        without an occurrence decides where that occurrence is.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(40, 50))
    >>> round(strength(x @ x.T, cut_in_two(x @ x.T), typical=50, rng=rng), 1)
    0.9
    >>> x[:20] += 2
    >>> round(strength(x @ x.T, cut_in_two(x @ x.T), typical=50, rng=rng), 1)
    19.2
    """
    found = separation(gram, side, typical)
    if len(gram) >= ENOUGH:
        found *= valley(held_out_scores(gram, side, rng, given=given)) / ONE_MODE
    return found


def check_lost(lost: float) -> None:
    """Refuse a number that is not a share."""
    if not 0 <= lost <= 1:
        raise InputError(f"lost={lost} must be between 0 and 1")


def strength_needed(lost: float) -> float:
    """Return the strength that a cut needs.

    Parameters
    ----------
    lost : float
        The share of people's cuts that are weaker, where
        share = 1 / (1 + (2.13 / strength)^2.8).

    Examples
    --------
    >>> [round(strength_needed(lost), 2) for lost in (0.0, 0.15, 0.5, 1.0)]
    [0.0, 1.15, 2.13, inf]
    """
    if lost == 1:
        return np.inf
    return float(_HALFWAY * (lost / (1 - lost)) ** (1 / _SLOPE))


def share_weaker(strength: float) -> float:
    """Return the share of people's cuts that are weaker: the inverse of the above.

    Examples
    --------
    >>> [round(share_weaker(strength), 2) for strength in (0.0, 1.15, 2.13, 10.0)]
    [0.0, 0.15, 0.5, 0.99]
    """
    return float(expit(_SLOPE * (np.log(max(strength, 1e-9)) - np.log(_HALFWAY))))


def separation(gram: Floats, side: Side, typical: float) -> float:
    """Return the mean distance across the cut over that within the sides.

    The latter is shrunk toward the typical distance in the vocabulary: of two occurrences
    nothing else is known.
    """
    m, a, b = len(gram), int((~side).sum()), int(side.sum())
    distances = squared_distances(gram) / 2  # 1 − cos at length 1
    n_within = a * (a - 1) + b * (b - 1)
    within = float(side @ distances @ side + ~side @ distances @ ~side) / max(n_within, 1)
    shrunk = ((m - 2) * within + _PSEUDO_OCCURRENCES * typical) / (m - 2 + _PSEUDO_OCCURRENCES)
    across = float(~side @ distances @ side) / (a * b)
    return across / max(shrunk, 1e-9)  # equal vectors have no distance at all


def held_out_scores(
    gram: Floats, side: Side, rng: np.random.Generator, *, given: bool
) -> NDArray[np.float64]:
    """Return the place of each occurrence on directions found without it.

    A direction found with an occurrence leads toward it, so that even one round cloud seems to
    have two ends. The unit is the distance of the two means.
    """
    m = len(gram)
    total = np.zeros(m)
    for _ in range(_ROUNDS):
        fold = rng.permutation(m) % _FOLDS
        for out in range(_FOLDS):
            left_out, rest = np.flatnonzero(fold == out), np.flatnonzero(fold != out)
            inner = gram[np.ix_(rest, rest)]
            part = side[rest] if given else cut_in_two(inner)
            if part.all() or not part.any():
                continue
            if (part == side[rest]).mean() < 0.5:
                part = ~part
            total[left_out] += _places(inner, gram[np.ix_(left_out, rest)], part)
    return total / _ROUNDS


def _places(inner: Floats, rows: Floats, part: Side) -> Floats:
    """Return where new occurrences are between the means of two parts, in units of the gap."""
    second, first = part / part.sum(), ~part / (~part).sum()
    length_2, length_1 = _squared_length(inner, second), _squared_length(inner, first)
    gap = np.sqrt(max(length_1 + length_2 - 2 * first @ inner @ second, 1e-3))
    return np.asarray((rows @ second - rows @ first - (length_2 - length_1) / 2) / gap)


def _squared_length(inner: Floats, weights: NDArray[np.float64]) -> float:
    """Return the squared length of a mean without its noise: no vector times itself."""
    alone = weights**2
    whole, own, share = weights @ inner @ weights, alone @ np.diag(inner), alone.sum()
    return float(whole if share == 1 else (whole - own) / (1 - share))

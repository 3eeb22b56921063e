"""The measures of SemEval-2013 task 13, where an occurrence can have several senses to a degree.

They are those of Jurgens and Klapaftis (2013), as their scorers compute them. A membership is a
weight; before comparing, the weights of an occurrence are divided by the largest one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

from exrpca.errors import InputError

Floats = NDArray[np.float64]

# How many bins of equal width weights are compared in, as in the official scorer.
_BINS = 10


def fuzzy_b_cubed(gold: ArrayLike, found: ArrayLike) -> tuple[float, float]:
    """Return fuzzy B³ precision and recall of the clusters of one word.

    Two occurrences agree in a clustering by the sum of `1 − |w − w′|` over the clusters that both
    are in. With C the agreement in the clusters found and G that in the gold senses, precision is
    the mean of min(C, G) / C over the other occurrences that share a cluster with an occurrence,
    averaged over occurrences; recall is the mean of min(C, G) / G over those that share a gold
    sense. Who shares with nobody scores 0.

    Parameters
    ----------
    gold, found : array-like of shape (n, n_senses) and (n, n_clusters)
        The weight of each sense and cluster for each occurrence; 0 if it is not in it.

    Examples
    --------
    >>> gold = [[1, 0], [1, 0], [0, 1], [0, 1]]
    >>> fuzzy_b_cubed(gold, [[1, 0], [1, 0], [1, 0], [0, 1]])
    (0.25, 0.5)
    >>> fuzzy_b_cubed(gold, [[1, 0], [1, 0], [1, 1], [1, 0]])
    (0.333..., 1.0)
    """
    in_gold, in_found = _agreements(*_checked(gold, found))
    both = np.minimum(in_gold, in_found)
    return _mean_share(both, in_found), _mean_share(both, in_gold)


def fuzzy_nmi(gold: ArrayLike, found: ArrayLike) -> float:
    """Return the fuzzy normalized mutual information of the clusters of one word.

    It is that of Lancichinetti et al. (2009) for overlapping clusters, with the weights of a
    cluster in ten bins instead of two. A clustering's entropy given the other is the sum over its
    clusters of the least entropy that one cluster of the other leaves; a cluster that is more
    like the complement does not count. The mean information is divided by the larger entropy.

    Parameters
    ----------
    gold, found : array-like of shape (n, n_senses) and (n, n_clusters)
        As for `fuzzy_b_cubed`.

    Examples
    --------
    >>> gold = [[1, 0], [1, 0], [0, 1], [0, 1]]
    >>> fuzzy_nmi(gold, [[0, 1], [0, 1], [1, 0], [1, 0]])
    1.0
    >>> fuzzy_nmi(gold, [[1], [1], [1], [1]])
    0.0
    """
    senses, clusters = (weights.T for weights in _checked(gold, found))
    of_gold, of_found = (
        _entropies(_in_bins(part).mean(axis=2)).sum() for part in (senses, clusters)
    )
    if max(of_gold, of_found) == 0:
        return 1.0  # one sense, one cluster: they are the same
    left = _least_left(senses, clusters).sum() + _least_left(clusters, senses).sum()
    return float((of_gold + of_found - left) / 2 / max(of_gold, of_found))


def _checked(gold: ArrayLike, found: ArrayLike) -> tuple[Floats, Floats]:
    weights = [np.asarray(part, dtype=np.float64) for part in (gold, found)]
    for part in weights:
        if part.ndim != 2 or len(part) != len(weights[0]) or len(part) == 0:
            raise InputError(
                f"memberships have shapes {weights[0].shape} and {weights[1].shape}, expected one "
                "row per occurrence and one column per cluster"
            )
        if not (part >= 0).all():
            raise InputError("a membership is negative or not a number")
    return _largest_1(weights[0]), _largest_1(weights[1])


def _largest_1(weights: Floats) -> Floats:
    """Return the weights of each occurrence, the largest 1, without clusters that nobody is in."""
    weights = weights[:, weights.any(axis=0)]
    largest = weights.max(axis=1, keepdims=True, initial=0)
    return np.asarray(weights / np.where(largest > 0, largest, 1))


def _agreements(*clusterings: Floats) -> list[Floats]:
    """Return for each clustering the agreement of every two occurrences, 0 with itself."""
    found = []
    for weights in clusterings:
        agreement = np.zeros((len(weights), len(weights)))
        for own in weights.T:
            members = np.flatnonzero(own)
            shared = 1 - np.abs(own[members, None] - own[members])
            agreement[np.ix_(members, members)] += shared
        np.fill_diagonal(agreement, 0)
        found.append(agreement)
    return found


def _mean_share(both: Floats, alone: Floats) -> float:
    # a shared cluster always agrees by more than 0: the smaller of two weights is above 0
    shares = np.divide(both, alone, out=np.zeros_like(both), where=alone > 0).sum(axis=1)
    return float(np.mean(shares / np.maximum((alone > 0).sum(axis=1), 1)))


def _in_bins(weights: Floats) -> Floats:
    """Return for each cluster and bin which occurrences have their weight there, as 0 or 1.

    Bins are 0 to 0.1, above 0.1 to 0.2, …; those that are empty for all clusters are left out.
    """
    bins = np.searchsorted(np.arange(1, _BINS) / _BINS, weights)
    return np.asarray(bins[:, None, :] == np.unique(bins)[:, None], dtype=np.float64)


def _entropies(shares: Floats) -> Floats:
    """Return the entropy of the last axis."""
    return np.asarray(entr(shares).sum(axis=-1) / np.log(2))


def _least_left(of: Floats, given: Floats) -> Floats:
    """Return for each cluster the least entropy that a cluster of the other clustering leaves."""
    n = of.shape[1]
    one, other = _in_bins(of), _in_bins(given)
    joint = np.einsum("abn,cdn->acbd", one, other, optimize=True) / n
    left = _entropies(joint.reshape(len(of), len(given), -1)) - _entropies(other.mean(axis=2))
    left[_like_complement(of, given)] = np.inf
    alone = _entropies(one.mean(axis=2))
    least = left.min(axis=1, initial=np.inf)
    return np.where(np.isfinite(least), least, alone)


def _like_complement(of: Floats, given: Floats) -> NDArray[np.bool_]:
    """Whether two clusters inform about each other by what they do not share."""
    n = of.shape[1]
    one, other = (of > 0).astype(np.float64), (given > 0).astype(np.float64)
    same = entr(one @ other.T / n) + entr((1 - one) @ (1 - other).T / n)
    different = entr(one @ (1 - other).T / n) + entr((1 - one) @ other.T / n)
    return np.asarray(same < different)

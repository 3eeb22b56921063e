"""Clusters that the user made: those that are not really different are merged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from exrpca.contextual.centering import Floats, Integers
from exrpca.contextual.occurrences import NO_LABEL
from exrpca.contextual.split import Side


def merge_labels(
    vectors: Callable[[Integers], Floats],
    labels: Integers,
    *,
    judge: Callable[[Floats, Side], float],
    is_enough: Callable[[float, bool], bool],
    sample: int,
) -> Integers:
    """Merge the two least different clusters until every two are different enough.

    Parameters
    ----------
    vectors : callable
        Returns the vectors of some occurrences of the word, by their positions in `labels`.
    labels : ndarray of int
        The cluster of each occurrence; −1 means none and stays −1.
    judge : callable
        The strength of a cut, from vectors and their sides.
    is_enough : callable
        Whether a strength keeps two clusters apart, and whether they are the whole word.
    sample : int
        The largest number of occurrences that judge a pair.

    Returns
    -------
    ndarray of int
        A merged cluster has the smallest label of its parts.

    Examples
    --------
    >>> x = np.array([[0.0], [0.1], [5.0], [-1.0]])
    >>> merge_labels(
    ...     lambda rows: x[rows], np.array([0, 1, 2, -1]), sample=600,
    ...     judge=lambda x, side: abs(x[side].mean() - x[~side].mean()),
    ...     is_enough=lambda strength, whole: strength > 1,
    ... )
    array([ 0,  0,  2, -1])
    """
    labels = labels.copy()
    known: dict[tuple[int, int], float] = {}
    while True:
        clusters = [int(label) for label in np.unique(labels) if label != NO_LABEL]
        pairs = [(a, b) for i, b in enumerate(clusters) for a in clusters[:i]]
        if not pairs:
            return labels
        for a, b in pairs:
            if (a, b) not in known:
                first, second = _drawn(labels, a, b, sample)
                x = vectors(np.concatenate([first, second]))
                known[a, b] = judge(x, np.arange(len(x)) >= len(first))
        a, b = min(pairs, key=known.__getitem__)
        if is_enough(known[a, b], len(clusters) == 2):
            return labels
        labels[labels == b] = a
        known = {pair: strength for pair, strength in known.items() if not {a, b} & set(pair)}


def _drawn(labels: Integers, a: int, b: int, sample: int) -> tuple[Integers, Integers]:
    """Return occurrences of two clusters; a small cluster stays whole."""
    first, second = np.flatnonzero(labels == a), np.flatnonzero(labels == b)
    half = sample // 2
    return first[: max(half, sample - len(second))], second[: max(half, sample - len(first))]

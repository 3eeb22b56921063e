"""A cut in two of the occurrences of a word, from their Gram matrix alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

Floats = NDArray[np.floating[Any]]
Side = NDArray[np.bool_]

_ROUNDS = 10


def cut_in_two(gram: Floats) -> Side:
    """Return which occurrences are on the second side of the best cut in two.

    Ward's tree is cut at its root, since average linkage would cut off single outliers. Then
    2-means moves each occurrence to the nearer mean.

    Parameters
    ----------
    gram : ndarray of shape (m, m)
        The inner products of at least two vectors.

    Examples
    --------
    >>> x = np.array([[0.0, 1], [0.1, 1], [1, 0], [1, 0.1]])
    >>> cut_in_two(x @ x.T)
    array([False, False,  True,  True])
    """
    if len(gram) == 2:
        return np.array([False, True])
    side = _ward(gram)
    for _ in range(_ROUNDS):
        moved = scores(gram, side) > 0
        if moved.all() or not moved.any() or (moved == side).all():
            break
        side = moved
    return side


def scores(gram: Floats, side: Side) -> Floats:
    """Return the place of each occurrence between the means of the two sides; 0 is midway."""
    second, first = side / side.sum(), ~side / (~side).sum()
    to_second, to_first = gram @ second, gram @ first
    middle = (second @ to_second - first @ to_first) / 2
    return np.asarray(to_second - to_first - middle)


def squared_distances(gram: Floats) -> Floats:
    """Return |x_i − x_j|² of the vectors whose inner products are given."""
    lengths = np.diag(gram)
    squared = np.maximum(lengths[:, None] + lengths - 2 * gram, 0)
    np.fill_diagonal(squared, 0)
    return squared


def _ward(gram: Floats) -> Side:
    m = len(gram)
    tree = linkage(np.sqrt(squareform(squared_distances(gram), checks=False)), "ward")
    side, below = np.ones(m, dtype=bool), [int(tree[-1, 0])]
    while below:
        node = below.pop()
        if node < m:
            side[node] = False
        else:
            below += [int(child) for child in tree[node - m, :2]]
    return side

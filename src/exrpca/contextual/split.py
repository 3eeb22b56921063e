"""A cut in two of the occurrences of a word, from their Gram matrix alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

Floats = NDArray[np.floating[Any]]
Integers = NDArray[np.int64]
Side = NDArray[np.bool_]

# Of k-means: it hardly moves anything later.
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
    return np.asarray(settled(gram, _ward(gram).astype(np.int64)) == 1)


def settled(gram: Floats, labels: Integers) -> Integers:
    """Return the clusters of k-means that begins with some clusters, 0 to k − 1.

    A cluster then is what is nearest to its mean, as it will be for new occurrences. If a cluster
    is about to vanish, the clusters before that are returned.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [4.0], [5.0]])
    >>> settled(x @ x.T, np.array([0, 1, 1, 1]))
    array([0, 0, 1, 1])
    """
    k = int(labels.max()) + 1
    for _ in range(_ROUNDS):
        member = labels == np.arange(k)[:, None]
        shares = member / member.sum(axis=1, keepdims=True)
        products = shares @ gram  # of each mean and each occurrence
        moved = (products - (products * shares).sum(axis=1, keepdims=True) / 2).argmax(axis=0)
        if len(np.unique(moved)) < k or (moved == labels).all():
            break
        labels = moved
    return labels


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

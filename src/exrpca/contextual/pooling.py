"""What the vector of an occurrence is made of: means over the pieces of its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from exrpca.contextual.pieces import Pieces

VectorName = Literal["target", "context", "target+context", "marked"]
VECTORS: tuple[VectorName, ...] = get_args(VectorName)


def pooled(
    output: NDArray[np.float32], pieces: Sequence[Pieces], vector: VectorName
) -> NDArray[np.float32]:
    """Return the vector of the target of each sentence of a batch.

    Parameters
    ----------
    output : ndarray of shape (n, longest, dim)
        What the model gave for each piece.
    pieces : sequence of Pieces
    vector : str
        As for `Encoder`.

    Examples
    --------
    >>> target = np.array([True, False, False])
    >>> pieces = Pieces(np.zeros(3, int), target, ~target)
    >>> output = np.array([[[2.0, 0.0], [0.0, 1.0], [0.0, 3.0]]], dtype=np.float32)
    >>> pooled(output, [pieces], "context")
    array([[0., 2.]], dtype=float32)
    >>> pooled(output, [pieces], "target+context")
    array([[1., 1.]], dtype=float32)
    """
    if vector == "marked":
        return _means(output, [np.ones(len(each.ids), dtype=bool) for each in pieces])
    target = _means(output, [each.target for each in pieces])
    if vector == "target":
        return target
    # a sentence of the target alone: the target is its own context
    parts = [each.context if each.context.any() else each.target for each in pieces]
    context = _means(output, parts)
    return context if vector == "context" else unit(target) + unit(context)


def _means(output: NDArray[np.float32], parts: Sequence[NDArray[np.bool_]]) -> NDArray[np.float32]:
    """Return the mean over a part of the pieces of each sentence."""
    weights = np.zeros((len(parts), 1, output.shape[1]), dtype=np.float32)
    for row, part in enumerate(parts):
        weights[row, 0, : len(part)] = part / part.sum()
    return np.asarray((weights @ output)[:, 0])


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors with length 1; those of length 0 stay."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, np.finfo(np.float32).tiny))

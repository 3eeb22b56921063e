"""The map: senses in two dimensions, before and after cleaning, on the same axes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exrpca.cleaning import Projector
from exrpca.explorer.neighbours import Neighbours, NeighbourSearch
from exrpca.senses import SenseVectors

Floats = NDArray[np.float32]
Kind = Literal["sense", "neighbour", "added"]


@dataclass(frozen=True)
class MapPoint:
    """A sense on the map: its row, and for a neighbour the sense of the word it is near to."""

    row: int
    kind: Kind
    near: int | None = None


def points_of(
    senses: SenseVectors, search: NeighbourSearch, word: str, added: Iterable[str], n: int
) -> list[MapPoint]:
    """Return a word's senses, the `n` nearest other words of each and the words added.

    A sense stands once: a neighbour of two senses belongs to the one it is nearer to.
    """
    points: dict[int, MapPoint] = {}
    for point in _candidates(senses, search, word, added, n):
        points.setdefault(point.row, point)
    return list(points.values())


def _candidates(
    senses: SenseVectors, search: NeighbourSearch, word: str, added: Iterable[str], n: int
) -> Iterator[MapPoint]:
    own = senses.rows(word)
    for row in range(own.start, own.stop):
        yield MapPoint(row, "sense")
    for other in added:
        rows = senses.rows(other)
        for row in range(rows.start, rows.stop):
            yield MapPoint(row, "added")
    nearest = search.of(word, n + own.stop - own.start)
    found = [
        (cosine, MapPoint(row, "neighbour", sense))
        for sense, near in enumerate(nearest)
        for row, cosine in _others(near, own, n)
    ]
    for _, point in sorted(found, key=lambda each: -each[0]):
        yield point


@dataclass(frozen=True)
class WordMap:
    """The places of some senses, shape (n, 2), and their cosines, shape (n, n)."""

    before: Floats
    after: Floats
    cosines_before: Floats
    cosines_after: Floats


def draw_map(vectors: Floats, components: Floats, all_components: Floats) -> WordMap:
    """Place senses in the plane so that their cosines show, before and after cleaning.

    Vectors are brought to length 1. The axes are the two in which the vectors as trained and
    the vectors cleaned at the highest rank, taken together, vary most: they do not depend on
    the rank shown, so that moving the rank moves the senses and not the paper they lie on.

    Parameters
    ----------
    vectors : ndarray of shape (n, dim)
        As trained.
    components : ndarray of shape (rank, dim)
        Those to remove.
    all_components : ndarray of shape (highest rank, dim)
        Those of the highest rank.
    """
    before = _unit(vectors)
    after = _unit(Projector(components).apply(vectors))
    both = np.concatenate([before, _unit(Projector(all_components).apply(vectors))])
    origin = both.mean(axis=0)
    axes = _with_fixed_sign(np.linalg.svd(both - origin, full_matrices=False)[2][:2])
    return WordMap(
        (before - origin) @ axes.T, (after - origin) @ axes.T, before @ before.T, after @ after.T
    )


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1))


def _with_fixed_sign(axes: Floats) -> Floats:
    """Turn each axis so that its largest element is positive: singular vectors have no sign."""
    largest = np.abs(axes).argmax(axis=1)
    signs = np.sign(axes[np.arange(len(axes)), largest])
    return np.asarray(axes * signs[:, None])


def _others(near: Neighbours, own: slice, n: int) -> list[tuple[int, float]]:
    """Return the nearest rows that are no sense of the word itself."""
    pairs = zip(near.rows.tolist(), near.cosines.tolist(), strict=True)
    return [(row, cosine) for row, cosine in pairs if not own.start <= row < own.stop][:n]

"""The map: senses in two dimensions, before and after cleaning, on the same axes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exrpca.cleaning import Projector
from exrpca.explorer.neighbors import Neighbors, NeighborSearch
from exrpca.senses import SenseVectors
from exrpca.senses.cosine import unit_vectors

Floats = NDArray[np.float32]
Kind = Literal["sense", "neighbor", "added"]


@dataclass(frozen=True)
class MapPoint:
    """A sense on the map: its row, and for a neighbor the sense of the word it is near to."""

    row: int
    kind: Kind
    near: int | None = None


def points_of(
    senses: SenseVectors, search: NeighborSearch, word: str, added: Iterable[str], n: int
) -> list[MapPoint]:
    """Return a word's senses, the `n` nearest other words of each and the words added.

    Each sense appears once: a neighbor of two senses belongs to the nearer one.
    """
    points: dict[int, MapPoint] = {}
    for point in _candidates(senses, search, word, added, n):
        points.setdefault(point.row, point)
    return list(points.values())


def _candidates(
    senses: SenseVectors, search: NeighborSearch, word: str, added: Iterable[str], n: int
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
        (cosine, MapPoint(row, "neighbor", sense))
        for sense, near in enumerate(nearest)
        for row, cosine in _others(near, own, n)
    ]
    for _, point in sorted(found, key=lambda each: -each[0]):
        yield point


@dataclass(frozen=True)
class WordMap:
    """The places of some senses, shape (n, 2), and the cosines of the first few of them."""

    places: Floats
    cosines: Floats


class MapPaper:
    """The plane that senses are placed in so that their cosines show, whatever is removed.

    Vectors are brought to length 1. The axes are the two in which the vectors as trained and
    the vectors cleaned at the highest rank, taken together, vary most: they do not depend on
    the rank shown, so that moving the rank moves the senses and not the paper they lie on.

    Parameters
    ----------
    vectors : ndarray of shape (n, dim)
        As trained.
    furthest : ndarray of shape (highest rank, dim)
        The components of the highest rank.
    n_own : int
        The word's own senses, whose cosines are of interest, are so many and come first.
    """

    def __init__(self, vectors: Floats, furthest: Floats, n_own: int) -> None:
        self._vectors = vectors
        self._n_own = n_own
        both = np.concatenate(
            [unit_vectors(vectors), unit_vectors(Projector(furthest).apply(vectors))]
        )
        self._origin = both.mean(axis=0)
        self._axes = _principal_axes(both - self._origin)

    def draw(self, components: Floats | None = None) -> WordMap:
        """Place the senses as trained, or with some components removed."""
        vectors = self._vectors
        unit = unit_vectors(vectors if components is None else Projector(components).apply(vectors))
        own = unit[: self._n_own]
        return WordMap((unit - self._origin) @ self._axes.T, own @ own.T)


def _principal_axes(centered: Floats) -> Floats:
    """Return the two directions of largest variance.

    From the small Gram matrix of some dozen points: a singular value decomposition takes 30
    times as long, and far longer when several clients want one at the same time.
    """
    largest = np.linalg.eigh(centered @ centered.T)[1][:, :-3:-1]
    axes = unit_vectors(largest.T @ centered)
    # a direction has no sign: let the largest element be positive, to draw the same each time
    signs = np.sign(axes[np.arange(2), np.abs(axes).argmax(axis=1)])
    return np.asarray(axes * signs[:, None])


def _others(near: Neighbors, own: slice, n: int) -> list[tuple[int, float]]:
    """Return the nearest rows that are not senses of the word itself."""
    pairs = zip(near.rows.tolist(), near.cosines.tolist(), strict=True)
    return [(row, cosine) for row, cosine in pairs if not own.start <= row < own.stop][:n]

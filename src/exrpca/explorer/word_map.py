"""The map of a word: some senses in two dimensions, before and after cleaning, on the same axes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from exrpca.cleaning import Projector
from exrpca.explorer.neighbors import NeighborSearch
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
    """Return a word's senses, the words added and the `n` nearest other words of each sense.

    Each sense appears once: a neighbor of two senses belongs to the nearer one.
    """
    own = range(len(senses.vectors))[senses.rows(word)]
    points = {row: MapPoint(row, "sense") for row in own}
    for other in added:
        for row in range(len(senses.vectors))[senses.rows(other)]:
            points.setdefault(row, MapPoint(row, "added"))
    found = []
    for sense, near in enumerate(search.of(word, n + len(own))):
        others = [(c, row) for row, c in near.pairs() if row not in own]
        found += [(cosine, row, sense) for cosine, row in others[:n]]
    for _, row, sense in sorted(found, key=lambda each: -each[0]):
        points.setdefault(row, MapPoint(row, "neighbor", sense))
    return list(points.values())


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
        How many of the first vectors are the word's own senses, whose cosines are of interest.
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

"""The neighbors of all senses of a word, as trained or cleaned, without a copy of the vectors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from exrpca.senses import SenseVectors

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]

_REMEMBERED_WORDS = 16


class CleanedGeometry:
    """Lengths and dot products of the cleaned vectors, from those of the vectors as trained.

    With orthonormal components U, T = I − UᵀU gives Tv·Tw = v·w − Uv·Uw: the coordinates Uv
    are all that needs to be kept, a few numbers per sense instead of `dim`.

    Parameters
    ----------
    senses : SenseVectors
    components : ndarray of shape (rank, dim)
        Orthonormal rows.

    Attributes
    ----------
    components : ndarray of shape (rank, dim)
    coordinates : ndarray of shape (n_senses_total, rank)
    inverse_norms : ndarray of shape (n_senses_total,)
    """

    def __init__(self, senses: SenseVectors, components: NDArray[np.floating]) -> None:
        self.components: Floats = components.astype(np.float32)
        self.coordinates: Floats = senses.vectors @ self.components.T
        left = senses.norms**2 - np.einsum("nk,nk->n", self.coordinates, self.coordinates)
        self.inverse_norms: Floats = _inverse(np.sqrt(np.maximum(left, 0)))

    def products(self, products: Floats, rows: slice) -> Floats:
        """Turn the dot products of some rows with all vectors into those after cleaning."""
        return products - self.coordinates[rows] @ self.coordinates.T


@dataclass(frozen=True)
class Neighbors:
    """The nearest senses of one sense, nearest first: rows of the vectors and cosines."""

    rows: Rows
    cosines: Floats

    def pairs(self) -> Iterator[tuple[int, float]]:
        """Yield each row with its cosine."""
        return zip(self.rows.tolist(), self.cosines.tolist(), strict=True)


class NeighborSearch:
    """Finds the nearest senses by cosine, over all senses, exactly.

    Parameters
    ----------
    senses : SenseVectors
    """

    def __init__(self, senses: SenseVectors) -> None:
        self._senses = senses
        self._inverse_norms = _inverse(senses.norms)
        # moving the rank slider asks for the same word again and again
        self._products_of = lru_cache(_REMEMBERED_WORDS)(self._multiply)

    def of(self, word: str, n: int, cleaned: CleanedGeometry | None = None) -> list[Neighbors]:
        """Return the `n` nearest senses of each sense of a word.

        Parameters
        ----------
        word : str
        n : int
        cleaned : CleanedGeometry, optional
            Take the cleaned vectors instead of those as trained.
        """
        rows = self._senses.rows(word)
        products, inverse_norms = self._products_of(word), self._inverse_norms
        if cleaned is not None:
            products, inverse_norms = cleaned.products(products, rows), cleaned.inverse_norms
        return [
            _nearest(product, inverse_norms, own, n)
            for own, product in zip(range(rows.start, rows.stop), products, strict=True)
        ]

    def cosines(self, word: str) -> Floats:
        """Return the cosine of each sense of a word with all senses; −2, below all, for its own."""
        rows = self._senses.rows(word)
        cosines = self._products_of(word) * self._inverse_norms
        cosines *= self._inverse_norms[rows][:, None]
        cosines[:, rows] = -2
        return cosines

    def _multiply(self, word: str) -> Floats:
        return np.asarray(self._senses[word] @ self._senses.vectors.T)


def _nearest(products: Floats, inverse_norms: Floats, own: int, n: int) -> Neighbors:
    cosines = products * inverse_norms
    cosines *= inverse_norms[own]
    cosines[own] = -np.inf
    rows = largest(cosines, min(n, len(cosines) - 1))
    return Neighbors(rows, cosines[rows])


def largest(values: Floats, n: int) -> Rows:
    """Return the positions of the `n` largest values, the largest first.

    Examples
    --------
    >>> largest(np.array([0.1, 0.4, 0.3, 0.2]), 2)
    array([1, 2])
    """
    n = min(n, len(values))
    found = np.argpartition(values, len(values) - n)[len(values) - n :] if n else np.arange(0)
    return found[np.argsort(-values[found], kind="stable")]


def _inverse(norms: Floats) -> Floats:
    """Return 1 / length, and 0 for vectors of length 0, whose cosines are 0."""
    return np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)


def names_of(senses: SenseVectors, rows: Rows) -> list[tuple[str, int]]:
    """Return the word and the number of the sense in each row.

    Examples
    --------
    >>> senses = SenseVectors(["bank", "river"], [[1, 0], [0, 1], [1, 1]], [2, 1])
    >>> names_of(senses, np.array([2, 1]))
    [('river', 0), ('bank', 1)]
    """
    words = np.searchsorted(senses.offsets, rows, side="right") - 1
    numbers = rows - senses.offsets[words]
    return [(senses.words[i], int(sense)) for i, sense in zip(words, numbers, strict=True)]

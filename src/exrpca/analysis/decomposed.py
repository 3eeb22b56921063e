"""Sense vectors with the decomposition of their differences: what every analysis starts from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.cleaning import Projector, decompose
from exrpca.cleaning.methods import Decomposition
from exrpca.senses import DifferenceMatrix, SenseVectors

Floats = NDArray[Any]

_BLOCK = 8192


@dataclass(frozen=True, eq=False)
class Decomposed:
    """The decomposition X = L + E + S of the differences between senses.

    Attributes
    ----------
    senses : SenseVectors
    method : str
    rank : int
    differences : DifferenceMatrix
        X, one row a pair.
    fitted : Decomposition
        With `components_` and `sparse_` (S).
    """

    senses: SenseVectors
    method: str
    rank: int
    differences: DifferenceMatrix
    fitted: Decomposition

    @classmethod
    def of(cls, senses: SenseVectors, *, method: str = "exrpca", rank: int = 3) -> Decomposed:
        """Decompose the differences of sense vectors."""
        differences = DifferenceMatrix(senses)
        return cls(
            senses, method, rank, differences, decompose(differences, method=method, rank=rank)
        )

    @property
    def components(self) -> Floats:
        """The components, orthonormal rows, the largest first."""
        return self.fitted.components_[: self.rank]

    @cached_property
    def noise(self) -> Floats:
        """The noise of each pair: the 2-norm of its row of S."""
        sparse = self.fitted.sparse_
        return np.sqrt(np.asarray(sparse.multiply(sparse).sum(axis=1), dtype=np.float64).ravel())

    @cached_property
    def cleaned(self) -> SenseVectors:
        """The sense vectors with the components projected away."""
        projector = Projector(self.components)
        return self.senses.replace(vectors=projector.apply(self.senses.vectors))

    def blocks(self) -> Iterator[tuple[Floats, Floats]]:
        """Yield the rows of X and those of X − S, some thousand pairs at a time."""
        for start in range(0, len(self.differences), _BLOCK):
            rows = slice(start, start + _BLOCK)
            X = self.differences[rows]
            yield X, X - self.fitted.sparse_[rows].toarray()

    def variances_and_directions(self) -> tuple[Floats, Floats]:
        """Return the dim directions of X − S, orthonormal rows, and the variance along each.

        The largest comes first; the variances are sums of squares over all pairs.
        """
        gram = np.zeros((self.senses.dim, self.senses.dim))
        for _, kept in self.blocks():
            gram += kept.T @ kept
        values, vectors = np.linalg.eigh(gram)
        return values[::-1], vectors[:, ::-1].T

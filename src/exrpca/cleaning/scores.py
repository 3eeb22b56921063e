"""Scores of sense pairs, by name: the higher, the more the two senses differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.cleaning.methods import Decomposition, decompose
from exrpca.cleaning.projector import Projector
from exrpca.cleaning.two_covariances import TwoCovariances
from exrpca.errors import InputError
from exrpca.senses import DifferenceMatrix, SenseVectors

Floats = NDArray[Any]

# Pairs whose vectors are looked at together: keeps what is made on the way small.
_BLOCK = 8192


class PairScores:
    """Scores all pairs of senses that share a word; what several scores need is made once.

    Parameters
    ----------
    senses : SenseVectors
    method, rank
        How the differences are decomposed; see `decompose`.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> planted = make_senses(n_words=200)
    >>> scores = PairScores(planted.senses)
    >>> real = planted.pairs["real"].to_numpy()
    >>> cosine = scores.score("cosine_cleaned")
    >>> bool(np.median(cosine[real]) > np.median(cosine[~real]))
    True
    """

    def __init__(self, senses: SenseVectors, *, method: str = "exrpca", rank: int = 3) -> None:
        self.senses = senses
        self.differences = DifferenceMatrix(senses)
        self._method = method
        self._rank = rank

    def score(self, name: str) -> Floats:
        """Return one score of each pair, by its name in `SCORES`."""
        if name not in SCORES:
            raise InputError(f"score={name!r} must be one of {', '.join(SCORES)}")
        return SCORES[name](self)

    @cached_property
    def decomposition(self) -> Decomposition:
        """The decomposition of the differences."""
        return decompose(self.differences, method=self._method, rank=self._rank)

    @cached_property
    def noise(self) -> Floats:
        """‖S_p‖₂: the length of each pair's row of S."""
        return np.sqrt(self.decomposition.sparse_.power(2).sum(axis=1))

    @cached_property
    def two_covariances(self) -> TwoCovariances:
        """The model of what pseudo senses and what different words differ in."""
        return TwoCovariances.fit(self.differences)

    def residual(self) -> Floats:
        """Return ‖T d‖₂: how long each difference is without the components."""
        projector = Projector(self.decomposition.components_)
        blocks = self.differences.blocks(_BLOCK)
        return np.concatenate([np.linalg.norm(projector.apply(block), axis=1) for block in blocks])

    def cosine_cleaned(self) -> Floats:
        """Return 1 − cos of the two sense vectors without the components."""
        projector = Projector(self.decomposition.components_)
        return self.cosine_distance(projector.apply(self.senses.vectors))

    def centers(self) -> Floats:
        """Return 1 − cos of the centres, the mean contexts of the two senses."""
        if self.senses.centers is None:
            raise InputError("score='centers' needs centers; there are none")
        return self.cosine_distance(self.senses.centers)

    def cosine_distance(self, vectors: Floats) -> Floats:
        """Return 1 − cos of the two rows of each pair; 1 where either row is 0."""
        lengths = np.linalg.norm(vectors, axis=1)
        rows_a, rows_b = self.differences.rows_a, self.differences.rows_b
        dots = np.empty(len(rows_a))
        for start in range(0, len(rows_a), _BLOCK):
            block = slice(start, start + _BLOCK)
            dots[block] = np.einsum("nd,nd->n", vectors[rows_a[block]], vectors[rows_b[block]])
        scale = (lengths[rows_a] * lengths[rows_b]).astype(np.float64)
        return np.asarray(1 - np.divide(dots, scale, out=np.zeros_like(dots), where=scale > 0))


SCORES: Mapping[str, Callable[[PairScores], Floats]] = {
    "likelihood": lambda pairs: pairs.two_covariances.evidence(pairs.differences),
    "noise": lambda pairs: pairs.noise,
    "residual": PairScores.residual,
    "cosine": lambda pairs: pairs.cosine_distance(pairs.senses.vectors),
    "cosine_cleaned": PairScores.cosine_cleaned,
    "centers": PairScores.centers,
}

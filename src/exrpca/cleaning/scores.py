"""Scores of sense pairs, by name: the higher, the more the two senses differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.cleaning.methods import Decomposition, decompose
from exrpca.cleaning.projector import Projector
from exrpca.errors import InputError
from exrpca.senses import DifferenceMatrix, SenseVectors

Floats = NDArray[Any]

# Pairs whose vectors are looked at together: keeps what is made on the way small.
_BLOCK = 8192

# Where few pairs were seen a fit may promise next to no spread, or less than none: as a share of
# the mean spread, and of logarithms of numbers in single precision.
_LEAST_SPREAD = 0.2
_ROUNDING = 1e-4

# With fewer pairs, what is usual at given counts would be fitted to the pairs themselves.
_PAIRS_PER_FEATURE = 10


class PairScores:
    """Scores all pairs of senses that share a word; what several scores need is made once.

    Parameters
    ----------
    senses : SenseVectors
    method, rank
        How the differences are decomposed; see `decompose`. Where there are fewer pairs or
        dimensions, fewer components are found.

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
        n_pairs, dim = self.differences.shape
        # as many components as pairs would leave nothing of any pair
        self._rank = min(rank, max(n_pairs // 2, 1), dim - 1)

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
        if self.senses.mean_centers is None:
            raise InputError("score='centers' needs centers; there are none")
        return self.cosine_distance(self.senses.mean_centers)

    def surprise(self) -> Floats:
        """Return how much longer than usual a pair's differences are, in standard deviations.

        Three lengths are looked at: that of the difference, that of the difference without the
        components, and that of the difference of the centres, if there are any. The logarithm
        of each is compared with what is usual for pairs of such counts (see `standardised`),
        for senses of few tokens differ by chance alone. The mean of the three is the score.
        """
        lengths = [self._lengths(self.senses.vectors), self.residual()]
        if self.senses.mean_centers is not None:
            lengths.append(self._lengths(self.senses.mean_centers))
        usual = self._count_features()
        surprises = [standardised(_log(length), usual) for length in lengths]
        return np.asarray(np.mean(surprises, axis=0))

    def _count_features(self) -> Floats:
        """Return a quadratic form of the log counts of the rarer and of the commoner sense."""
        constant = np.ones(len(self.differences))
        if self.senses.counts is None:
            return constant[:, None]
        logs = np.log(np.maximum(self.senses.counts, 1))
        a, b = logs[self.differences.rows_a], logs[self.differences.rows_b]
        rarer, commoner = np.minimum(a, b), np.maximum(a, b)
        terms = (constant, rarer, commoner, rarer**2, commoner**2, rarer * commoner)
        enough = len(constant) >= _PAIRS_PER_FEATURE * len(terms)
        return np.column_stack(terms) if enough else constant[:, None]

    def _lengths(self, vectors: Floats) -> Floats:
        rows_a, rows_b = self.differences.rows_a, self.differences.rows_b
        lengths = np.empty(len(rows_a))
        for start in range(0, len(rows_a), _BLOCK):
            block = slice(start, start + _BLOCK)
            difference = vectors[rows_a[block]] - vectors[rows_b[block]]
            lengths[block] = np.linalg.norm(difference, axis=1)
        return lengths

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


def standardised(values: Floats, features: Floats) -> Floats:
    """Return the values less what is usual, in units of what they usually are off by.

    Both are least-squares fits to the features: of the values, and of how far they are from
    the first fit.

    Examples
    --------
    >>> counts = np.array([1.0, 2.0, 3.0, 4.0])
    >>> features = np.column_stack([np.ones(4), counts])
    >>> standardised(2 * counts + np.array([1, -1, -1, 1]), features)
    array([ 1., -1., -1.,  1.])
    """
    off = values - features @ np.linalg.lstsq(features, values)[0]
    spread = features @ np.linalg.lstsq(features, np.abs(off))[0]
    least = _LEAST_SPREAD * np.abs(off).mean()
    result: Floats = off / np.maximum(spread, max(least, _ROUNDING))
    return result


def _log(lengths: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(lengths, np.finfo(np.float32).tiny)))


SCORES: Mapping[str, Callable[[PairScores], Floats]] = {
    "surprise": PairScores.surprise,
    "noise": lambda pairs: pairs.noise,
    "residual": PairScores.residual,
    "cosine": lambda pairs: pairs.cosine_distance(pairs.senses.vectors),
    "cosine_cleaned": PairScores.cosine_cleaned,
    "centers": PairScores.centers,
}

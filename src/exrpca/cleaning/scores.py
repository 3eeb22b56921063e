"""Scores of sense pairs, by name: the higher, the more the two senses differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.cleaning.sense_decomposition import SenseDecomposition
from exrpca.errors import InputError
from exrpca.senses import SenseVectors

Floats = NDArray[Any]

# Pairs read at a time: what is made on the way stays small.
_BLOCK = 8192

# With few pairs, the fitted spread may be near 0 or below. The least spread allowed: as a share of
# the mean spread, and as the rounding of logarithms of numbers in single precision.
_LEAST_SPREAD = 0.2
_ROUNDING = 1e-4

# With fewer pairs, what is usual at given counts would be fitted to the pairs themselves.
_PAIRS_PER_FEATURE = 10


class PairScores:
    """Scores all pairs of senses that share a word.

    Parameters
    ----------
    decomposition : SenseDecomposition

    Examples
    --------
    >>> from exrpca import make_senses
    >>> planted = make_senses(n_words=200)
    >>> scores = PairScores(SenseDecomposition.fit(planted.senses))
    >>> real = planted.pairs["real"].to_numpy()
    >>> cosine = scores.score("cosine_cleaned")
    >>> bool(np.median(cosine[real]) > np.median(cosine[~real]))
    True
    """

    def __init__(self, decomposition: SenseDecomposition) -> None:
        self.decomposition = decomposition
        self.senses = decomposition.senses
        self.differences = decomposition.differences

    def score(self, name: str) -> Floats:
        """Return one score of each pair, by its name in `SCORES`."""
        check_score(name, self.senses)
        return SCORES[name](self)

    def residual(self) -> Floats:
        """Return ‖T d‖₂: how long each difference is without the components."""
        projector = self.decomposition.projector
        blocks = self.differences.blocks(_BLOCK)
        return np.concatenate([np.linalg.norm(projector.apply(block), axis=1) for block in blocks])

    def cosine_cleaned(self) -> Floats:
        """Return 1 − cos of the two sense vectors without the components."""
        return self.cosine_distance(self.decomposition.projector.apply(self.senses.vectors))

    def centers(self) -> Floats:
        """Return 1 − cos of the centers, the mean contexts of the two senses."""
        return self.cosine_distance(_centers(self.senses))

    def surprise(self) -> Floats:
        """Return how much longer than usual a pair's differences are, in standard deviations.

        It is the mean over three lengths: of the difference, of the difference without the
        components, and of the difference of the centers, if there are any. The logarithm of each
        is compared with what is usual for pairs with such counts (see `standardized`), since
        senses of few tokens differ by chance alone.
        """
        lengths = [self._lengths(self.senses.vectors), self.residual()]
        if self.senses.centers is not None:
            lengths.append(self._lengths(self.senses.centers))
        usual = self._count_features()
        surprises = [standardized(_log(length), usual) for length in lengths]
        return np.asarray(np.mean(surprises, axis=0))

    def _count_features(self) -> Floats:
        """Return quadratic terms of the log counts of the rarer and of the commoner sense."""
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


def standardized(values: Floats, features: Floats) -> Floats:
    """Return how far values are from what is usual, in units of the usual distance.

    Both are least-squares fits to the features: the first of the values, the second of their
    distances from the first.

    Examples
    --------
    >>> counts = np.array([1.0, 2.0, 3.0, 4.0])
    >>> features = np.column_stack([np.ones(4), counts])
    >>> standardized(2 * counts + np.array([1, -1, -1, 1]), features)
    array([ 1., -1., -1.,  1.])
    """
    off = values - features @ np.linalg.lstsq(features, values)[0]
    spread = features @ np.linalg.lstsq(features, np.abs(off))[0]
    least = _LEAST_SPREAD * np.abs(off).mean()
    result: Floats = off / np.maximum(spread, max(least, _ROUNDING))
    return result


def check_score(name: str, senses: SenseVectors) -> None:
    """Refuse a score that does not exist or that these vectors cannot have."""
    if name not in SCORES:
        raise InputError(f"score={name!r} must be one of {', '.join(SCORES)}")
    if name == "centers":
        _centers(senses)


def _centers(senses: SenseVectors) -> Floats:
    if senses.centers is None:
        raise InputError("score='centers' needs centers; there are none")
    return senses.centers


def _log(lengths: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(lengths, np.finfo(np.float32).tiny)))


SCORES: Mapping[str, Callable[[PairScores], Floats]] = {
    "surprise": PairScores.surprise,
    "outlier_norm": lambda pairs: pairs.decomposition.outlier_norm,
    "residual": PairScores.residual,
    "cosine": lambda pairs: pairs.cosine_distance(pairs.senses.vectors),
    "cosine_cleaned": PairScores.cosine_cleaned,
    "centers": PairScores.centers,
}

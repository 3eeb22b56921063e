"""The two-covariance model: what pseudo senses differ in, and what different meanings differ in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from exrpca.senses import DifferenceMatrix

Floats = NDArray[Any]

_BLOCK = 8192

# The within covariance is learnt from the pairs that look most alike: real pairs are none of
# its business. Learnt from a sample: more pairs change nothing that is seen.
_ALIKE = 0.7
_ROUNDS = 3
_SAMPLE = 20_000
# Before any pair is seen, pseudo senses are taken to differ like meanings do, but this much
# less; that weighs as much as this many pairs for each dimension.
_PRIOR_SHARE = 0.25
_PRIOR_PAIRS = 1.0


@dataclass(frozen=True)
class TwoCovariances:
    """A sense vector is its meaning plus what pseudo senses of one meaning differ in.

    Meanings are normal with covariance B, the rest with covariance W. Two pseudo senses share
    their meaning, two real ones do not; the ratio of the two likelihoods is the evidence. In
    the coordinates where W is the identity and B is diagonal, it is a weighted sum of squares
    of the difference and of the sum of the two vectors.

    Attributes
    ----------
    mean : ndarray of shape (dim,)
    whiten : ndarray of shape (dim, dim)
        Its columns lead to the coordinates described above.
    meaning : ndarray of shape (dim,)
        The variances of meanings in these coordinates.

    References
    ----------
    Brümmer, de Villiers (2010). The speaker partitioning problem. Odyssey 2010, 194-201.
    """

    mean: Floats
    whiten: Floats
    meaning: Floats

    @classmethod
    def fit(cls, differences: DifferenceMatrix) -> Self:
        """Learn both covariances from sense vectors, without being told which pairs are real."""
        senses = differences.senses
        rows = np.unique(np.concatenate([differences.rows_a, differences.rows_b]))
        vectors = senses.vectors[rows if len(rows) > 2 * senses.dim else slice(None)]
        mean = vectors.mean(axis=0, dtype=np.float64)
        total = np.cov(vectors, rowvar=False)
        rng = np.random.default_rng(0)
        sample = rng.permutation(len(differences))[:_SAMPLE]
        alike = sample
        for _ in range(_ROUNDS):
            fitted = cls(mean, *_coordinates(differences[alike], total))
            evidence = fitted._of_rows(differences, sample)
            alike = sample[evidence <= np.quantile(evidence, _ALIKE)]
        return fitted

    def evidence(self, differences: DifferenceMatrix) -> Floats:
        """Return log p(pair | real) − log p(pair | pseudo), up to a constant, scaled.

        The scale is such that the model expects 0 of pseudo pairs and 1 of real ones.
        """
        values = self._of_rows(differences, np.arange(len(differences)))
        b = self.meaning
        apart, together = self._weights()
        # a difference has variance 2 between pseudo senses and 2(b + 1) between real ones,
        # a sum 2(2b + 1) and 2(b + 1)
        pseudo = (apart * 2 - together * 2 * (2 * b + 1)).sum()
        real = (apart * 2 * (b + 1) - together * 2 * (b + 1)).sum()
        scaled: Floats = (values - pseudo) / (real - pseudo)
        return scaled

    def _weights(self) -> tuple[Floats, Floats]:
        b = self.meaning
        return b / (b + 1) / 4, b / (b + 1) / (2 * b + 1) / 4

    def _of_rows(self, differences: DifferenceMatrix, rows: NDArray[np.int64]) -> Floats:
        mean, whiten = self.mean.astype(np.float32), self.whiten.astype(np.float32)
        apart, together = (weight.astype(np.float32) for weight in self._weights())
        vectors = differences.senses.vectors
        values = np.empty(len(rows))
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            a = vectors[differences.rows_a[block]] - mean
            b = vectors[differences.rows_b[block]] - mean
            difference, total = (a - b) @ whiten, (a + b) @ whiten
            values[start : start + _BLOCK] = difference**2 @ apart - total**2 @ together
        return values


def _coordinates(alike: Floats, total: Floats) -> tuple[Floats, Floats]:
    """Return the coordinates in which W is the identity, and the variances of meanings there."""
    prior_pairs = _PRIOR_PAIRS * len(total)
    within = alike.T.astype(np.float64) @ alike / 2 + prior_pairs * _PRIOR_SHARE * total
    within /= len(alike) + prior_pairs
    # dimensions that no vector uses would make it singular
    ridge = max(np.trace(within) / len(within), np.finfo(float).tiny) * 1e-6
    variances, whiten = scipy.linalg.eigh(total, within + ridge * np.eye(len(within)))
    return whiten, np.maximum(variances - 1, 0)

"""Two kinds of differences, short and long: they decide only where they are far apart.

log ‖T d‖ of the pairs is taken for a mixture of two normal distributions, whose means depend on
the counts of the two senses. T removes the leading components of the differences. Real pairs
would bend these components, so they are found again from the pseudo pairs alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exrpca.blas import blas_on_one_thread
from exrpca.cleaning.pair_geometry import Floats, Rows, lengths
from exrpca.cleaning.projector import Projector
from exrpca.cleaning.real_share import RealShare
from exrpca.cleaning.usual import CountFeatures, Usual
from exrpca.senses import DifferenceMatrix

# A mixture decides where its means are so many standard deviations apart for nine pairs in ten, ...
_LEAST_SEPARATION = 3.0
_TENTH = 0.1
# ... at most this share of the pairs is expected on the wrong side, ...
_MOST_OVERLAP = 0.02
# ... and each kind has so many pairs, and such a share of them.
_FEWEST = 30
_LEAST_SHARE = 0.01

# Components removed before lengths are compared.
_RANK = 3
# Components are found again where the first mixture is so clear and has so many pseudo pairs.
_WORTH_REFITTING = 2.0
_FEWEST_TO_REFIT = 100
_REFITS = 2

# Pairs that components and starts are tried on.
_SAMPLE = 5000
# EM starts from the pairs above each of so many quantiles.
_STARTS = np.linspace(0.05, 0.95, 11)
_ROUNDS = 100


@dataclass(frozen=True)
class _Kinds:
    """Two normal distributions, whose means are linear in the features, and their weights."""

    coefficients: Floats  # a row for each kind: pseudo, real
    spreads: Floats
    weights: Floats

    def reversed(self) -> _Kinds:
        return _Kinds(self.coefficients[::-1], self.spreads[::-1], self.weights[::-1])


class _Values:
    """Values with their features, and the products that all rounds add up."""

    def __init__(self, x: Floats, features: Floats) -> None:
        self.x, self.features = x, features
        self._first, self._second = np.triu_indices(features.shape[1])
        squares = features[:, self._first] * features[:, self._second]
        of_pairs = (np.ones(len(x)), x**2, features * x[:, None], squares)
        self._products = np.column_stack(of_pairs)
        self._totals = self._products.sum(axis=0)

    def fit(self, real: Floats) -> _Kinds:
        """Return the kinds, given how probable it is for each pair to be real."""
        of_real = real @ self._products
        # a trace of all pairs, far above rounding, so that no kind is empty
        sums = np.stack([self._totals - of_real, of_real]) + 1e-9 * self._totals
        k = self.features.shape[1]
        counts, squares, right = sums[:, 0], sums[:, 1], sums[:, 2 : 2 + k]
        grams = np.empty((2, k, k))
        grams[:, self._first, self._second] = sums[:, 2 + k :]
        grams[:, self._second, self._first] = sums[:, 2 + k :]
        ridge = 1e-9 * len(self.x) * np.eye(k)
        coefficients = np.linalg.solve(grams + ridge, right[:, :, None])[:, :, 0]
        fitted = np.einsum("ki,kij,kj->k", coefficients, grams, coefficients)
        variances = (squares - 2 * (coefficients * right).sum(axis=1) + fitted) / counts
        spreads = np.sqrt(np.maximum(variances, 1e-6))
        return _Kinds(coefficients, spreads, counts / len(self.x))

    def judge(self, kinds: _Kinds) -> tuple[float, Floats]:
        """Return the mean log likelihood, and how probable it is for each pair to be real."""
        off = (self.x - kinds.coefficients @ self.features.T) / kinds.spreads[:, None]
        pseudo, real = np.log(kinds.weights / kinds.spreads)[:, None] - off**2 / 2
        smaller = np.exp(-np.abs(real - pseudo))  # over the larger one of the two densities
        likelihood = np.maximum(pseudo, real) + np.log(1 + smaller)
        return float(likelihood.mean()), np.where(real > pseudo, 1.0, smaller) / (1 + smaller)


@dataclass(frozen=True)
class Mixture:
    """A fitted mixture of pseudo and real pairs.

    Attributes
    ----------
    score : ndarray
        How much longer than the usual pseudo pair, in standard deviations of log ‖T d‖.
    probability : ndarray
        That a pair is real.
    separation : float
        How many standard deviations the two means are apart, for nine pairs in ten at least.
    """

    score: Floats
    probability: Floats
    separation: float

    @cached_property
    def overlap(self) -> float:
        """The share of pairs to expect on the wrong side."""
        return float(np.minimum(self.probability, 1 - self.probability).mean())

    @property
    def is_clear(self) -> bool:
        """Whether the two kinds are so far apart that they can decide."""
        n_real = float(self.probability.sum())
        n_smaller = min(n_real, len(self.probability) - n_real)
        return (
            self.separation >= _LEAST_SEPARATION
            and self.overlap <= _MOST_OVERLAP
            and n_smaller >= max(_FEWEST, _LEAST_SHARE * len(self.probability))
        )

    def real_share(self) -> RealShare:
        """Return the share of real pairs; the model may err by as much as it doubts."""
        n, p = len(self.probability), self.probability
        share = float(p.mean())
        variance = (max(share * (1 - share), 1 / n) + (p * (1 - p)).mean()) / n
        off = 2 * float(np.sqrt(variance)) + self.overlap
        return RealShare(share, max(0.0, share - off), min(1.0, share + off), "mixture")


def find_mixture(
    differences: DifferenceMatrix, usual: CountFeatures, rng: np.random.Generator
) -> Mixture:
    """Fit the mixture, then again with components of its pseudo pairs, as long as that is clearer.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> differences = DifferenceMatrix(make_senses(real_share=0.5).senses)
    >>> features = CountFeatures(None, len(differences))
    >>> find_mixture(differences, features, np.random.default_rng(0)).is_clear
    True
    """
    features = usual(differences.rows_a, differences.rows_b)
    with blas_on_one_thread():
        best = _fit(_log_residual(differences, np.arange(len(differences)), rng), features, rng)
        for _ in range(_REFITS):
            pseudo = np.flatnonzero(best.probability < 0.5)
            if best.separation < _WORTH_REFITTING or len(pseudo) < _FEWEST_TO_REFIT:
                break
            again = _fit(_log_residual(differences, pseudo, rng), features, rng)
            if again.separation <= best.separation:
                break
            best = again
    return best


def _leading_components(
    differences: DifferenceMatrix, pairs: Rows, rank: int, rng: np.random.Generator
) -> Floats:
    """Return the leading components of a sample of the given pairs, the largest first."""
    some = np.sort(rng.choice(pairs, min(_SAMPLE, len(pairs)), replace=False))
    X = differences[some].astype(np.float64)
    rank = min(rank, max(len(some) // 2, 1), X.shape[1] - 1)
    return np.asarray(np.linalg.eigh(X.T @ X)[1][:, ::-1][:, :rank].T)


def _log_residual(differences: DifferenceMatrix, pairs: Rows, rng: np.random.Generator) -> Floats:
    """Return log ‖T d‖ of every pair, T without the leading components of the given ones."""
    vectors = differences.senses.vectors
    if vectors.shape[1] > 1:
        components = _leading_components(differences, pairs, _RANK, rng)
        vectors = Projector(components).apply(vectors)
    found = lengths(vectors, differences.rows_a, differences.rows_b)
    return np.asarray(np.log(np.maximum(found, np.finfo(np.float32).tiny)))


def _fit(x: Floats, features: Floats, rng: np.random.Generator) -> Mixture:
    some = rng.choice(len(x), min(_SAMPLE, len(x)), replace=False)
    sample = _Values(x[some], features[some])
    deviations = Usual(sample.x, sample.features).deviations(sample.x, sample.features)
    tried = [
        _expectation_maximization(sample, 1.0 * (sizes > np.quantile(sizes, start)))
        for start in _STARTS
        for sizes in (deviations, sample.x)
    ]
    best = max(tried, key=lambda found: found[1])[0]
    values = _Values(x, features)
    kinds = _expectation_maximization(values, values.judge(best)[1])[0]
    return _described(kinds, values)


def _expectation_maximization(values: _Values, real: Floats) -> tuple[_Kinds, float]:
    """Return the two kinds, and the mean log likelihood of the values."""
    last = -np.inf
    for _ in range(_ROUNDS):
        kinds = values.fit(real)
        likelihood, real = values.judge(kinds)
        if likelihood - last < 1e-5:
            break
        last = likelihood
    return kinds, likelihood


def _described(kinds: _Kinds, values: _Values) -> Mixture:
    """Return the mixture, with the longer kind as the real one."""
    x, features = values.x, values.features
    gaps = features @ (kinds.coefficients[1] - kinds.coefficients[0])
    if gaps.mean() < 0:
        kinds, gaps = kinds.reversed(), -gaps
    usual_pseudo, usual_real = kinds.coefficients @ features.T
    spread = np.sqrt((kinds.spreads**2).mean())
    probability = values.judge(kinds)[1]
    # The wider of two normal distributions has the higher density at both ends. But a pair shorter
    # than the usual pseudo pair is not real, and one longer than the usual real pair is.
    probability = np.where(x < usual_pseudo, 0.0, np.where(x > usual_real, 1.0, probability))
    separation = float(np.quantile(gaps, _TENTH) / spread)
    return Mixture((x - usual_pseudo) / spread, probability, separation)

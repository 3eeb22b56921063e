"""How alike the senses of a word are, compared with senses of different words.

Two senses whose contexts are as unlike as those of two unrelated words are real. Real senses may
be related, and then they are more alike than that. So only a lower bound of the share of real
pairs is known, and each probability is one, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from exrpca.cleaning.pair_geometry import Floats, Rows, cosine_distances, log_lengths
from exrpca.cleaning.real_share import RealShare
from exrpca.cleaning.usual import CountFeatures, Usual
from exrpca.senses import DifferenceMatrix, SenseVectors

# Fewer pairs tell nothing about how alike senses usually are.
FEWEST_PAIRS = 30
# No pseudo pair is expected among pairs less alike than the median pair of different words.
_MEDIAN = 0.5
# With fewer pairs beyond the median, nothing can be learned from them.
_FEWEST_UNLIKE = 30
# If there are more pairs beyond the median than real ones could be, training has pushed the senses
# of each word apart, and different words say nothing about them.
_MOST_UNLIKE = 1.05
# Another word's sense is drawn from so many places above or below by count.
_NEAR_BY_COUNT = 100
_BINS = 50
_RESAMPLES = 200


@dataclass(frozen=True)
class Contrast:
    """Pairs of senses of one word, compared with pairs of senses of different words.

    Attributes
    ----------
    score : ndarray
        The log distance of the centers plus how far the vectors are apart (`vector_score`), both
        standardized given the counts.
    place : ndarray
        The share of pairs of different words that are more alike than each pair.
    """

    score: Floats
    place: Floats

    @property
    def surplus(self) -> float:
        """The share of pairs beyond the median of different words, times 2."""
        return float((self.place > _MEDIAN).mean() / (1 - _MEDIAN))

    @property
    def is_informative(self) -> bool:
        """Whether different words say anything about the pairs."""
        return self.surplus <= _MOST_UNLIKE

    @property
    def probability(self) -> Floats:
        """That a pair is as unlike as senses of different words are; see `_density`."""
        return np.minimum(min(1.0, self.surplus) / np.maximum(_density(self.place), 1e-12), 1.0)

    def real_share(self, words: Rows, rng: np.random.Generator) -> RealShare:
        """Return the lower bound of the share of real pairs; words are resampled.

        Parameters
        ----------
        words : ndarray
            The number of each pair's word.
        rng : Generator
        """
        beyond, n_pairs = np.bincount(words, self.place > _MEDIAN), np.bincount(words)
        beyond, n_pairs = beyond[n_pairs > 0], n_pairs[n_pairs > 0]
        shares = []
        for _ in range(_RESAMPLES):
            drawn = rng.integers(len(n_pairs), size=len(n_pairs))
            shares.append(beyond[drawn].sum() / n_pairs[drawn].sum() / (1 - _MEDIAN))
        return RealShare(None, min(1.0, float(np.quantile(shares, 0.025))), 1.0, "contrast")


def find_contrast(
    differences: DifferenceMatrix, usual: CountFeatures, rng: np.random.Generator
) -> Contrast:
    """Compare the pairs with pairs of different words; the senses must have centers.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> differences = DifferenceMatrix(make_senses(real_share=0.5).senses)
    >>> features = CountFeatures(None, len(differences))
    >>> contrast = find_contrast(differences, features, np.random.default_rng(0))
    >>> bool(contrast.place.min() < 0.05 < 0.9 < contrast.place.max())
    True
    """
    senses, a, b = differences.senses, differences.rows_a, differences.rows_b
    if (centers := senses.mean_centers) is None:
        raise ValueError("different words can only be compared by centers")
    features = usual(a, b)
    others = _other_words(senses, b, rng)
    apart = senses.word_of_row[a] != senses.word_of_row[others]
    # Lengths, not angles: words that fit any topic have short centers that point anywhere.
    distances = log_lengths(centers, a, b)
    usual_distance = Usual(distances, features)
    by_centers = usual_distance.deviations(distances, features)
    of_others = usual_distance.deviations(
        log_lengths(centers, a[apart], others[apart]), usual(a[apart], others[apart])
    )
    by_vectors = vector_score(differences, features)
    unlike = by_centers > np.quantile(of_others, _MEDIAN)
    if unlike.sum() < _FEWEST_UNLIKE:
        score, null = by_centers, of_others
    else:
        # The vectors of a word share what is the word's own, so vectors of other words say
        # nothing about them. Those of its senses with unlike centers do.
        drawn = _conditional(by_centers[unlike], by_vectors[unlike], of_others, rng)
        score, null = by_centers + by_vectors, of_others + drawn
    return Contrast(score, np.searchsorted(np.sort(null), score, side="right") / len(null))


def vector_score(differences: DifferenceMatrix, features: Floats) -> Floats:
    """Return how far the vectors of each pair are apart, given the counts.

    The mean of two standardized distances: the log length of the difference, and 1 − cos around
    the mean of all vectors.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> differences = DifferenceMatrix(make_senses(n_words=50).senses)
    >>> len(vector_score(differences, np.ones((len(differences), 1)))) == len(differences)
    True
    """
    vectors, a, b = differences.senses.vectors, differences.rows_a, differences.rows_b
    both = log_lengths(vectors, a, b), cosine_distances(vectors - vectors.mean(axis=0), a, b)
    by_length, by_angle = (Usual(each, features).deviations(each, features) for each in both)
    return np.asarray((by_length + by_angle) / 2)


def _conditional(x: Floats, y: Floats, new_x: Floats, rng: np.random.Generator) -> Floats:
    """Draw a y for each new x: from the regression of y on x, and its residuals."""
    slope, level = np.polyfit(x, y, 1)
    return np.asarray(level + slope * new_x + rng.choice(y - slope * x - level, len(new_x)))


def _other_words(senses: SenseVectors, rows: Rows, rng: np.random.Generator) -> Rows:
    """Return another sense with about the count of each given one, nearly always another word's."""
    n = len(senses.vectors)
    counts = np.zeros(n) if senses.counts is None else senses.counts
    by_count = np.lexsort((rng.random(n), counts))
    places = np.empty(n, dtype=np.int64)
    places[by_count] = np.arange(n)
    farthest = min(_NEAR_BY_COUNT, n - 1)
    step = rng.integers(1, farthest + 1, len(rows)) * rng.choice([-1, 1], len(rows))
    place = places[rows] + step
    place = np.where((place < 0) | (place >= n), places[rows] - step, place)
    return np.asarray(by_count[np.clip(place, 0, n - 1)])


def _density(places: Floats) -> NDArray[np.float64]:
    """Return the density at each place: a histogram, made to fall; real pairs alone have 1."""
    heights = np.histogram(places, bins=_BINS, range=(0, 1))[0] * (_BINS / len(places))
    falling = isotonic_regression(heights, increasing=False).x
    return np.asarray(falling[np.minimum((places * _BINS).astype(int), _BINS - 1)])

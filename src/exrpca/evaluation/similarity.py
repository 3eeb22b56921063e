"""How similar a model finds two words, and how that agrees with people's ratings.

With d the cosine, g the global vectors, v the sense vectors and P(k) the probability of sense
k in the word's context:

- globalSim = d(g, g′)
- avgSim    = the mean of d(v_i, v′_j) over all i, j
- avgSimC   = Σ_i Σ_j P(i) P′(j) d(v_i, v′_j), where a merged sense has the P of all its parts
- localSim  = d(v_i, v′_j) at the most probable i and j; also called maxSimC
- maxSim    = the largest d(v_i, v′_j)
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.evaluation.correlation import Bootstrap
from exrpca.evaluation.word_pairs import WordPairs
from exrpca.senses import SenseVectors
from exrpca.senses.cosine import unit_vectors
from exrpca.text.choice import Rule, SenseCosines, sense_cosines
from exrpca.text.context import ContextSettings
from exrpca.text.in_context import numbered
from exrpca.text.lookup import Lookup

Measure = Literal["globalSim", "avgSim", "avgSimC", "localSim", "maxSim"]
MEASURES: tuple[Measure, ...] = get_args(Measure)

# Cosines of float32 vectors, computed in float64 in any order, agree to more than this.
_DECIMALS = 9

Floats = NDArray[Any]
Integers = NDArray[np.int64]
Scores = dict[Measure, Floats]


class PairSimilarity:
    """Word pairs looked up in a vocabulary, ready to be scored.

    Words are looked up as in a text (see `Lookup`). Pairs with an unknown word are left out.

    Parameters
    ----------
    senses : SenseVectors
    data : WordPairs
    rule : {"inverse", "shifted"}, default "inverse"
        How the probability of a sense follows from the cosine of context and center.
    window : int, optional
        How many tokens on each side of a word are its context. Tokens that are not in the
        vocabulary take a place but add nothing.
        By default, as many as the centers were made with.

    Attributes
    ----------
    used : ndarray of int
        The positions in `data` of the pairs that are in the vocabulary.
    ratings : ndarray
        The ratings of these.
    measures : tuple of str
        What can be measured: globalSim needs global vectors; avgSimC and localSim need the
        pairs' contexts, global vectors and centers as well.

    Examples
    --------
    >>> senses = SenseVectors(["bank", "river"], [[1, 0], [0, 1], [0, 2]], [2, 1])
    >>> data = WordPairs("two", (("Bank", "river"), ("bank", "tree")), np.array([7.0, 1.0]))
    >>> pairs = PairSimilarity(senses, data)
    >>> pairs.used, pairs.measures
    (array([0]), ('avgSim', 'maxSim'))
    >>> pairs.scores()
    {'avgSim': array([0.5]), 'maxSim': array([1.])}
    """

    def __init__(
        self,
        senses: SenseVectors,
        data: WordPairs,
        *,
        rule: Rule = "inverse",
        window: int | None = None,
    ) -> None:
        settings = ContextSettings.of(senses, window)
        self.senses = senses
        self.data = data
        self._lookup = Lookup(senses)
        positions = np.array([[self._lookup[word] for word in pair] for pair in data.words])
        self.used: Integers = np.flatnonzero((positions >= 0).all(axis=1))
        if len(self.used) < 1:
            raise InputError(f"none of the {len(data)} pairs of {data.name} is in the vocabulary")
        self.ratings = data.ratings[self.used]
        self._words = positions[self.used].T
        self.rows = [_sense_rows(senses, words) for words in self._words]
        self._exists = _outer(*[rows >= 0 for rows in self.rows])
        n_pairs = self._exists.sum(axis=(1, 2), keepdims=True)
        self._uniform: Floats = self._exists / n_pairs
        self.probabilities: list[Floats] | None = None
        if (found := self._sense_cosines(settings)) is not None:
            self.probabilities = [side.as_rows(side.added_probabilities(rule)) for side in found]
            self._chosen = [side.best() for side in found]
        self.measures: tuple[Measure, ...] = tuple(m for m in MEASURES if self._can(m))

    def bootstrap(self, *, n_resamples: int = 1000, seed: int = 0) -> Bootstrap:
        """Return resamples of the used pairs, to correlate scores with their ratings."""
        if len(self.used) < 2:
            raise InputError(
                f"{len(self.used)} of the {len(self.data)} pairs of {self.data.name} are in the "
                "vocabulary, expected at least 2"
            )
        return Bootstrap(self.ratings, n_resamples=n_resamples, seed=seed)

    def scores(self) -> Scores:
        """Return the similarity of each used pair, by measure."""
        cosine = self.cosines(self.senses.vectors)
        return {measure: self.score(measure, cosine) for measure in self.measures}

    def score(self, measure: Measure, cosine: Floats) -> Floats:
        """Return one measure from the cosines of all senses of each pair (see `cosines`).

        Scores are rounded, so that equal ones are equal however their cosines were computed.
        """
        return np.round(self._score(measure, cosine), _DECIMALS)

    def _score(self, measure: Measure, cosine: Floats) -> Floats:
        match measure:
            case "globalSim":
                return self._global_cosines
            case "maxSim":
                return np.asarray(np.where(self._exists, cosine, -np.inf).max(axis=(1, 2)))
            case "avgSim":
                return np.asarray(np.einsum("nij,nij->n", cosine, self._uniform))
        if self.probabilities is None:
            raise InputError(f"{measure} needs contexts, centers and globals")
        if measure == "avgSimC":
            return np.asarray(np.einsum("nij,ni,nj->n", cosine, *self.probabilities))
        return np.asarray(cosine[np.arange(len(cosine)), *self._chosen])

    def cosines(self, vectors: Floats) -> Floats:
        """Return the cosines of the two words' senses, shape (n_used, most senses, most senses).

        Where a word has fewer senses the cosine is 0.
        """
        a, b = (
            unit_vectors(vectors[rows].astype(np.float64)) * (rows >= 0)[..., None]
            for rows in self.rows
        )
        return np.asarray(np.matmul(a, b.transpose(0, 2, 1)))

    def _can(self, measure: Measure) -> bool:
        if measure == "globalSim":
            return self.senses.globals is not None
        return measure in ("avgSim", "maxSim") or self.probabilities is not None

    @cached_property
    def _global_cosines(self) -> Floats:
        if self.senses.globals is None:
            raise InputError("globalSim needs globals; there are none")
        a, b = (
            unit_vectors(self.senses.globals[words].astype(np.float64)) for words in self._words
        )
        return np.asarray(np.einsum("nd,nd->n", a, b, dtype=np.float64))

    def _sense_cosines(self, settings: ContextSettings) -> list[SenseCosines] | None:
        """Compare contexts and senses for both words of each pair, or None if that cannot be."""
        contexts, senses = self.data.contexts, self.senses
        if contexts is None or senses.centers is None or senses.globals is None:
            return None
        sides = zip(*(contexts[i] for i in self.used), strict=True)
        found = []
        for words, side in zip(self._words, sides, strict=True):
            lefts, rights = [c.left for c in side], [c.right for c in side]
            places = numbered(self._lookup, words.tolist(), lefts, rights)
            found.append(sense_cosines(senses, *places, settings))
        return found


def evaluate(
    senses: SenseVectors,
    data: WordPairs,
    *,
    rule: Rule = "inverse",
    window: int | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Correlate every similarity measure with people's ratings.

    Parameters
    ----------
    senses : SenseVectors
    data : WordPairs
        See `read_scws`, `read_word_pairs` and `wordsim353`.
    rule : {"inverse", "shifted"}, default "inverse"
        How the probability of a sense comes from the cosine of context and center.
    window : int, optional
        How many tokens on each side of a word are its context.
        By default, as many as the centers were made with.
    n_resamples : int, default 1000
        For the 95% bootstrap interval.
    seed : int, default 0

    Returns
    -------
    DataFrame
        One row per measure: `dataset`, `measure`, Spearman's `rho` with its 95% interval from
        `low` to `high`, and how many pairs of the `total` were in the vocabulary: `used`.

    Examples
    --------
    >>> senses = SenseVectors(
    ...     ["cat", "dog", "car"], [[1, 0], [0.8, 0.6], [0.9, 0.4], [0, 1]], [2, 1, 1]
    ... )
    >>> words = (("cat", "dog"), ("cat", "car"), ("dog", "car"))
    >>> evaluate(senses, WordPairs("pets", words, np.array([8, 2, 3])))[["measure", "rho", "used"]]
      measure  rho  used
    0  avgSim  1.0     3
    1  maxSim  0.5     3
    """
    pairs = PairSimilarity(senses, data, rule=rule, window=window)
    bootstrap = pairs.bootstrap(n_resamples=n_resamples, seed=seed)
    rows = [(measure, *bootstrap.correlation(score)) for measure, score in pairs.scores().items()]
    table = pd.DataFrame(rows, columns=["measure", "rho", "low", "high"])
    table.insert(0, "dataset", data.name)
    return table.assign(used=len(pairs.used), total=len(data))


def compare_vectors(
    senses: SenseVectors,
    others: SenseVectors,
    data: WordPairs,
    *,
    rule: Rule = "inverse",
    window: int | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Measure by how much one set of vectors scores above another, on the pairs in both.

    Both are resampled together: the interval is that of the paired difference.

    Parameters
    ----------
    senses, others : SenseVectors
    data : WordPairs
    rule, window, n_resamples, seed
        As for `evaluate`.

    Returns
    -------
    DataFrame
        One row per measure that both have: `dataset`, `measure`, `difference` (of ρ) with its
        95% interval from `low` to `high`, `used` and `total`.

    Examples
    --------
    >>> from exrpca import bundled
    >>> from exrpca.evaluation import wordsim353
    >>> senses = bundled()
    >>> table = compare_vectors(senses.collapse(), senses, wordsim353())
    >>> table[["measure", "difference", "used", "total"]].round(2)
         measure  difference  used  total
    0  globalSim         0.0   352    353
    1     avgSim        -0.0   352    353
    2     maxSim        -0.0   352    353
    """
    sides = [PairSimilarity(side, data, rule=rule, window=window) for side in (senses, others)]
    common = np.intersect1d(sides[0].used, sides[1].used)
    if len(common) < 2:
        raise InputError(f"{len(common)} pairs of {data.name} are in both vocabularies")
    bootstrap = Bootstrap(data.ratings[common], n_resamples=n_resamples, seed=seed)
    ours, theirs = (
        {m: score[np.searchsorted(side.used, common)] for m, score in side.scores().items()}
        for side in sides
    )
    rows = [(m, *bootstrap.difference(ours[m], theirs[m])) for m in ours if m in theirs]
    table = pd.DataFrame(rows, columns=["measure", "difference", "low", "high"])
    table.insert(0, "dataset", data.name)
    return table.assign(used=len(common), total=len(data))


def _sense_rows(senses: SenseVectors, words: Integers) -> Integers:
    """Return the rows of each word's senses, padded with −1 to the most senses of any."""
    n_senses = senses.n_senses[words][:, None]
    sense = np.arange(n_senses.max())
    return np.where(sense < n_senses, senses.offsets[words][:, None] + sense, -1)


def _outer(a: Floats, b: Floats) -> Floats:
    return a[:, :, None] & b[:, None, :]

"""Other ways to improve sense vectors, to compare with ours in every table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from exrpca.cleaning import Projector
from exrpca.errors import InputError
from exrpca.evaluation.wordnet import load_wordnet
from exrpca.senses import DifferenceMatrix, SenseVectors
from exrpca.senses.cosine import unit_vectors

Integers = NDArray[np.int64]
Floats = NDArray[Any]

# How many pairs, drawn at random, the maps are fitted to.
_N_PAIRS = 5000
_N_NEIGHBORS = 20
# A pair is pseudo when two senses of unrelated words score as high in one case of twenty.
_NULL_QUANTILE = 0.95
# The weight of staying as it was, as a share of the mean variance of the vectors.
_RIDGE = 0.01


def all_but_the_top(senses: SenseVectors, rank: int) -> SenseVectors:
    """Remove the mean and the first `rank` principal components of all sense vectors.

    It does not use senses: it removes what all vectors share, while `clean` removes what the
    senses of one word differ in.

    Parameters
    ----------
    senses : SenseVectors
    rank : int
        The D of the original; 1 to dim − 1.

    Returns
    -------
    SenseVectors
        Centers and global vectors stay.

    References
    ----------
    Mu, Viswanath (2018). All-but-the-Top: Simple and Effective Postprocessing for Word
    Representations. ICLR 2018.

    Examples
    --------
    >>> senses = SenseVectors(["a", "b"], [[9, 1, 0], [5, 2, 0], [1, 0, 0]], [2, 1])
    >>> np.round(abs(all_but_the_top(senses, 1).vectors), 1)[:, 0].max()
    np.float32(0.1)
    """
    if not 1 <= rank <= senses.dim - 1:
        raise InputError(f"rank={rank} must be between 1 and {senses.dim - 1}")
    centered = senses.vectors - senses.vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
    _, directions = np.linalg.eigh((centered.T @ centered).astype(np.float64))
    top = directions[:, ::-1][:, :rank].T
    return senses.replace(vectors=Projector(top).apply(centered))


def neighbor_map(senses: SenseVectors) -> SenseVectors:
    """Map the senses of pseudo pairs to their mean; neighbors decide which are pseudo.

    A pair's score is the mean cosine between the global vectors of the 20 nearest neighbors of
    one sense and those of the other. `map_pseudo_pairs` says what follows.

    Parameters
    ----------
    senses : SenseVectors
        With global vectors.

    Returns
    -------
    SenseVectors

    References
    ----------
    Shi, Wang, Sun, Hu (2018). Constructing High Quality Sense-specific Corpus and Word
    Embedding via Unsupervised Elimination of Pseudo Multi-sense. LREC 2018.
    """
    if senses.globals is None:
        raise InputError("the baseline 'neighbors' needs globals; there are none")
    unit = unit_vectors(senses.globals)
    # the product of two means of unit vectors is the mean of all cosines between them
    return map_pseudo_pairs(senses, lambda neighbors: unit[neighbors].mean(axis=1))


def wordnet_map(senses: SenseVectors) -> SenseVectors:
    """Map the senses of pseudo pairs to their mean; WordNet decides which are pseudo.

    The 20 nearest neighbors of a sense have a profile: the synsets of these words and all
    their hypernyms. The more words a synset covers, the less it weighs. A pair's score is the
    cosine of its two profiles. `map_pseudo_pairs` says what follows.

    Parameters
    ----------
    senses : SenseVectors

    Returns
    -------
    SenseVectors

    References
    ----------
    Shi, Li, Hu (2016). Real Multi-Sense or Pseudo Multi-Sense: An Approach to Improve Word
    Representation. CL4LC 2016, 79-88.
    """
    return map_pseudo_pairs(senses, lambda neighbors: _wordnet_profiles(senses, neighbors))


def map_pseudo_pairs(senses: SenseVectors, profiles: Callable[[Integers], Any]) -> SenseVectors:
    """Map all sense vectors so that the two members of pseudo pairs go to their mean.

    A pair is pseudo when its score is above the 95th percentile of the scores of senses of
    different words, drawn by pairing the same rows again. With V the members of pseudo pairs
    and M the means of their pairs, both in rows, the map A minimizes
    ‖V A − M‖² + α ‖A − I‖², α a hundredth of the mean variance along a dimension.

    Parameters
    ----------
    senses : SenseVectors
    profiles : callable
        Turns the words nearest to each sense, one row of positions per sense, into a profile
        per sense; the product of two profiles is the score of a pair.
    """
    differences = DifferenceMatrix(senses)
    chosen = np.random.default_rng(0).permutation(len(differences))[:_N_PAIRS]
    a, b = differences.rows_a[chosen], differences.rows_b[chosen]
    rows = np.unique(np.concatenate([a, b]))
    profile = profiles(_nearest_words(senses, rows))

    def score(first: Integers, second: Integers) -> Floats:
        return _row_products(*(profile[np.searchsorted(rows, side)] for side in (first, second)))

    shuffled = np.random.default_rng(0).permutation(b)
    different = senses.word_of_row[a] != senses.word_of_row[shuffled]
    if not different.any():
        raise InputError("pseudo pairs cannot be found with only one multi-sense word")
    limit = np.quantile(score(a[different], shuffled[different]), _NULL_QUANTILE)
    pseudo = score(a, b) > limit
    if not pseudo.any():
        return senses
    matrix = _ridge_map(senses.vectors[a[pseudo]], senses.vectors[b[pseudo]])
    return senses.replace(vectors=senses.vectors @ matrix.astype(np.float32))


def _nearest_words(senses: SenseVectors, rows: Integers) -> Integers:
    """Return the words of the 20 senses nearest to each row by cosine, other words' only."""
    unit = unit_vectors(senses.vectors)
    words = senses.word_of_row
    n = min(_N_NEIGHBORS, len(unit) - int(senses.n_senses.max()))
    if n < 1:
        raise InputError("there are no other words that could be neighbors")
    nearest = np.empty((len(rows), n), dtype=np.int64)
    for start in range(0, len(rows), 128):  # a block of cosines stays small
        block = rows[start : start + 128]
        cosine = unit[block] @ unit.T
        cosine[words[block][:, None] == words] = -np.inf
        nearest[start : start + len(block)] = np.argpartition(cosine, -n, axis=1)[:, -n:]
    return np.asarray(words[nearest])


def _row_products(a: Any, b: Any) -> Floats:
    return np.asarray((a * b).sum(axis=1))


def _ridge_map(a: Floats, b: Floats) -> Floats:
    members = np.concatenate([a, b]).astype(np.float64)
    means = np.tile((a + b) / 2, (2, 1)).astype(np.float64)
    gram = members.T @ members
    ridge = _RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram))
    return np.linalg.solve(gram + ridge, members.T @ means + ridge)


def _wordnet_profiles(senses: SenseVectors, neighbors: Integers) -> csr_array[Any, Any]:
    """Return the profile of each row of neighbors, with length 1; see `wordnet_map`."""
    words, columns = np.unique(neighbors, return_inverse=True)
    rows = np.repeat(np.arange(len(neighbors)), neighbors.shape[1])
    shape = (len(neighbors), len(words))
    counts = csr_array((np.ones(columns.size), (rows, columns.ravel())), shape=shape)
    profiles = counts @ _concepts([senses.words[i] for i in words])
    lengths = np.sqrt(profiles.multiply(profiles).sum(axis=1))
    return csr_array(diags_array(1 / np.where(lengths > 0, lengths, 1)) @ profiles)


def _concepts(words: list[str]) -> csr_array[Any, Any]:
    """Return the weights of the synsets and hypernyms of each word, shape (words, synsets)."""
    wordnet = load_wordnet()
    above: dict[Any, frozenset[Any]] = {}

    def closure(synset: Any) -> frozenset[Any]:
        if synset not in above:
            parents = synset.hypernyms() + synset.instance_hypernyms()
            above[synset] = frozenset([synset]).union(*map(closure, parents))
        return above[synset]

    covered = [frozenset().union(*map(closure, wordnet.synsets(word))) for word in words]
    column = {synset: number for number, synset in enumerate(above)}
    cells = [(row, column[synset]) for row, synsets in enumerate(covered) for synset in synsets]
    rows, columns = np.array(cells, dtype=np.int64).reshape(-1, 2).T
    n_words = np.bincount(columns, minlength=max(len(column), 1))
    weights = np.log(len(words) / np.maximum(n_words, 1))
    return csr_array((weights[columns], (rows, columns)), shape=(len(words), len(n_words)))

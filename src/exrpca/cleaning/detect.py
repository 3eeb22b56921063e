"""Detection: which pairs of senses are real, and which are pseudo."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.cleaning.judge import DEFAULT_PER_SENSE, judge_by_text
from exrpca.cleaning.sense_decomposition import SenseDecomposition
from exrpca.cleaning.shared_neighbors import (
    SharedNeighbors,
    candidate_words,
    find_shared_neighbors,
    nearest_words,
)
from exrpca.contextual import Encoder
from exrpca.contextual.strength import check_lost
from exrpca.errors import InputError
from exrpca.senses import DifferenceMatrix, SenseVectors
from exrpca.senses.cosine import unit_vectors
from exrpca.senses.metadata import is_induced
from exrpca.text.corpus import Source

Floats = NDArray[np.float64]

# Chosen on the bundled vectors: the highest at which merging keeps 0.9 of the ARI on each of three
# data sets that people labeled.
DEFAULT_LOST = 0.2

# How many of 100 nearest words are shared, beyond chance, by two senses that are as probably one
# meaning as two. The odds that a pair is real are (1 + _EVEN) : (1 + shared): a fit to 1,843 pairs
# of four kinds of vectors that an encoder judged had slope -1.01 in log(1 + shared) and was even
# at 7.3. docs/explanation/detection.md has a later fit, by a stricter encoder, and how reliable
# the probabilities are.
_EVEN = 7.0

# A pair is real from this probability on.
_REAL = 0.5

# Neighbors are noise if fewer of the nearest words have the word among their own neighbors.
# Vectors of our recipe from 18 million words, and of word2vec from 9 million: 0.94 to 0.99. Of the
# paper's MSSG from 18 million, which agree with nobody: 0.80; of our recipe from 1.5 million: 0.82;
# of shuffled text: 0.32.
_FEWEST_MUTUAL = 0.9

# ... or if senses of one word share less than this many times as much as those of different words.
# Trained vectors, even those of shuffled text: 8 to 33.
_LEAST_CONTRAST = 2.0

# The nearest words, and the senses sampled, by which this is told.
_N_NEAREST = 5
_N_SAMPLED = 200

# With fewer words there are fewer than 10 neighbors to compare.
_FEWEST_WORDS = 100


def detect(
    senses: SenseVectors | SenseDecomposition,
    *,
    lost: float = DEFAULT_LOST,
    corpus: Source | None = None,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    words: Sequence[str] | None = None,
    per_sense: int = DEFAULT_PER_SENSE,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Judge whether the two senses of each pair are really different.

    The fewer of their nearest neighbors two senses share, the more probably they are different.
    With a text, sentences decide instead: the vectors choose a sense for each occurrence of a
    word, and an encoder and the rule of `induce` say whether the occurrences of two senses differ.
    :doc:`/explanation/detection` has both rules and their results.

    Parameters
    ----------
    senses : SenseVectors or SenseDecomposition
        Vectors, with at least one word that has two senses, or their fitted decomposition.
        Counts and centers are not needed.
    lost : float, default 0.2
        The expected share of all real pairs that may be called pseudo. With less, more pairs are
        undecided, and `merge` leaves more senses.
    corpus : path, or iterable of paths or of token lists, optional
        A text with the words in it, as for `encode`.
    encoder : str, path or Encoder, optional
        What reads the text, as for `encode`; by default the encoder that comes with this package.
    words : sequence of str, optional
        The words that the encoder judges, instead of all with several senses.
    per_sense : int, default 30
        The encoder reads at most this many occurrences of each sense.
    seed : int, default 0
        Seed for drawing the occurrences.
    progress : bool, default False
        Show a progress bar on standard error.

    Returns
    -------
    DataFrame
        One row per pair: `word`, `sense_a`, `sense_b`, `shared` (how many of the 100 nearest
        words of each they have in common), `examples` (some of these words), `cosine`,
        `probability` (that the pair is real), `verdict` ("real", "pseudo" or "undecided") and
        `judged_by`, what the probability is from: "neighbors", "sentences" or "induce".
        Pairs that cannot be judged have no probability (NaN). With a decomposition also
        `outlier_norm` (‖S_p‖₂), the indicator of Shi et al. (2018), which does not decide.

        With a text also `occurrences_a` and `occurrences_b`, how many sentences of each sense
        were judged, and `sentence_a` and `sentence_b`, a typical one. Pairs with fewer than 5 of
        either sense have 0 and keep the probability that the neighbors give.

    Warns
    -----
    UserWarning
        If the neighbors are noise or too few, so that all pairs are undecided.

    Notes
    -----
    Senses from `induce` were judged by their occurrences, which say more than vectors: each pair
    is called real, without a probability.

    Use the original vectors. After merging, the remaining pairs are not a representative sample.

    Examples
    --------
    >>> from exrpca import bundled
    >>> pairs = detect(bundled())
    >>> pairs[pairs["word"] == "apple"][["sense_a", "sense_b", "shared", "examples", "verdict"]]
          sense_a  sense_b  shared                 examples    verdict
    7539        0        1      24  (ibm, intel, microsoft)  undecided
    7540        0        2       2          (kernel, chips)       real
    7541        1        2       1             (christmas,)       real
    """
    check_lost(lost)
    if corpus is None and encoder is not None:
        raise InputError("encoder needs corpus as well, a text whose sentences it can judge")
    differences = (
        senses.differences if isinstance(senses, SenseDecomposition) else DifferenceMatrix(senses)
    )
    pairs, doubt = judge_by_neighbors(differences, lost=lost, progress=progress)
    if corpus is not None:
        judged = judge_by_text(
            differences.senses,
            corpus,
            encoder,
            words=words,
            per_sense=per_sense,
            seed=seed,
            progress=progress,
        )
        pairs = _with_judged(pairs, judged, lost)
    elif doubt is not None:
        warnings.warn(doubt, stacklevel=2)
    if isinstance(senses, SenseDecomposition):
        place = list(pairs).index("probability")
        pairs.insert(place, "outlier_norm", senses.outlier_norm)
    return pairs


def _with_judged(pairs: pd.DataFrame, judged: pd.DataFrame, lost: float) -> pd.DataFrame:
    """Return the pairs with the judge's probability where there is one."""
    both = pairs.merge(judged, "left", on=["word", "sense_a", "sense_b"], suffixes=("", "_judged"))
    probability = both.pop("probability_judged").fillna(both["probability"])
    counts = ["occurrences_a", "occurrences_b"]
    both[counts] = both[counts].fillna(0).astype(np.int64)
    sentences = ["sentence_a", "sentence_b"]
    both[sentences] = both[sentences].fillna("")
    verdict = verdicts(probability.to_numpy(), lost)
    judged_by = np.where(both["occurrences_a"] > 0, "sentences", both["judged_by"])
    return both.assign(probability=probability, verdict=verdict, judged_by=judged_by)


def judge_by_neighbors(
    differences: DifferenceMatrix, *, lost: float = DEFAULT_LOST, progress: bool = False
) -> tuple[pd.DataFrame, str | None]:
    """Return the pairs as `detect` does, and why none of them can be judged, if that is so."""
    senses = differences.senses
    shared = find_shared_neighbors(differences, progress=progress)
    pairs = differences.pairs.assign(
        shared=shared.counts,
        examples=pd.Series(_examples(shared, senses.words), dtype=object),
        cosine=_cosines(differences),
    )
    if is_induced(senses.metadata):
        return pairs.assign(probability=np.nan, verdict="real", judged_by="induce"), None
    doubt = _doubt(senses, shared)
    if doubt is None:
        probability = (1 + _EVEN) / (2 + _EVEN + shared.percent)
    else:
        probability = np.full(len(pairs), np.nan)
    verdict = verdicts(probability, lost)
    return pairs.assign(probability=probability, verdict=verdict, judged_by="neighbors"), doubt


def verdicts(probability: Floats, lost: float) -> NDArray[np.object_]:
    """Return "real", "pseudo" or "undecided" for each pair.

    A pair is real if it is more probably real than not. The least probable of the others are
    pseudo: as many as hold the share `lost` of all real pairs, by expectation. Equally probable
    pairs get the same verdict. Without a probability (NaN), a pair is undecided.

    Examples
    --------
    >>> verdicts(np.array([0.9, 0.1, 0.4, 0.0]), lost=0.1).tolist()
    ['real', 'pseudo', 'undecided', 'pseudo']
    """
    verdict = np.full(len(probability), "undecided", dtype=object)
    known = np.flatnonzero(np.isfinite(probability))
    values, group, sizes = np.unique(probability[known], return_inverse=True, return_counts=True)
    n_lost = np.cumsum(values * sizes)
    verdict[known[(n_lost <= lost * n_lost[-1:] + 1e-9)[group]]] = "pseudo"
    verdict[known[probability[known] >= _REAL]] = "real"
    return verdict


def summary(pairs: pd.DataFrame) -> str:
    """Return how many pairs have each verdict, and what share of them is real by expectation.

    Parameters
    ----------
    pairs : DataFrame
        From `detect`.

    Examples
    --------
    >>> summary(pd.DataFrame({"probability": [0.9, 0.1], "verdict": ["real", "pseudo"]}))
    '2 pairs: 1 real, 1 pseudo, 0 undecided; about 50% of all pairs are expected to be real'
    """
    counts = pairs["verdict"].value_counts()
    found = ", ".join(f"{counts.get(name, 0):,} {name}" for name in ("real", "pseudo", "undecided"))
    text = f"{len(pairs):,} pair{'' if len(pairs) == 1 else 's'}: {found}"
    if pairs["probability"].isna().all():
        return text
    share = pairs["probability"].mean()
    return f"{text}; about {share:.0%} of all pairs are expected to be real"


def _cosines(differences: DifferenceMatrix) -> NDArray[np.float32]:
    unit = unit_vectors(differences.senses.vectors)
    return np.asarray(np.einsum("nd,nd->n", unit[differences.rows_a], unit[differences.rows_b]))


def _examples(shared: SharedNeighbors, words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[i] for i in own if i >= 0) for own in shared.examples.tolist()]


def _doubt(senses: SenseVectors, shared: SharedNeighbors) -> str | None:
    """Say why neighbors tell nothing about these senses, if they do not."""
    if len(senses) < _FEWEST_WORDS:
        return (
            f"all pairs are undecided: with {len(senses):,} words, fewer than {_FEWEST_WORDS}, "
            "senses have too few neighbors to compare; use vectors of more words, or give a text "
            "as corpus"
        )
    if shared.counts.mean() < _LEAST_CONTRAST * max(shared.of_different_words.mean(), 1e-9):
        return (
            "all pairs are undecided: senses of one word share no more neighbors than those of "
            "different words do; give a text as corpus"
        )
    mutual = _mutual_share(senses, shared)
    if mutual >= _FEWEST_MUTUAL:
        return None
    return (
        f"all pairs are undecided: the neighbors of these senses look like noise, since only "
        f"{mutual:.0%} of the nearest words have the word among their own neighbors (from "
        f"{_FEWEST_MUTUAL:.0%} on they can be trusted); train on more text, or give a text as "
        "corpus"
    )


def _mutual_share(senses: SenseVectors, shared: SharedNeighbors) -> float:
    """Return how many of the nearest words of some senses have their word as a neighbor."""
    words = candidate_words(senses)
    own = senses.word_of_row[shared.rows]
    usable = np.flatnonzero(np.isin(own, words))
    if len(usable) == 0:
        return 1.0
    sampled = usable[np.linspace(0, len(usable) - 1, _N_SAMPLED).astype(np.int64)]
    nearest = shared.near[sampled, :_N_NEAREST]
    back = np.flatnonzero(np.isin(senses.word_of_row, nearest))
    named = nearest_words(senses, back, words, shared.n_neighbors)
    of_word: dict[int, set[int]] = {}
    for word, found in zip(senses.word_of_row[back].tolist(), named.tolist(), strict=True):
        of_word.setdefault(word, set()).update(found)
    asked = zip(own[sampled].tolist(), nearest.tolist(), strict=True)
    return float(np.mean([word in of_word[other] for word, others in asked for other in others]))

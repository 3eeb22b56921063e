"""What a text says about pairs of senses, and how that changes what their vectors say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

from exrpca.blas import blas_on_one_thread
from exrpca.cleaning.humps import Floats, hump_distances
from exrpca.cleaning.real_share import RealShare
from exrpca.errors import InputError
from exrpca.progress import ProgressCallback, progress_bar
from exrpca.senses import DifferenceMatrix, SenseVectors
from exrpca.text import Corpus
from exrpca.text.choice import check_without_encoder
from exrpca.text.corpus import Source
from exrpca.text.sampling import sample_contexts
from exrpca.text.tokens import DEFAULT_TOKENIZER

# How many contexts are drawn per word.
N_CONTEXTS = 200

# What humps weigh beside the score of the vectors, both in units of their spread.
_WEIGHT = 0.5

# Humps and probability: a logistic fit on pseudowords of related and of unrelated words, with as
# many real pairs as pseudo ones; see docs/explanation/detection.md.
_SLOPE, TWO_HUMPS = 2.2, 1.45

# Lines between two reports of progress.
_REPORT_EVERY = 1000


class Judged(NamedTuple):
    """What is known about pairs.

    Attributes
    ----------
    score, probability : ndarray
        Those of each pair.
    share : RealShare
        The share of real pairs.
    """

    score: Floats
    probability: Floats
    share: RealShare


class TextCoverage(NamedTuple):
    """How much a text says about pairs of senses.

    Attributes
    ----------
    words, words_found : int
        How many words have several senses, and how many of them occur in the text.
    pairs, pairs_found : int
        How many pairs of senses there are, and how many have enough contexts in the text.

    Examples
    --------
    >>> print(TextCoverage(2, 1, 6, 3))
    1 of 2 words with several senses occur in the text, with enough contexts for 3 of 6 pairs
    """

    words: int
    words_found: int
    pairs: int
    pairs_found: int

    def __str__(self) -> str:
        return (
            f"{self.words_found:,} of {self.words:,} words with several senses occur in the text, "
            f"with enough contexts for {self.pairs_found:,} of {self.pairs:,} pairs"
        )


def corpus_for(senses: SenseVectors, corpus: Corpus | Source) -> Corpus:
    """Return a text as it was read in training; `InputError` if the senses cannot be found in it.

    Examples
    --------
    >>> corpus_for(SenseVectors(["bank"], [[1, 0], [0, 1]], [2]), "text.txt")
    Traceback (most recent call last):
    exrpca.errors.InputError: a text needs centers, as `exrpca train` makes them: these vectors ...
    """
    check_without_encoder(senses)
    for name, part in (("centers", senses.centers), ("global vectors", senses.globals)):
        if part is None:
            raise InputError(
                f"a text needs {name}, as `exrpca train` makes them: these vectors have none, so "
                "detect without a text"
            )
    if not isinstance(corpus, Corpus):
        training: Mapping[str, Any] = senses.metadata.get("training", {})
        corpus = Corpus(
            corpus,
            tokenizer=training.get("tokenizer", DEFAULT_TOKENIZER),
            lowercase=training.get("lowercase", False),
        )
    _ = corpus.sources  # a missing file is an error before the work
    return corpus


def read_humps(
    differences: DifferenceMatrix, text: Corpus, *, progress: bool
) -> tuple[Floats, TextCoverage]:
    """Read a text once; return the distance of the humps of each pair, see `hump_distances`."""
    senses = differences.senses
    words = np.flatnonzero(senses.n_senses > 1)
    with progress_bar("Reading the text", text.size or None, show=progress) as report:
        sampled = sample_contexts(senses, _reported(text, report), words, N_CONTEXTS)
    with (
        blas_on_one_thread(),  # thousands of small matrices
        progress_bar("Comparing contexts", len(words), show=progress) as report,
    ):
        humps = hump_distances(differences, sampled, report)
    n_found = int((sampled.counts > 0).sum()), int(np.isfinite(humps).sum())
    return humps, TextCoverage(len(words), n_found[0], len(humps), n_found[1])


def _reported(text: Corpus, report: ProgressCallback) -> Iterator[Sequence[str]]:
    for number, line in enumerate(text.pieces()):
        if number % _REPORT_EVERY == 0:
            report(text.position(), f"{number:,} lines")
        yield line


def with_text(judged: Judged, humps: Floats) -> Judged:
    """Return what is known about pairs when humps are added to what their vectors say.

    Two humps speak for a real pair. One hump speaks neither for it nor against it: people often
    tell senses apart whose contexts form one cloud. So only humps farther apart than usual count.
    If pairs were compared with other words, humps change their order but not the share that is
    real: the probabilities are dealt out again. If vectors say nothing, pairs with two humps are
    real, and the others stay undecided. If vectors have two clear lengths, nothing changes.

    Examples
    --------
    >>> share = RealShare(None, 0.2, 1.0, "contrast")
    >>> vectors = Judged(np.array([0.0, 0.1, 0.9, 9.0]), np.array([0.1, 0.2, 0.3, 1.0]), share)
    >>> with_text(vectors, np.array([3.0, 0.0, 0.0, np.nan])).probability
    array([0.2, 0.1, 0.3, 1. ])
    """
    known = np.flatnonzero(np.isfinite(humps))
    if judged.share.basis == "mixture" or len(known) == 0:
        return judged
    score, probability, share = judged.score.copy(), judged.probability.copy(), judged.share
    found = humps[known]
    apart = np.maximum(found - found.mean(), 0) / max(float(found.std()), 1e-9)
    score[known] += _WEIGHT * score[known].std() * apart
    if share.basis == "none":
        chances = expit(_SLOPE * (found - TWO_HUMPS))
        probability[known] = np.where(chances >= 0.5, chances, np.nan)
    else:
        probability[known[np.argsort(score[known], kind="stable")]] = np.sort(probability[known])
    return Judged(score, probability, share)

"""Which sense a context calls for. Everything that chooses a sense in a text ends here."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numba import config
from numpy.typing import NDArray

from exrpca.compiling import cached_njit
from exrpca.errors import InputError
from exrpca.senses import SenseVectors
from exrpca.senses.metadata import encoding_entry, is_induced
from exrpca.senses.ragged import offsets_of, rows_of_groups
from exrpca.text.context import ContextSettings, context_vectors, windows
from exrpca.text.lookup import NO_WORD

Rule = Literal["inverse", "shifted"]
RULES: tuple[Rule, ...] = get_args(Rule)

Integers = NDArray[np.int64]
Floats = NDArray[np.float32]

# Contexts whose vectors are in memory at a time, for each thread.
_CHUNK = 1 << 12

# A context equal to a center would have an infinite weight; float32 cosines blur here anyway.
_HIGHEST_COSINE = 1 - 1e-6


@dataclass(frozen=True)
class SenseCosines:
    """The cosine of each context with each sense of its word.

    Attributes
    ----------
    values : ndarray of float64
        The cosines, those of the first context first; −1 and 1 themselves are excluded. A sense
        with several centers has that of the nearest one.
    offsets : ndarray of int64
        Those of context `i` are `values[offsets[i]:offsets[i + 1]]`, one for each sense.
    priors : ndarray of float64, optional
        The share of each sense among those of its word, laid out as `values`.
    of_centers : tuple of two ndarrays, optional
        If senses have several centers: the cosines with all of them, and where those of each
        sense begin.
    """

    values: NDArray[np.float64]
    offsets: Integers
    priors: NDArray[np.float64] | None = None
    of_centers: tuple[NDArray[np.float64], Integers] | None = None

    def best(self) -> Integers:
        """Return the most probable sense for each context, the first one of a tie.

        Without priors it is the one of highest cosine, by any rule.
        """
        values = self.values if self.priors is None else self.probabilities()
        best: Integers = _first_highest(values, self.offsets)
        return best

    def probabilities(self, rule: Rule = "inverse") -> NDArray[np.float64]:
        """Return P(sense | context), laid out as `values`.

        Parameters
        ----------
        rule : {"inverse", "shifted"}, default "inverse"
            "inverse" weights a sense by 1 / (1 − cos) (Neelakantan et al. 2014), "shifted"
            by 1 + cos (the code of Shi et al. 2018). Priors multiply the weights.

        Examples
        --------
        >>> cosines = SenseCosines(np.array([0.5, 0.0]), np.array([0, 2]))
        >>> cosines.probabilities()
        array([0.66666667, 0.33333333])
        >>> cosines.probabilities("shifted")
        array([0.6, 0.4])
        """
        return self._normalized(_weights(self.values, rule))

    def added_probabilities(self, rule: Rule = "inverse") -> NDArray[np.float64]:
        """Return P(sense | context) with the weights of all centers of a sense added up.

        So a merged sense weighs as much in an average as its parts did. The sense of the nearest
        center, which is chosen, need not be the most probable one by this.

        Parameters
        ----------
        rule : {"inverse", "shifted"}, default "inverse"
            As for `probabilities`.

        Examples
        --------
        >>> parts = np.array([0.5, 0.0, 0.0]), np.array([0, 1])
        >>> cosines = SenseCosines(np.array([0.5, 0.0]), np.array([0, 2]), of_centers=parts)
        >>> cosines.added_probabilities()
        array([0.5, 0.5])
        """
        if self.of_centers is None:
            return self.probabilities(rule)
        values, first_of_sense = self.of_centers
        return self._normalized(np.add.reduceat(_weights(values, rule), first_of_sense))

    def _normalized(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return weights of senses as shares of their sum, times the priors."""
        if self.priors is not None:
            weights = weights * self.priors
        totals = np.add.reduceat(weights, self.offsets[:-1])
        return np.asarray(weights / np.repeat(totals, np.diff(self.offsets)))

    def as_rows(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values laid out as `values`, one row per context, filled up with 0.

        Examples
        --------
        >>> SenseCosines(np.zeros(3), np.array([0, 1, 3])).as_rows(np.array([1, 2, 3]))
        array([[1, 0],
               [2, 3]])
        """
        n_senses = np.diff(self.offsets)[:, None]
        exists = np.arange(n_senses.max(initial=0)) < n_senses
        rows = np.zeros(exists.shape, dtype=values.dtype)
        rows[exists] = values
        return rows


def _weights(cosines: NDArray[np.float64], rule: Rule) -> NDArray[np.float64]:
    if rule not in RULES:
        raise InputError(f"rule={rule!r} must be one of {', '.join(RULES)}")
    return 1 / (1 - cosines) if rule == "inverse" else 1 + cosines


@dataclass(frozen=True)
class ChoiceBasis:
    """What contexts are compared with, and what they are made of.

    With centers and global vectors, the sum of the context words' global vectors is compared with
    the centers. Without them, as in word2vec files, the context words' vectors are compared with
    the sense vectors themselves. The vector of a context word is then its global vector, or else
    the mean of its senses, and counts are the priors of senses.

    Attributes
    ----------
    centers : ndarray of shape (n_centers, dim)
    center_offsets : ndarray
        Where the centers of each sense begin, as in `SenseVectors`.
    word_vectors : ndarray of shape (n_words, dim)
        What contexts are made of.
    priors : ndarray of shape (n_senses,), optional
        The share of each sense among those of its word.
    """

    centers: Floats
    center_offsets: Integers
    word_vectors: Floats
    priors: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, senses: SenseVectors) -> ChoiceBasis:
        """Return what the senses of these vectors are chosen by."""
        check_without_encoder(senses)
        if senses.centers is not None and senses.globals is not None:
            assert senses.center_offsets is not None  # noqa: S101 - there are centers
            return cls(senses.centers, senses.center_offsets, senses.globals)
        words = senses.word_means if senses.globals is None else senses.globals
        offsets = np.arange(len(senses.vectors) + 1)
        return cls(senses.vectors, offsets, words, _priors(senses))


def check_without_encoder(senses: SenseVectors) -> None:
    """Raise `InputError` if only an encoder can choose among these senses."""
    if is_induced(senses.metadata):
        name = encoding_entry(senses.metadata).get("encoder")
        raise InputError(
            "these senses were induced from contextual vectors: choosing among them needs the "
            f"encoder{f' {name}' if name else ''}: pass it as encoder="
        )


def _priors(senses: SenseVectors) -> NDArray[np.float64] | None:
    """Return the share of each sense, with one more token each; None without counts."""
    if senses.counts is None:
        return None
    counts = senses.counts + 1.0
    totals = np.add.reduceat(counts, senses.offsets[:-1])
    shares: NDArray[np.float64] = counts / np.repeat(totals, senses.n_senses)
    return shares


def how_chosen(senses: SenseVectors) -> str:
    """Return by what the senses of these vectors are chosen, in words.

    Examples
    --------
    >>> how_chosen(SenseVectors(["bank"], [[1, 0], [0, 1]], [2]))
    'sense vectors, compared with the vectors of the context words'
    """
    if senses.centers is not None and senses.globals is not None:
        return "centers, compared with the global vectors of the context words"
    kind = "vectors" if senses.globals is None else "global vectors"
    priors = "" if senses.counts is None else "; counts are priors"
    return f"sense vectors, compared with the {kind} of the context words{priors}"


def sense_cosines(
    senses: SenseVectors,
    tokens: Integers,
    starts: Integers,
    at: Integers,
    settings: ContextSettings,
) -> SenseCosines:
    """Compare the contexts of some tokens with the senses of their words.

    Parameters
    ----------
    senses : SenseVectors
        `ChoiceBasis` says what of it is compared.
    tokens : ndarray of int64
        The position of each token's word in the vocabulary, or `NO_WORD`.
    starts : ndarray of int64
        Where each line begins, followed by the number of tokens. Contexts end with lines.
    at : ndarray of int64
        The places of the tokens whose contexts are compared. Each is a word.
    settings : ContextSettings

    Returns
    -------
    SenseCosines
        A context without a known word has cosine 0 with all senses.

    Examples
    --------
    >>> senses = SenseVectors(
    ...     ["bank", "river"], [[2, 0], [0, 2], [0, 1]], [2, 1],
    ...     centers=[[3, 0], [0, 3], [1, 1]], globals=[[1, 1], [0, 1]],
    ... )
    >>> tokens, starts, at = np.array([1, 0]), np.array([0, 2]), np.array([1])  # river bank
    >>> found = sense_cosines(senses, tokens, starts, at, ContextSettings())
    >>> found.values.round(3), found.best()
    (array([0., 1.]), array([1]))
    """
    basis = ChoiceBasis.of(senses)
    words = tokens[at]
    around = windows(starts, at, settings)
    word_centers = basis.center_offsets[senses.offsets]  # where the centers of each word begin
    first_centers = word_centers[words]
    offsets = offsets_of(np.diff(word_centers)[words])
    values = np.empty(offsets[-1])

    def compare(begin: int) -> None:
        chosen = slice(begin, begin + _CHUNK)
        contexts = context_vectors(basis.word_vectors, tokens, around[chosen])
        chunk_offsets = offsets[begin : begin + _CHUNK + 1]
        _compare(contexts, basis.centers, first_centers[chosen], chunk_offsets, values)

    chunks = range(0, len(at), _CHUNK)
    # not numba's own threads: they must not be started from several threads at once
    with ThreadPoolExecutor(config.NUMBA_NUM_THREADS) as pool:  # type: ignore[attr-defined]
        list(pool.map(compare, chunks))
    np.clip(values, -_HIGHEST_COSINE, _HIGHEST_COSINE, out=values)
    return _nearest_centers(senses, basis, words, values, offsets)


def _nearest_centers(
    senses: SenseVectors,
    basis: ChoiceBasis,
    words: Integers,
    values: NDArray[np.float64],
    offsets: Integers,
) -> SenseCosines:
    """Give each sense the cosine of its nearest center."""
    if len(basis.centers) == len(senses.vectors):
        priors = basis.priors
        own = None if priors is None else priors[rows_of_groups(senses.offsets, words)]
        return SenseCosines(values, offsets, own)
    rows = rows_of_groups(senses.offsets, words)
    first_of_sense = offsets_of(np.diff(basis.center_offsets)[rows])[:-1]
    return SenseCosines(
        np.maximum.reduceat(values, first_of_sense),
        offsets_of(senses.n_senses[words]),
        of_centers=(values, first_of_sense),
    )


def choose_senses(
    senses: SenseVectors, tokens: Integers, starts: Integers, settings: ContextSettings
) -> Integers:
    """Return the most probable sense of every token; `NO_WORD` for tokens that are not words.

    Parameters
    ----------
    senses, tokens, starts, settings
        As for `sense_cosines`.

    Examples
    --------
    >>> senses = SenseVectors(
    ...     ["bank", "river", "money"], np.eye(4), [2, 1, 1],
    ...     centers=[[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]],
    ...     globals=[[1, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]],
    ... )
    >>> tokens, starts = np.array([1, 0, 0, 2]), np.array([0, 2, 4])  # river bank, bank money
    >>> choose_senses(senses, tokens, starts, ContextSettings())
    array([0, 0, 1, 0])
    """
    chosen = np.where(tokens == NO_WORD, NO_WORD, 0)
    several = np.append(senses.n_senses > 1, False)  # the last is that of NO_WORD
    at = np.flatnonzero(several[tokens])
    chosen[at] = sense_cosines(senses, tokens, starts, at, settings).best()
    return chosen


# reassoc and contract let the compiler use vector instructions
@cached_njit(nogil=True, fastmath={"reassoc", "contract"})
def _compare(
    contexts: Floats,
    centers: Floats,
    first_centers: Integers,
    offsets: Integers,
    cosines: NDArray[np.float64],
) -> None:
    """Write the cosines of each context with the centers of its word; 0 where either is 0."""
    for i in range(len(contexts)):
        context = contexts[i]
        length = np.float32(0)
        for j in range(len(context)):
            length += context[j] * context[j]
        for slot in range(offsets[i], offsets[i + 1]):
            center = centers[first_centers[i] + slot - offsets[i]]
            dot, center_length = np.float32(0), np.float32(0)
            for j in range(len(context)):
                dot += context[j] * center[j]
                center_length += center[j] * center[j]
            lengths = np.sqrt(np.float64(length) * np.float64(center_length))
            cosines[slot] = dot / lengths if lengths > 0 else 0.0


@cached_njit()
def _first_highest(values: NDArray[np.float64], offsets: Integers) -> Integers:
    best = np.zeros(len(offsets) - 1, dtype=np.int64)
    for i in range(len(best)):
        for slot in range(offsets[i] + 1, offsets[i + 1]):
            if values[slot] > values[offsets[i] + best[i]]:
                best[i] = slot - offsets[i]
    return best

"""The context of a token: which tokens around it count, and the vector they make."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exrpca.compiling import cached_njit
from exrpca.errors import InputError
from exrpca.senses import SenseVectors
from exrpca.senses.metadata import context_entry
from exrpca.text.lookup import NO_WORD

Integers = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class ContextSettings:
    """What the context of a token is made of.

    Attributes
    ----------
    window : int, default 5
        How many tokens on each side are the context. A token that is not in the vocabulary
        takes a place but adds nothing.

    Examples
    --------
    >>> ContextSettings(window=10)
    ContextSettings(window=10)
    """

    window: int = 5

    def __post_init__(self) -> None:
        if self.window < 1:
            raise InputError(f"window={self.window} must be at least 1")

    @classmethod
    def of(cls, senses: SenseVectors, window: int | None = None) -> ContextSettings:
        """Return the settings that the centers of the vectors were made with.

        Parameters
        ----------
        senses : SenseVectors
        window : int, optional
            A window to use instead.
        """
        return cls(context_entry(senses.metadata)["window"] if window is None else window)


@dataclass(frozen=True)
class Windows:
    """The windows around some tokens of a text.

    Attributes
    ----------
    at : ndarray
        The place of each of these tokens in the text.
    begins, ends : ndarray
        Its context is `begins[i]:ends[i]` without `at[i]`.
    """

    at: Integers
    begins: Integers
    ends: Integers

    def __getitem__(self, chosen: slice) -> Windows:
        return Windows(self.at[chosen], self.begins[chosen], self.ends[chosen])


def windows(starts: Integers, at: Integers, settings: ContextSettings) -> Windows:
    """Return the windows around some tokens; a window ends where its line does.

    Parameters
    ----------
    starts : ndarray of int64
        Where each line begins, followed by the number of tokens.
    at : ndarray of int64
        The places of the tokens.
    settings : ContextSettings

    Examples
    --------
    >>> found = windows(np.array([0, 3, 9]), np.array([1, 5]), ContextSettings(window=2))
    >>> found.begins, found.ends
    (array([0, 3]), array([3, 8]))
    """
    lengths = np.diff(starts)
    line_begins = np.repeat(starts[:-1], lengths)[at]
    line_ends = np.repeat(starts[1:], lengths)[at]
    return Windows(
        at,
        np.maximum(at - settings.window, line_begins),
        np.minimum(at + settings.window + 1, line_ends),
    )


def context_vectors(global_vectors: Floats, tokens: Integers, around: Windows) -> Floats:
    """Return the sum of the global vectors of the words in each window, 0 if there are none.

    Only the direction of a context counts, so the sum serves as the mean.

    Parameters
    ----------
    global_vectors : ndarray of shape (n_words, dim)
    tokens : ndarray of int64
        The position of each token's word in the vocabulary, or `NO_WORD`.
    around : Windows

    Examples
    --------
    >>> tokens = np.array([0, 1, NO_WORD, 1])
    >>> around = windows(np.array([0, 4]), np.array([1]), ContextSettings(window=2))
    >>> context_vectors(np.array([[1, 0], [0, 2]], dtype=np.float32), tokens, around)
    array([[1., 2.]], dtype=float32)
    """
    contexts = np.zeros((len(around.at), global_vectors.shape[1]), dtype=np.float32)
    _sum_windows(global_vectors, tokens, around.at, around.begins, around.ends, contexts)
    return contexts


# nogil: callers run it in threads
@cached_njit(nogil=True)
def _sum_windows(
    global_vectors: Floats,
    tokens: Integers,
    at: Integers,
    begins: Integers,
    ends: Integers,
    contexts: Floats,
) -> None:
    for i in range(len(at)):
        context = contexts[i]
        for place in range(begins[i], ends[i]):
            if place != at[i] and tokens[place] != NO_WORD:
                vector = global_vectors[tokens[place]]
                for j in range(len(context)):
                    context[j] += vector[j]

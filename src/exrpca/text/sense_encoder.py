"""Choosing senses by an encoder, which reads the sentence, instead of by a context window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.senses import Example, SenseVectors
from exrpca.senses.metadata import encoding_entry
from exrpca.text.lookup import NO_WORD
from exrpca.text.tokens import TextTokens

Integers = NDArray[np.int64]

# Sentences that are encoded at a time.
_CHUNK = 1024

# How many tokens can be looked up while an encoder reads one sentence, roughly.
TOKENS_PER_SENTENCE = 1000


class SenseEncoder(Protocol):
    """What chooses senses by reading sentences: `exrpca.contextual.Encoder`."""

    def check_senses(self, senses: SenseVectors) -> None:
        """Raise `InputError` unless the senses were induced from vectors of this encoder."""

    def sense_probabilities(
        self, senses: SenseVectors, words: Integers, sentences: Sequence[Example]
    ) -> NDArray[Any]:
        """Return how probable each sense of the target of each sentence is.

        Parameters
        ----------
        senses : SenseVectors
        words : ndarray of int, shape (n,)
            The position of each target's word in `senses.words`.
        sentences : sequence of Example

        Returns
        -------
        ndarray of shape (n, most senses of a word)
            0 where a word has no such sense.
        """


def check_encoder(encoder: SenseEncoder, senses: SenseVectors) -> None:
    """Raise `InputError` if an encoder cannot choose among some senses."""
    if not hasattr(encoder, "check_senses"):
        raise InputError(f"encoder={encoder!r} must be an exrpca.contextual.Encoder")
    encoder.check_senses(senses)


def encoder_window(senses: SenseVectors, window: int | None) -> int:
    """Return how many tokens on each side the encoder reads: by default, as in `encode`."""
    window = encoding_entry(senses.metadata)["window"] if window is None else window
    if window < 1:
        raise InputError(f"window={window} must be at least 1")
    return window


def best_senses(
    senses: SenseVectors, words: Integers, sentences: Sequence[Example], encoder: SenseEncoder
) -> Integers:
    """Return the most probable sense of the target of each sentence."""
    best = np.zeros(len(words), dtype=np.int64)
    # where there is a choice
    several = np.flatnonzero(senses.n_senses[words] > 1)
    for start in range(0, len(several), _CHUNK):
        chosen = several[start : start + _CHUNK]
        texts = [sentences[place] for place in chosen.tolist()]
        best[chosen] = encoder.sense_probabilities(senses, words[chosen], texts).argmax(axis=1)
    return best


def choice_by_encoder(
    senses: SenseVectors, encoder: SenseEncoder, window: int | None
) -> Callable[[Sequence[Sequence[str]], Integers, Integers], Integers]:
    """Return what chooses the sense of every token of some lines, as `choose_senses` does."""
    check_encoder(encoder, senses)
    reach = encoder_window(senses, window)

    def choose(lines: Sequence[Sequence[str]], tokens: Integers, starts: Integers) -> Integers:
        chosen = np.where(tokens == NO_WORD, NO_WORD, 0)
        several = np.append(senses.n_senses > 1, False)  # the last is that of NO_WORD
        at = np.flatnonzero(several[tokens])
        of_line = np.searchsorted(starts, at, side="right") - 1
        sentences = [
            sentence_around(lines[line], place, reach)
            for line, place in zip(of_line.tolist(), (at - starts[of_line]).tolist(), strict=True)
        ]
        chosen[at] = best_senses(senses, tokens[at], sentences, encoder)
        return chosen

    return choose


def sentence_around(line: Sequence[str], place: int, window: int) -> Example:
    """Return the text around a token of a line.

    Examples
    --------
    >>> sentence_around(["a", "wide", "river", "bank", "!"], 2, 1)
    Example(left='wide ', target='river', right=' bank')
    """
    tokens = line if isinstance(line, TextTokens) else TextTokens(line)
    return Example(*tokens.around(place, window))

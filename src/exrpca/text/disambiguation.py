"""Which sense of one word a text calls for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.senses import Example, SenseVectors
from exrpca.senses.cosine import unit_vectors
from exrpca.text.choice import ChoiceBasis, Rule, SenseCosines, sense_cosines
from exrpca.text.context import ContextSettings, windows
from exrpca.text.lookup import NO_WORD, lookup_in
from exrpca.text.sense_encoder import (
    SenseEncoder,
    check_encoder,
    encoder_window,
    sentence_around,
)
from exrpca.text.tokens import DEFAULT_TOKENIZER, Tokenizer, TokenizerName

Text = str | Sequence[str]


def disambiguate(
    senses: SenseVectors,
    word: str,
    text: Text,
    *,
    rule: Rule = "inverse",
    window: int | None = None,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    encoder: SenseEncoder | None = None,
) -> pd.DataFrame:
    """Return how probable each sense of a word is in a text.

    The mean of the global vectors of the words around it is compared with the center of each
    sense by cosine. Without centers, the vectors of these words are compared with the sense
    vectors, and counts are priors. With an encoder, its vector of the word in the text is
    compared instead.

    Parameters
    ----------
    senses : SenseVectors
    word : str
        Looked up like the words of the text; see `Lookup`.
    text : str or sequence of str
        A text, or its tokens. The `window` tokens on each side of the first place of `word`
        are the context. If the word is not in the text, the whole text is the context; an
        encoder needs the word.
    rule : {"inverse", "shifted"}, default "inverse"
        "inverse": 1 / (1 − cos), normalized (Neelakantan et al. 2014);
        "shifted": 1 + cos, normalized. An encoder has probabilities of its own.
    window : int, optional
        How many tokens on each side are the context. Tokens that are not in the vocabulary
        take a place but add nothing. By default, as many as the centers were made with.
    tokenizer : {"words", "whitespace"}, default "words"
        How a str becomes tokens; see `Tokenizer`.
    encoder : exrpca.contextual.Encoder, optional
        Chooses among senses from `induce`, which need the encoder that they were made with.

    Returns
    -------
    DataFrame
        Columns `sense`, `probability` and, without an encoder, `cosine`, one row per sense.
        Without a known word in the context all senses are equally probable, or as their counts
        say.

    Examples
    --------
    >>> import exrpca
    >>> senses = exrpca.bundled()
    >>> text = "The Plant, a Factory near Detroit, makes Engines."
    >>> exrpca.disambiguate(senses, "plant", text).round(2)
       sense  probability  cosine
    0      0         0.17    0.03
    1      1         0.53    0.68
    2      2         0.30    0.43
    """
    if encoder is not None:
        return _by_encoder(senses, word, text, encoder, window, tokenizer)
    place = _place(senses, word, text, window, tokenizer)
    found = sense_cosines(senses, place.tokens, place.starts, place.at, place.settings)
    return pd.DataFrame(
        {
            "sense": np.arange(len(found.values)),
            "probability": found.probabilities(rule),
            "cosine": found.values,
        }
    )


def _by_encoder(
    senses: SenseVectors,
    word: str,
    text: Text,
    encoder: SenseEncoder,
    window: int | None,
    tokenizer: TokenizerName,
) -> pd.DataFrame:
    check_encoder(encoder, senses)
    target = _target(senses, word)
    sentence = encoded_sentence(senses, word, text, window=window, tokenizer=tokenizer)
    found = encoder.sense_probabilities(senses, np.array([target]), [sentence])[0]
    n_senses = int(senses.n_senses[target])
    return pd.DataFrame({"sense": np.arange(n_senses), "probability": found[:n_senses]})


def encoded_sentence(
    senses: SenseVectors,
    word: str,
    text: Text,
    *,
    window: int | None = None,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
) -> Example:
    """Return what an encoder reads of a text: the first place of the word, and what is near it.

    Parameters
    ----------
    senses, word, text, window, tokenizer
        As for `disambiguate`.
    """
    target, line = _target(senses, word), _tokens(senses, text, tokenizer)
    lookup = lookup_in(senses)
    place = next((i for i, token in enumerate(line) if lookup[token] == target), None)
    if place is None:
        raise InputError(
            f"the word {word!r} is not in the text, where an encoder must be able to read it"
        )
    return sentence_around(line, place, encoder_window(senses, window))


def context_words(
    senses: SenseVectors,
    word: str,
    text: Text,
    *,
    window: int | None = None,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
) -> list[str]:
    """Return the words of the vocabulary by which `disambiguate` judges.

    Parameters
    ----------
    senses, word, text, window, tokenizer
        As for `disambiguate`.

    Examples
    --------
    >>> senses = SenseVectors(["bank", "river", "the"], [[1], [2], [3]], [1, 1, 1])
    >>> context_words(senses, "bank", "The Bank of a (wide) River.")
    ['the', 'river']
    """
    place = _place(senses, word, text, window, tokenizer)
    around = windows(place.starts, place.at, place.settings)
    near = range(int(around.begins[0]), int(around.ends[0]))
    numbers = [int(place.tokens[i]) for i in near if i != place.at[0]]
    return [senses.words[number] for number in numbers if number != NO_WORD]


class ReadToken(NamedTuple):
    """A token of a text, as `disambiguate` reads it.

    Attributes
    ----------
    before : str
        The text between the last token and this one.
    text : str
    part : {"word", "context", "unknown", "outside"}
        The word in question; a word in its context; a token in its context that is not in the
        vocabulary, so that it adds nothing; a token outside of the context.
    weight : float
        How much nearer the word is to the chosen sense than to the others: the difference of
        its cosines with their centers. 0 unless it is in the context.

    Examples
    --------
    >>> ReadToken(", ", "factory", "context", 0.2).part
    'context'
    """

    before: str
    text: str
    part: Literal["word", "context", "unknown", "outside"]
    weight: float


def read_context(
    senses: SenseVectors,
    word: str,
    text: str,
    *,
    window: int | None = None,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
) -> list[ReadToken]:
    """Return how `disambiguate` reads a text: which tokens count, and what they speak for.

    Parameters
    ----------
    senses, word, text, window, tokenizer
        As for `disambiguate`.

    Returns
    -------
    list of ReadToken
        All tokens of the text. The last one has no text if there is text after the last token.

    Examples
    --------
    >>> import exrpca
    >>> senses = exrpca.bundled()
    >>> for token in read_context(senses, "plant", "The plant, a Krzyz factory"):
    ...     print(token.text, token.part)
    The context
    plant word
    a context
    Krzyz unknown
    factory context
    """
    place = _place(senses, word, text, window, tokenizer)
    found = sense_cosines(senses, place.tokens, place.starts, place.at, place.settings)
    weights = _weights(senses, senses.rows(senses.words[place.tokens[place.at[0]]]), found)
    around = windows(place.starts, place.at, place.settings)
    near = range(int(around.begins[0]), int(around.ends[0]))
    parts = Tokenizer(tokenizer).tokens(text, lookup_in(senses).knows)
    gaps = parts.gaps()
    first = len(place.tokens) - len(parts)  # 1 if the word was not in the text
    read = []
    for i, (token, number) in enumerate(zip(parts, place.tokens[first:], strict=True), first):
        if i == place.at[0]:
            read.append(ReadToken(gaps[i - first], token, "word", 0.0))
        elif i not in near:
            read.append(ReadToken(gaps[i - first], token, "outside", 0.0))
        elif number == NO_WORD:
            read.append(ReadToken(gaps[i - first], token, "unknown", 0.0))
        else:
            read.append(ReadToken(gaps[i - first], token, "context", weights(int(number))))
    return [*read, ReadToken(gaps[-1], "", "outside", 0.0)] if gaps[-1] else read


def _weights(senses: SenseVectors, rows: slice, found: SenseCosines) -> Callable[[int], float]:
    """Return how to tell by how much a word is nearer to the best sense than to the others."""
    basis = ChoiceBasis.of(senses)
    begins = basis.center_offsets[rows.start : rows.stop + 1]
    centers = unit_vectors(basis.centers[begins[0] : begins[-1]])
    means = np.add.reduceat(centers, begins[:-1] - begins[0]) / np.diff(begins)[:, None]
    best = int(found.best()[0])
    others = np.delete(means, best, axis=0)
    direction = means[best] - (others.mean(axis=0) if len(others) else 0)
    return lambda number: float(unit_vectors(basis.word_vectors[number]) @ direction)


class _Place(NamedTuple):
    """A text of one line, and the place of the word in question."""

    tokens: NDArray[np.int64]
    starts: NDArray[np.int64]
    at: NDArray[np.int64]
    settings: ContextSettings


def _place(
    senses: SenseVectors, word: str, text: Text, window: int | None, tokenizer: TokenizerName
) -> _Place:
    settings = ContextSettings.of(senses, window)
    target, line = _target(senses, word), _tokens(senses, text, tokenizer)
    lookup = lookup_in(senses)
    tokens = [lookup[token] for token in line]
    if target in tokens:
        at = tokens.index(target)
    else:
        at, tokens, settings = 0, [target, *tokens], ContextSettings(window=len(tokens) + 1)
    return _Place(np.array(tokens), np.array([0, len(tokens)]), np.array([at]), settings)


def _target(senses: SenseVectors, word: str) -> int:
    """Return the position of the word in the vocabulary."""
    lookup = lookup_in(senses)
    # the error for an unknown word names close matches
    return lookup[word] if lookup.knows(word) else senses.index(word)


def _tokens(senses: SenseVectors, text: Text, tokenizer: TokenizerName) -> Sequence[str]:
    if isinstance(text, str):
        return Tokenizer(tokenizer).tokens(text, lookup_in(senses).knows)
    return text

"""Which sense of one word a text calls for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.senses import SenseVectors
from exrpca.text.choice import Rule, how_chosen, sense_cosines
from exrpca.text.context import ContextSettings, windows
from exrpca.text.lookup import NO_WORD, Lookup
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
        say. `attrs` has `chosen_by`, what decided, in words.

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
    table = pd.DataFrame(
        {
            "sense": np.arange(len(found.values)),
            "probability": found.probabilities(rule),
            "cosine": found.values,
        }
    )
    table.attrs["chosen_by"] = how_chosen(senses)
    return table


def _by_encoder(
    senses: SenseVectors,
    word: str,
    text: Text,
    encoder: SenseEncoder,
    window: int | None,
    tokenizer: TokenizerName,
) -> pd.DataFrame:
    check_encoder(encoder, senses)
    target, line = _target_and_tokens(senses, word, text, tokenizer)
    lookup = Lookup(senses)
    place = next((i for i, token in enumerate(line) if lookup[token] == target), None)
    if place is None:
        raise InputError(f"the word {word!r} is not in the text, where an encoder has to read it")
    sentence = sentence_around(line, place, encoder_window(senses, window))
    found = encoder.sense_probabilities(senses, np.array([target]), [sentence])[0]
    n_senses = int(senses.n_senses[target])
    return pd.DataFrame({"sense": np.arange(n_senses), "probability": found[:n_senses]})


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
    target, line = _target_and_tokens(senses, word, text, tokenizer)
    lookup = Lookup(senses)
    tokens = [lookup[token] for token in line]
    if target in tokens:
        at = tokens.index(target)
    else:
        at, tokens, settings = 0, [target, *tokens], ContextSettings(window=len(tokens) + 1)
    return _Place(np.array(tokens), np.array([0, len(tokens)]), np.array([at]), settings)


def _target_and_tokens(
    senses: SenseVectors, word: str, text: Text, tokenizer: TokenizerName
) -> tuple[int, Sequence[str]]:
    """Return the position of the word in the vocabulary, and the tokens of the text."""
    lookup = Lookup(senses)
    # the error for an unknown word names close matches
    target = lookup[word] if lookup.knows(word) else senses.index(word)
    return target, Tokenizer(tokenizer).tokens(text, lookup.knows) if isinstance(
        text, str
    ) else text

"""Pseudowords: joined words, whose senses are known to be really different or not.

Two unrelated words become one token, as in `banana+door`. A model trained on such text gives
that token several senses; which original a sense's tokens came from says what it means. Two
senses of different originals are really different, two senses of one original are pseudo.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.senses import DifferenceMatrix, SenseVectors
from exrpca.text.choice import choose_senses
from exrpca.text.context import ContextSettings
from exrpca.text.lookup import NO_WORD
from exrpca.text.tagging import numbered_blocks

Lines = Iterable[Sequence[str]]

# Words drawn beyond those needed: some may be related to all that are left.
_SPARE = 20


@dataclass(frozen=True)
class Pseudowords:
    """Pairs of words that are joined into one token each.

    Attributes
    ----------
    originals : tuple of (str, str)

    Examples
    --------
    >>> pseudowords = Pseudowords((("banana", "door"),))
    >>> list(pseudowords.join([["a", "banana"], ["the", "door"]]))
    [['a', 'banana+door'], ['the', 'banana+door']]
    """

    originals: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        words = [word for pair in self.originals for word in pair]
        if len(set(words)) != len(words):
            raise InputError("a word is in two pseudowords")

    @property
    def names(self) -> list[str]:
        """The joined tokens."""
        return [f"{a}+{b}" for a, b in self.originals]

    def join(self, lines: Lines) -> Iterator[list[str]]:
        """Yield the lines with each original replaced by its pseudoword."""
        joined = {
            word: name
            for name, pair in zip(self.names, self.originals, strict=True)
            for word in pair
        }
        for tokens in lines:
            yield [joined.get(token, token) for token in tokens]


def make_pseudowords(
    counts: Mapping[str, int],
    n: int,
    *,
    lowest: int,
    highest: int,
    candidates: Collection[str] | None = None,
    related: Callable[[str, str], bool] = lambda a, b: False,
    seed: int = 0,
) -> Pseudowords:
    """Join words of similar frequency in pairs.

    Words are drawn at random, put in the order of their counts, and each is joined with the
    next one that it is not related to.

    Parameters
    ----------
    counts : mapping of str to int
        How often each word occurs in the text.
    n : int
        How many pseudowords to make.
    lowest, highest : int
        Only words that occur at least `lowest` and at most `highest` times are joined.
    candidates : collection of str, optional
        Only these words are joined; by default all.
    related : callable, optional
        Says whether two words are too close in meaning to be joined; by default none are.
    seed : int, default 0

    Returns
    -------
    Pseudowords

    Examples
    --------
    >>> counts = {"banana": 50, "door": 60, "piano": 500, "iron": 510, "the": 9000}
    >>> make_pseudowords(counts, 2, lowest=10, highest=1000).names
    ['iron+piano', 'door+banana']
    """
    allowed = counts.keys() if candidates is None else set(candidates) & counts.keys()
    band = sorted(word for word in allowed if lowest <= counts[word] <= highest)
    if len(band) < 2 * n:
        raise InputError(
            f"{len(band)} words occur {lowest} to {highest} times in the text; "
            f"{n} pseudowords need {2 * n}"
        )
    n_drawn = min(len(band), 2 * n + _SPARE)
    drawn = np.random.default_rng(seed).choice(len(band), n_drawn, replace=False)
    # the commonest first: the last to be joined are those with most words of like frequency
    waiting = sorted((band[i] for i in drawn), key=lambda word: (-counts[word], word))
    originals: list[tuple[str, str]] = []
    while waiting and len(originals) < n:
        word = waiting.pop(0)
        at = next((i for i, other in enumerate(waiting) if not related(word, other)), None)
        if at is not None:
            originals.append((word, waiting.pop(at)))
    if len(originals) < n:
        raise InputError(f"{len(originals)} unrelated pairs of words found, expected {n}")
    return Pseudowords(tuple(originals))


def label_senses(
    senses: SenseVectors, lines: Lines, pseudowords: Pseudowords, *, window: int | None = None
) -> pd.DataFrame:
    """Find the original that the tokens of each sense come from, by choosing a sense per token.

    Parameters
    ----------
    senses : SenseVectors
        Trained on `pseudowords.join(lines)`, with centers and global vectors.
    lines : iterable of token sequences
        The text before words were joined.
    pseudowords : Pseudowords
    window : int, optional
        How many tokens on each side are the context.
        By default, as many as the centers were made with.

    Returns
    -------
    DataFrame
        One row for each row of `senses.vectors`: `word`, `sense`, `original` (that of most
        of its tokens), `tokens` (how many it was chosen for) and `purity` (the share of them
        that come from `original`). A word that is not a pseudoword is its own original.
    """
    settings = ContextSettings.of(senses, window)
    codes = _codes(senses, pseudowords)
    tokens_of = np.zeros((len(senses.vectors), 2), dtype=np.int64)
    for _, coded, starts in numbered_blocks(lines, lambda token: codes.get(token, 2 * NO_WORD)):
        word, original = coded >> 1, coded & 1
        sense = choose_senses(senses, word, starts, settings)
        known = word >= 0
        row = senses.offsets[word[known]] + sense[known]
        tokens_of += np.bincount(2 * row + original[known], minlength=tokens_of.size).reshape(-1, 2)
    return _labels(senses, pseudowords, tokens_of)


def labeled_pairs(
    senses: SenseVectors, labels: pd.DataFrame, *, min_tokens: int, min_purity: float
) -> pd.DataFrame:
    """Return the sense pairs whose senses have enough tokens of enough purity.

    Parameters
    ----------
    senses : SenseVectors
    labels : DataFrame
        What `label_senses` says; of natural words, only those known to have one meaning
        should be among the words looked at.
    min_tokens : int
    min_purity : float

    Returns
    -------
    DataFrame
        Columns `word`, `sense_a`, `sense_b`, `real`, and `rarer` and `commoner`, the tokens
        of the two senses. Its index is the row in `DifferenceMatrix(senses)`.
    """
    differences = DifferenceMatrix(senses)
    good = ((labels["tokens"] >= min_tokens) & (labels["purity"] >= min_purity)).to_numpy()
    original = labels["original"].to_numpy()
    tokens = labels["tokens"].to_numpy()
    a, b = differences.rows_a, differences.rows_b
    pairs = differences.pairs.assign(
        real=original[a] != original[b],
        rarer=np.minimum(tokens[a], tokens[b]),
        commoner=np.maximum(tokens[a], tokens[b]),
    )
    return pairs[good[a] & good[b]]


def balanced_weights(pairs: pd.DataFrame) -> NDArray[np.float64]:
    """Return a weight for each pair, by which real and pseudo pairs are as many at each frequency.

    Pairs are binned by the tokens of both senses, in powers of two. In each bin the commoner kind
    weighs as much as the rarer one, whose pairs weigh 1; where one kind is missing all weigh 0.

    Examples
    --------
    >>> pairs = pd.DataFrame({"rarer": 60, "commoner": 100, "real": [True, False, False, False]})
    >>> balanced_weights(pairs).round(2)
    array([1.  , 0.33, 0.33, 0.33])
    """
    rarer, commoner = (np.log2(pairs[name]).astype(int) for name in ("rarer", "commoner"))
    bins = (64 * rarer + commoner).to_numpy()
    real = pairs["real"].to_numpy(dtype=np.int64)
    n_kind = np.bincount(2 * bins + real, minlength=2 * (bins.max() + 1)).reshape(-1, 2)
    weights: NDArray[np.float64] = n_kind.min(axis=1)[bins] / n_kind[bins, real]
    return weights


def _codes(senses: SenseVectors, pseudowords: Pseudowords) -> dict[str, int]:
    """Give each token twice the position of its word, plus 1 for the second original."""
    codes = {word: 2 * at for at, word in enumerate(senses.words)}
    for name, originals in zip(pseudowords.names, pseudowords.originals, strict=True):
        if name in senses:
            for which, word in enumerate(originals):
                codes[word] = 2 * senses.index(name) + which
    return codes


def _labels(
    senses: SenseVectors, pseudowords: Pseudowords, tokens_of: NDArray[np.int64]
) -> pd.DataFrame:
    words = senses.word_of_row
    original = np.array(senses.words, dtype=object)[words]
    name_of = dict(zip(pseudowords.names, pseudowords.originals, strict=True))
    majority = tokens_of.argmax(axis=1)
    for row in np.flatnonzero([word in name_of for word in original]):
        original[row] = name_of[original[row]][majority[row]]
    total = tokens_of.sum(axis=1)
    return pd.DataFrame(
        {
            "word": np.array(senses.words, dtype=object)[words],
            "sense": np.arange(len(words)) - senses.offsets[words],
            "original": original,
            "tokens": total,
            "purity": tokens_of.max(axis=1) / np.maximum(total, 1),
        }
    )

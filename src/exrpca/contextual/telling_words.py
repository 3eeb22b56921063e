"""The words of a sense's contexts that tell it from other senses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from exrpca.text import Tokenizer

# 1.96 is the 95% limit of a normal: a lower score is a difference that chance makes.
_CLEAR = 1.96


def telling_words(
    own: Mapping[str, int], others: Mapping[str, int], n: int, leave_out: Iterable[str] = ()
) -> list[str]:
    """Return the words most typical of some contexts, compared with other contexts.

    The score is the log odds ratio with a Dirichlet prior, in standard deviations (Monroe, Colaresi
    and Quinn 2008, "Fightin' Words"). The prior is the common rate of each word, with the weight of
    the smaller side: a word that occurs once in a small sense is then no evidence.

    Parameters
    ----------
    own, others : mapping from word to count
    n : int
        The largest number of words to return; words whose difference may be chance are left out.
        Without other contexts, the most frequent words.
    leave_out : iterable of str

    Examples
    --------
    >>> own = Counter("near river near water near fish river water".split() * 5)
    >>> others = Counter("near money near loan near river".split() * 20)
    >>> telling_words(own, others, 3)
    ['water', 'fish']
    """
    out = set(leave_out)
    words = [word for word in own if word not in out]
    if not words:
        return []
    if not others:
        return [word for word, _ in Counter({word: own[word] for word in words}).most_common(n)]
    here = np.array([own[word] for word in words], dtype=float)
    there = np.array([others.get(word, 0) for word in words], dtype=float)
    n_here, n_there = float(sum(own.values())), float(sum(others.values()))
    weight = min(n_here, n_there)
    prior = weight * (here + there) / max(n_here + n_there, 1.0)
    log_odds = np.log((here + prior) / np.maximum(n_here + weight - here - prior, 1e-9))
    log_odds -= np.log((there + prior) / np.maximum(n_there + weight - there - prior, 1e-9))
    score = log_odds / np.sqrt(1 / (here + prior) + 1 / (there + prior))
    order = np.lexsort((words, -score))
    return [words[i] for i in order[:n] if score[i] > _CLEAR]


def word_counts(texts: Iterable[str]) -> Counter[str]:
    """Return how many of the texts each word occurs in, lower case, without function words.

    Examples
    --------
    >>> word_counts(["The bank of the river", "a bank"])["bank"]
    2
    """
    tokenizer = Tokenizer("words")
    counts: Counter[str] = Counter()
    for text in texts:
        words = {token.lower() for token in tokenizer.tokens(text)}
        counts.update(w for w in words - ENGLISH_STOP_WORDS if len(w) > 1 and w.isalpha())
    return counts

"""What the components are: the pairs they explain best (the paper's Tables 1 and 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.cleaning import SenseDecomposition
from exrpca.errors import InputError
from exrpca.evaluation.wordnet import load_wordnet
from exrpca.senses import SenseVectors

Floats = NDArray[Any]

# How many of the best explained pairs tell what a component captures.
_N_TYPICAL = 300
_N_POLE_WORDS = 8
# How many topics of a component are named, and the share of its words that each must have.
_N_TOPICS = 3
_MIN_SHARE = 0.05


def pair_cosines(decomposition: SenseDecomposition) -> tuple[Floats, Floats]:
    """Return the cosines of each pair's difference with each component, two ways.

    First with the difference as it is (X), then with the difference without outliers (X − S).
    """
    cosines: tuple[list[Floats], list[Floats]] = ([], [])
    for block in decomposition.blocks():
        for found, rows in zip(cosines, block, strict=True):
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
            found.append(rows @ decomposition.components.T / np.where(lengths > 0, lengths, 1))
    return np.concatenate(cosines[0]), np.concatenate(cosines[1])


def component_pairs(decomposition: SenseDecomposition, *, n: int = 5) -> pd.DataFrame:
    """Return the sense pairs that each component explains best (the paper's Table 1).

    Parameters
    ----------
    decomposition : SenseDecomposition
    n : int, default 5
        How many pairs per component; one pair per word.

    Returns
    -------
    DataFrame
        `component` from 1, `word`, `sense_a`, `sense_b`, and the cosine of the component with
        the difference as it is (`cosine`) and without outliers (`cosine_without_outliers`, which
        the rows are sorted by). The senses are in the order that makes it positive.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> from exrpca.cleaning import SenseDecomposition
    >>> senses = make_senses(n_words=300, n_components=2).senses
    >>> decomposition = SenseDecomposition.fit(senses, rank=2)
    >>> component_pairs(decomposition, n=1)[["component", "word", "sense_a", "sense_b"]]
       component          word  sense_a  sense_b
    0          1  computer_077        0        2
    1          2      ship_265        0        1
    """
    raw, kept = pair_cosines(decomposition)
    pairs = decomposition.differences.pairs
    tables = []
    for c in range(decomposition.rank):
        order = np.argsort(-abs(kept[:, c]), kind="stable")
        best = order[~pairs["word"].iloc[order].duplicated()][:n]
        turned = kept[best, c] < 0
        a, b = (pairs[side].to_numpy()[best] for side in ("sense_a", "sense_b"))
        table = pd.DataFrame(
            {
                "component": c + 1,
                "word": pairs["word"].to_numpy()[best],
                "sense_a": np.where(turned, b, a),
                "sense_b": np.where(turned, a, b),
                "cosine": raw[best, c] * np.where(turned, -1, 1),
                "cosine_without_outliers": abs(kept[best, c]),
            }
        )
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def describe_components(decomposition: SenseDecomposition) -> pd.DataFrame:
    """Return what each component explains and seems to capture (the paper's Table 2).

    Parameters
    ----------
    decomposition : SenseDecomposition

    Returns
    -------
    DataFrame
        `component` from 1; `explained_variance_ratio`; the mean over all pairs of the
        absolute cosine with the difference as it is (`mean_cosine`) and without outliers
        (`mean_cosine_without_outliers`); the words whose senses are farthest out in either
        direction (`positive_pole`, `negative_pole`); and, for the words of the 300 pairs it
        explains best, the share of `function_words` and, if NLTK has WordNet, the share of
        `proper_nouns` and the `topics` (WordNet's lexicographer files) that are most
        overrepresented among them.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> from exrpca.cleaning import SenseDecomposition
    >>> senses = make_senses(n_words=300, n_components=2).senses
    >>> decomposition = SenseDecomposition.fit(senses, rank=2)
    >>> describe_components(decomposition)[["component", "explained_variance_ratio"]].round(2)
       component  explained_variance_ratio
    0          1                      0.71
    1          2                      0.21
    """
    raw, kept = pair_cosines(decomposition)
    words = decomposition.differences.pairs["word"].to_numpy()
    kinds = WordKinds(words)
    rows = []
    for c in range(decomposition.rank):
        positive, negative = poles(decomposition.senses, decomposition.components[c])
        typical = words[np.argsort(-abs(kept[:, c]), kind="stable")[:_N_TYPICAL]]
        rows.append(
            {
                "component": c + 1,
                "explained_variance_ratio": decomposition.estimator.explained_variance_ratio_[c],
                "mean_cosine": abs(raw[:, c]).mean(),
                "mean_cosine_without_outliers": abs(kept[:, c]).mean(),
                "positive_pole": " ".join(positive),
                "negative_pole": " ".join(negative),
                **kinds.describe(typical),
            }
        )
    return pd.DataFrame(rows)


def poles(senses: SenseVectors, component: Floats) -> tuple[list[str], list[str]]:
    """Return the multi-sense words whose senses have the highest and lowest cosine with it."""
    several = np.repeat(senses.n_senses > 1, senses.n_senses)
    cosine = np.where(several, senses.cosines(component), 0)
    words = senses.word_of_row
    ends = []
    for order in (np.argsort(-cosine), np.argsort(cosine)):
        names = (senses.words[words[row]] for row in order[: 10 * _N_POLE_WORDS])
        ends.append(list(dict.fromkeys(names))[:_N_POLE_WORDS])
    return ends[0], ends[1]


class WordKinds:
    """Describes lists of words against the words they were taken from.

    Without WordNet's data only function words are known; the language is English.

    Parameters
    ----------
    words : iterable of str
        The usual words, which a topic must stand out from.

    Examples
    --------
    >>> kinds = WordKinds(["the", "of", "and", "cat", "dog"])
    >>> kinds.describe(["the", "of", "cat", "dog"])["function_words"]
    0.5
    """

    def __init__(self, words: Iterable[str]) -> None:
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        self._function_words = ENGLISH_STOP_WORDS
        self._topics_of: dict[str, tuple[str, bool]] = {}
        try:
            self._wordnet: Any = load_wordnet()
        except InputError:
            self._wordnet = None
        self._usual = self._topic_shares(list(words)) if self._wordnet else {}

    def describe(self, words: Iterable[str]) -> dict[str, Any]:
        """Return `function_words` and, with WordNet, `proper_nouns` (shares) and `topics`."""
        words = list(words)
        result: dict[str, Any] = {
            "function_words": sum(word in self._function_words for word in words) / len(words)
        }
        if self._wordnet:
            proper = sum(self._look_up(word)[1] for word in words)
            result |= {"proper_nouns": proper / len(words), "topics": self._topics(words)}
        return result

    def _topics(self, words: list[str]) -> str:
        """Return the topics that stand out most, with how many times their usual share."""
        times = {
            topic: share / self._usual.get(topic, share)
            for topic, share in self._topic_shares(words).items()
            if share >= _MIN_SHARE
        }
        best = sorted(times, key=lambda topic: -times[topic])[:_N_TOPICS]
        return ", ".join(f"{topic} ×{times[topic]:.1f}" for topic in best if times[topic] > 1)

    def _topic_shares(self, words: list[str]) -> dict[str, float]:
        counts = Counter(self._look_up(word)[0] for word in words)
        counts.pop("", None)
        return {topic: n / len(words) for topic, n in counts.items()}

    def _look_up(self, word: str) -> tuple[str, bool]:
        """Return the lexicographer file of a word's first synset, and if it is only ever a name."""
        if word not in self._topics_of:
            synsets = self._wordnet.synsets(word)
            spellings = [
                name
                for synset in synsets
                for name in synset.lemma_names()
                if name.lower() == word.lower()
            ]
            only_a_name = bool(spellings) and all(name[0].isupper() for name in spellings)
            self._topics_of[word] = (synsets[0].lexname() if synsets else "", only_a_name)
        return self._topics_of[word]

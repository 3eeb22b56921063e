"""What kinds of words stand out in a list: function words, proper nouns, topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from exrpca.errors import InputError
from exrpca.evaluation.wordnet import load_wordnet

_N_TOPICS = 3
# A topic must hold this share of the words before it is worth a name.
_MIN_SHARE = 0.05


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

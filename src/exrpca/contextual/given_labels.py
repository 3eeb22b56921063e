"""Clusters that the user made: how probably two of them are different senses, and their merging."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from exrpca.contextual.centering import CenteredVectors, Integers
from exrpca.contextual.decision import SAMPLE, Decision
from exrpca.contextual.draw import drawn_rows
from exrpca.contextual.occurrences import NO_LABEL, Occurrences
from exrpca.contextual.strength import share_weaker
from exrpca.errors import InputError
from exrpca.progress import progress_bar

_COLUMNS = ("word", "label_a", "label_b", "n_a", "n_b", "strength", "probability")


def judge_labels(
    occurrences: Occurrences, *, seed: int = 0, progress: bool = False
) -> pd.DataFrame:
    """Judge of every two labels of a word how probably they are different senses.

    Parameters
    ----------
    occurrences : Occurrences
        With labels. An occurrence labeled −1 counts for none.
    seed : int, default 0
        Seed for drawing the occurrences that decide. Order of rows and words has no influence.
    progress : bool, default False
        Show a progress bar on standard error.

    Returns
    -------
    DataFrame
        One row per pair of labels of a word, `label_a` < `label_b`, in the order of the words:
        `n_a` and `n_b` are how many occurrences have the labels, `strength` is how strong the
        cut between them is, and `probability` how probably they are different senses.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> vectors = rng.normal(size=(120, 30))
    >>> vectors[:40] += 3
    >>> labels = np.repeat([0, 1, 2], 40)  # 1 and 2 are of one kind
    >>> occurrences = Occurrences.from_arrays(["bank"] * 120, vectors, labels=labels)
    >>> judge_labels(occurrences)[["label_a", "label_b", "probability"]].round(1)
       label_a  label_b  probability
    0        0        1          1.0
    1        0        2          1.0
    2        1        2          0.1
    """
    if occurrences.labels is None:
        raise InputError("the occurrences have no labels to judge")
    words = drawn_rows(occurrences, seed)
    centered = CenteredVectors.around_mean(occurrences.vectors, words.values())
    decision = Decision.learn(centered, words, seed=seed)
    table, done = [], 0
    with progress_bar("Judging labels", len(occurrences), show=progress) as report:
        for word in filter(words.__contains__, occurrences.words):
            rows = words[word]
            labels = occurrences.labels[rows]
            for a, b in _pairs(labels):
                strength = _strength(word, rows, labels, (a, b), centered, decision)
                table.append(
                    {
                        "word": word,
                        "label_a": a,
                        "label_b": b,
                        "n_a": int((labels == a).sum()),
                        "n_b": int((labels == b).sum()),
                        "strength": strength,
                        "probability": share_weaker(strength),
                    }
                )
            done += len(rows)
            report(done, word)
    return pd.DataFrame(table, columns=list(_COLUMNS))


def merge_labels(
    word: str,
    rows: Integers,
    labels: Integers,
    centered: CenteredVectors,
    decision: Decision,
    n_senses: int | None = None,
) -> Integers:
    """Merge the two least different clusters of a word until every two are different enough.

    Parameters
    ----------
    word : str
    rows, labels : ndarray of int
        Its occurrences, drawn, and the cluster of each; −1 means none and stays −1.
    centered : CenteredVectors
    decision : Decision
    n_senses : int, optional
        Merge until there are at most that many, whatever their differences.

    Returns
    -------
    ndarray of int
        A merged cluster has the smallest label of its parts.
    """
    labels = labels.copy()
    known: dict[tuple[int, int], float] = {}
    while pairs := _pairs(labels):
        for pair in pairs:
            if pair not in known:
                known[pair] = _strength(word, rows, labels, pair, centered, decision)
        a, b = min(pairs, key=known.__getitem__)
        if n_senses is None:
            is_done = decision.is_enough(known[a, b], whole=len(pairs) == 1)
        else:
            is_done = len({label for pair in pairs for label in pair}) <= n_senses
        if is_done:
            break
        labels[labels == b] = a
        known = {pair: found for pair, found in known.items() if not {a, b} & set(pair)}
    return labels


def _pairs(labels: Integers) -> list[tuple[int, int]]:
    return list(itertools.combinations(np.unique(labels[labels != NO_LABEL]).tolist(), 2))


def _strength(
    word: str,
    rows: Integers,
    labels: Integers,
    pair: tuple[int, int],
    centered: CenteredVectors,
    decision: Decision,
) -> float:
    """Return how strong the cut between two clusters is; a small one stays whole."""
    first, second = (np.flatnonzero(labels == label) for label in pair)
    half = SAMPLE // 2
    n_first, n_second = max(half, SAMPLE - len(second)), max(half, SAMPLE - len(first))
    drawn = np.concatenate([first[:n_first], second[:n_second]])
    side = labels[drawn] == pair[1]
    return decision.given_strength(word, centered.of(rows[drawn]), side)

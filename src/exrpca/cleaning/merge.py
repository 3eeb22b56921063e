"""Merging: the pseudo senses of a word become one."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage

from exrpca.cleaning.joining import joined
from exrpca.errors import InputError
from exrpca.senses import SenseVectors

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

# Pseudo pairs have distances between 0 and 1, by their order. All others are farther apart.
_APART = 2.0


def merge(senses: SenseVectors, pairs: pd.DataFrame) -> tuple[SenseVectors, pd.DataFrame]:
    """Join the senses of each word that are pseudo senses of each other.

    Two groups of senses are joined only if every pair between them is pseudo, the most alike
    first (complete linkage). Real and undecided pairs keep senses apart. A merged vector is the
    mean of its senses, weighted by their counts if there are any. A merged sense keeps the
    centers and examples of its parts, so a text that selected one of them selects the merged sense.
    Its label is that of its parts if they agree.

    Parameters
    ----------
    senses : SenseVectors
    pairs : DataFrame
        Columns `word`, `sense_a`, `sense_b` and `verdict` ("real", "pseudo" or "undecided"),
        with all pairs of each word in it, as `detect` returns. Less probable pairs are joined
        first, if there is a `probability`, and of equal ones those with the higher `cosine`. Other
        words stay as they are.

    Returns
    -------
    merged : SenseVectors
        Senses numbered from 0 in the order of their first old sense.
    mapping : DataFrame
        Columns `word`, `old_sense` and `new_sense`: one row for each sense of `senses`.

    Warns
    -----
    UserWarning
        If most of the words that had several senses have one left, or nothing was joined because
        no pair was decided.

    Examples
    --------
    >>> senses = SenseVectors(["bank"], [[1, 0], [0, 1], [0, 3]], [3], counts=[5, 3, 1])
    >>> pairs = pd.DataFrame({
    ...     "word": "bank", "sense_a": [0, 0, 1], "sense_b": [1, 2, 2],
    ...     "verdict": ["real", "undecided", "pseudo"],
    ... })
    >>> merged, mapping = merge(senses, pairs)
    >>> merged["bank"]
    array([[1. , 0. ],
           [0. , 1.5]], dtype=float32)
    >>> mapping
       word  old_sense  new_sense
    0  bank          0          0
    1  bank          1          1
    2  bank          2          1
    """
    new_row = merged_rows(senses, pairs)
    if new_row[-1] + 1 == len(new_row):
        _warn_if_undecided(pairs)
        return senses, _mapping(senses, new_row)
    merged = joined(senses, new_row)
    _warn_if_collapsed(senses, merged)
    return merged, _mapping(senses, new_row)


def merged_rows(senses: SenseVectors, pairs: pd.DataFrame) -> Integers:
    """Return, for each row of `senses.vectors`, its row after merging.

    Examples
    --------
    >>> senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2])
    >>> pair = {"word": ["bank"], "sense_a": [0], "sense_b": [1], "verdict": ["pseudo"]}
    >>> merged_rows(senses, pd.DataFrame(pair))
    array([0, 0])
    """
    group = np.arange(len(senses.vectors))
    if len(pairs) == 0:
        return group
    first_rows, distances = _distances(senses, pairs)
    words = senses.word_of_row[first_rows]
    starts = np.flatnonzero(np.diff(words, prepend=-1))
    for begin, end in zip(starts, [*starts[1:], len(words)], strict=True):
        row = first_rows[begin]
        labels = _complete_linkage(distances[begin:end])
        group[row : row + len(labels)] = row + labels
    # a group's label is its first row: sorting the labels puts the groups in order
    return np.unique(group, return_inverse=True)[1]


def _distances(senses: SenseVectors, pairs: pd.DataFrame) -> tuple[Integers, Floats]:
    """Return the first row and the distance of each pair, word after word, in condensed order."""
    _check_columns(pairs)
    position = {word: senses.index(word) for word in pairs["word"].unique()}
    words = pairs["word"].map(position).to_numpy(dtype=np.int64)
    sense = np.sort(pairs[["sense_a", "sense_b"]].to_numpy(dtype=np.int64), axis=1)
    bad = (sense[:, 0] < 0) | (sense[:, 1] >= senses.n_senses[words])
    if bad.any():
        word, a, b = pairs[["word", "sense_a", "sense_b"]].iloc[int(bad.argmax())]
        raise InputError(f"{word!r} has no pair of senses {a} and {b}")
    rows = senses.offsets[words][:, None] + sense
    order = np.lexsort((rows[:, 1], rows[:, 0]))
    _check_complete(senses, rows[order], words)
    is_pseudo = (pairs["verdict"] == "pseudo").to_numpy()
    distances = np.where(is_pseudo, _places(pairs), _APART)
    return rows[order, 0], distances[order]


def _places(pairs: pd.DataFrame) -> Floats:
    """Return the place of each pair in the order of likeness, from 0 to 1."""
    signs = {"cosine": -1, "probability": 1}  # the last one decides first
    keys = [sign * pairs[name].to_numpy() for name, sign in signs.items() if name in pairs]
    order = np.lexsort(keys) if keys else np.arange(len(pairs))
    places = np.empty(len(pairs))
    places[order] = np.arange(len(pairs)) / len(pairs)
    return places


def _check_columns(pairs: pd.DataFrame) -> None:
    missing = [c for c in ("word", "sense_a", "sense_b", "verdict") if c not in pairs]
    if missing:
        raise InputError(f"pairs has no column {', '.join(missing)}; `detect` returns them all")
    unknown = set(pairs["verdict"]) - {"real", "pseudo", "undecided"}
    if unknown:
        raise InputError(f"the verdict {unknown.pop()!r} must be real, pseudo or undecided")
    for name in ("cosine", "probability"):
        if name in pairs and not pd.api.types.is_numeric_dtype(pairs[name]):
            raise InputError(f"the column {name} is {pairs[name].dtype}, expected numbers")


def _check_complete(senses: SenseVectors, rows: Integers, words: Integers) -> None:
    twice = (rows[:, 0] == rows[:, 1]) | (np.diff(rows, axis=0, prepend=-1) == 0).all(axis=1)
    if twice.any():
        word = senses.words[int(senses.word_of_row[rows[int(twice.argmax()), 0]])]
        raise InputError(f"a pair of {word!r} appears twice, or pairs a sense with itself")
    named, n_pairs = np.unique(words, return_counts=True)
    expected = senses.n_senses[named] * (senses.n_senses[named] - 1) // 2
    if (n_pairs != expected).any():
        at = int((n_pairs != expected).argmax())
        word = senses.words[int(named[at])]
        raise InputError(f"{n_pairs[at]} pairs of {word!r}, expected all {expected[at]}")


def _complete_linkage(distances: Floats) -> Integers:
    """Return for each sense the first sense of its group, from condensed distances."""
    apart = distances == _APART
    n_senses = (1 + math.isqrt(1 + 8 * len(distances))) // 2
    if not apart.any():  # many words need no tree
        return np.zeros(n_senses, dtype=np.int64)
    if apart.all():
        return np.arange(n_senses)
    label = fcluster(linkage(distances, method="complete"), t=1.0, criterion="distance")
    _, first, group = np.unique(label, return_index=True, return_inverse=True)
    return np.asarray(first[group], dtype=np.int64)


def _mapping(senses: SenseVectors, new_row: Integers) -> pd.DataFrame:
    words = senses.word_of_row
    first = senses.offsets[words]
    return pd.DataFrame(
        {
            "word": np.array(senses.words, dtype=object)[words],
            "old_sense": np.arange(len(words)) - first,
            "new_sense": new_row - new_row[first],
        }
    )


def _warn_if_undecided(pairs: pd.DataFrame) -> None:
    if len(pairs) and (pairs["verdict"] == "undecided").all():
        warnings.warn(
            "nothing was joined: all pairs are undecided, so these are the same vectors",
            stacklevel=3,  # the line that called merge
        )


def _warn_if_collapsed(before: SenseVectors, after: SenseVectors) -> None:
    several = before.n_senses > 1
    n_several, n_one = int(several.sum()), int((after.n_senses[several] == 1).sum())
    if n_one > n_several / 2:
        warnings.warn(
            f"{n_one:,} of the {n_several:,} words with several senses have one left: look at "
            "the pairs before you use the merged vectors, or choose a lower `lost`",
            stacklevel=3,  # the line that called merge
        )

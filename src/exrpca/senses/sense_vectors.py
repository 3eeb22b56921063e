"""`SenseVectors`: words with one or more vectors each, as an immutable mapping."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from exrpca.errors import InputError, UnknownWordError

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

# Rows multiplied at a time when looking for neighbours: bounds memory, keeps BLAS busy.
_NEIGHBOR_BLOCK = 65_536


class SenseVectors(Mapping[str | tuple[str, int], Floats]):
    """Words and the vectors of their senses.

    The senses of all words stand in one array, word after word; `offsets` says where each
    word begins. All arrays are contiguous, read-only and float32 (`counts`: int64).

    Parameters
    ----------
    words : sequence of str
        The vocabulary, each word once.
    vectors : array-like of shape (n_senses_total, dim)
        The sense vectors, those of the first word first.
    n_senses : sequence of int
        How many senses each word has, at least 1; sums to `n_senses_total`.
    counts : array-like of shape (n_senses_total,), optional
        How many tokens trained each sense.
    centers : array-like of shape (n_senses_total, dim), optional
        The mean context of each sense; choosing a sense in a text needs it.
    globals : array-like of shape (n_words, dim), optional
        The vector of each word as a context word; choosing a sense in a text needs it.
    metadata : mapping of str to JSON-like values, optional
        Settings and origin; kept by the native format.

    Attributes
    ----------
    words : tuple of str
    vectors, centers : ndarray of shape (n_senses_total, dim)
    globals : ndarray of shape (n_words, dim)
    counts : ndarray of shape (n_senses_total,)
    offsets : ndarray of shape (n_words + 1,)
        The senses of word `i` are the rows `offsets[i]:offsets[i + 1]`.
    metadata : mapping

    Examples
    --------
    >>> senses = SenseVectors(["bank", "river"], [[1, 0], [0, 1], [0, 2]], [2, 1])
    >>> senses["bank"]
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    >>> senses["bank", 1]
    array([0., 1.], dtype=float32)
    >>> len(senses), "river" in senses, list(senses)
    (2, True, ['bank', 'river'])
    >>> senses["rivers"]
    Traceback (most recent call last):
        ...
    exrpca.errors.UnknownWordError: no word 'rivers'; close matches: river
    """

    def __init__(
        self,
        words: Iterable[str],
        vectors: ArrayLike,
        n_senses: Sequence[int] | NDArray[Any],
        *,
        counts: ArrayLike | None = None,
        centers: ArrayLike | None = None,
        globals: ArrayLike | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        self.words: tuple[str, ...] = tuple(words)
        self.vectors: Floats = _frozen(vectors, np.float32)
        self.offsets: Integers = _offsets(n_senses)
        self.counts: Integers | None = None if counts is None else _frozen(counts, np.int64)
        self.centers: Floats | None = None if centers is None else _frozen(centers, np.float32)
        self.globals: Floats | None = None if globals is None else _frozen(globals, np.float32)
        self.metadata: Mapping[str, Any] = MappingProxyType(dict(metadata or {}))
        self._index = {word: i for i, word in enumerate(self.words)}
        self._check()
        self._norms: Floats | None = None

    def _check(self) -> None:
        n_words = len(self.words)
        if n_words == 0:
            raise InputError("no words")
        if len(self._index) != n_words:
            raise InputError(f"the word {_first_duplicate(self.words)!r} stands twice")
        if len(self.offsets) - 1 != n_words:
            raise InputError(f"n_senses has {len(self.offsets) - 1} values for {n_words} words")
        if self.n_senses.min() < 1:
            word = self.words[int(self.n_senses.argmin())]
            raise InputError(f"the word {word!r} has no sense, expected at least one")
        rows = int(self.offsets[-1])
        if self.vectors.ndim != 2 or len(self.vectors) != rows or self.vectors.shape[1] == 0:
            raise InputError(f"vectors has shape {self.vectors.shape}, expected ({rows}, dim)")
        expected = {
            "counts": (rows,),
            "centers": (rows, self.dim),
            "globals": (n_words, self.dim),
        }
        for name, shape in expected.items():
            array = getattr(self, name)
            if array is not None and array.shape != shape:
                raise InputError(f"{name} has shape {array.shape}, expected {shape}")

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return int(self.vectors.shape[1])

    @property
    def n_senses(self) -> Integers:
        """How many senses each word has."""
        return np.diff(self.offsets)

    @property
    def word_of_row(self) -> Integers:
        """For each row of `vectors`, the position of its word in `words`."""
        return np.repeat(np.arange(len(self.words)), self.n_senses)

    def __getitem__(self, key: str | tuple[str, int]) -> Floats:
        if isinstance(key, tuple):
            vector: Floats = self.vectors[self.row(*key)]
            return vector
        return self.vectors[self.rows(key)]

    def __contains__(self, key: object) -> bool:
        if isinstance(key, tuple) and len(key) == 2:
            word, sense = key
            return word in self._index and 0 <= sense < self.n_senses[self._index[word]]
        return key in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        """Two are equal when words, senses and all arrays are; metadata does not count."""
        if not isinstance(other, SenseVectors):
            return NotImplemented
        arrays = ("offsets", "vectors", "counts", "centers", "globals")
        return self.words == other.words and all(
            _same(getattr(self, name), getattr(other, name)) for name in arrays
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        extras = [
            name for name in ("counts", "centers", "globals") if getattr(self, name) is not None
        ]
        return (
            f"<SenseVectors: {len(self):,} words, {len(self.vectors):,} senses, "
            f"{self.dim} dimensions{''.join(', ' + name for name in extras)}>"
        )

    def index(self, word: str) -> int:
        """Return the position of a word in `words`; a `KeyError` names close matches."""
        try:
            return self._index[word]
        except KeyError:
            raise UnknownWordError(self._missing(word)) from None

    def rows(self, word: str) -> slice:
        """Return the rows of `vectors` that hold the word's senses."""
        i = self.index(word)
        return slice(int(self.offsets[i]), int(self.offsets[i + 1]))

    def row(self, word: str, sense: int) -> int:
        """Return the row of `vectors` that holds one sense."""
        rows = self.rows(word)
        n_senses = rows.stop - rows.start
        if not 0 <= sense < n_senses:
            raise UnknownWordError(
                f"{word!r} has no sense {sense}; its senses are 0 to {n_senses - 1}"
            )
        return int(rows.start) + sense

    def _missing(self, word: str) -> str:
        # difflib compares with each word in turn: only those of like beginning or size are tried
        near = [w for w in self.words if w[:1] == word[:1] and abs(len(w) - len(word)) <= 2]
        matches = difflib.get_close_matches(word, near, n=3)
        return f"no word {word!r}" + (f"; close matches: {', '.join(matches)}" if matches else "")

    def replace(self, **arrays: Any) -> Self:
        """Return a copy with some of `vectors`, `counts`, `centers`, `globals`, `metadata` changed.

        Examples
        --------
        >>> senses = SenseVectors(["a"], [[1.0, 2.0]], [1])
        >>> senses.replace(vectors=2 * senses.vectors)["a"]
        array([[2., 4.]], dtype=float32)
        """
        kept = {
            name: arrays.pop(name, getattr(self, name))
            for name in ("vectors", "counts", "centers", "globals", "metadata")
        }
        if arrays:
            raise TypeError(f"replace() cannot change {', '.join(sorted(arrays))}")
        return type(self)(self.words, kept.pop("vectors"), self.n_senses, **kept)

    def select(self, words: Iterable[str]) -> Self:
        """Return the given words alone, in the order given.

        Examples
        --------
        >>> senses = SenseVectors(["a", "b"], [[1.0], [2.0], [3.0]], [2, 1])
        >>> dict(senses.select(["b"]))
        {'b': array([[3.]], dtype=float32)}
        """
        positions = np.array([self.index(word) for word in words], dtype=np.int64)
        n_senses = self.n_senses[positions]
        starts = self.offsets[positions]
        rows = np.repeat(starts - _offsets(n_senses)[:-1], n_senses) + np.arange(n_senses.sum())
        return type(self)(
            [self.words[i] for i in positions],
            self.vectors[rows],
            n_senses,
            counts=None if self.counts is None else self.counts[rows],
            centers=None if self.centers is None else self.centers[rows],
            globals=None if self.globals is None else self.globals[positions],
            metadata=self.metadata,
        )

    @property
    def norms(self) -> Floats:
        """The length of each sense vector; worked out once."""
        if self._norms is None:
            self._norms = np.linalg.norm(self.vectors, axis=1)
        return self._norms

    def neighbors(self, word: str, sense: int = 0, n: int = 10) -> pd.DataFrame:
        """Return the `n` senses with the highest cosine to one sense, over all senses.

        Parameters
        ----------
        word : str
        sense : int, default 0
        n : int, default 10

        Returns
        -------
        DataFrame
            Columns `word`, `sense`, `cosine` and `same_word` (another sense of `word`).

        Examples
        --------
        >>> senses = SenseVectors(["bank", "river"], [[1, 0], [0, 1], [0.1, 2]], [2, 1])
        >>> senses.neighbors("bank", 1, n=2)
            word  sense    cosine  same_word
        0  river      0  0.998752      False
        1   bank      0  0.000000       True
        """
        if n < 1:
            raise InputError(f"n={n} must be at least 1")
        own = self.row(word, sense)
        cosine = self.cosines(self.vectors[own])
        cosine[own] = -np.inf
        n = min(n, len(cosine) - 1)
        best = np.argpartition(-cosine, n - 1)[:n] if n else np.empty(0, dtype=np.int64)
        best = best[np.lexsort((best, -cosine[best]))]
        words = np.searchsorted(self.offsets, best, side="right") - 1
        return pd.DataFrame(
            {
                "word": [self.words[i] for i in words],
                "sense": best - self.offsets[words],
                "cosine": cosine[best],
                "same_word": words == self.index(word),
            }
        )

    def cosines(self, vector: ArrayLike) -> Floats:
        """Return the cosine of one vector with every sense vector; 0 where either is 0."""
        vector = np.asarray(vector, dtype=np.float32)
        dots = np.empty(len(self.vectors), dtype=np.float32)
        for start in range(0, len(dots), _NEIGHBOR_BLOCK):
            block = slice(start, start + _NEIGHBOR_BLOCK)
            np.dot(self.vectors[block], vector, out=dots[block])
        lengths = self.norms * np.linalg.norm(vector)
        return np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)

    def collapse(self) -> Self:
        """Return one vector a word: the mean of its senses, weighted by their counts.

        Without counts, or where a word's counts are all 0, every sense weighs the same.

        Examples
        --------
        >>> senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2], counts=[3, 1])
        >>> senses.collapse()["bank"]
        array([[0.75, 0.25]], dtype=float32)
        """
        counts = np.ones(len(self.vectors)) if self.counts is None else self.counts.astype(float)
        starts = self.offsets[:-1]
        totals = np.add.reduceat(counts, starts)
        share = np.where(
            np.repeat(totals, self.n_senses) > 0,
            counts / np.maximum(np.repeat(totals, self.n_senses), 1e-300),
            1 / np.repeat(self.n_senses, self.n_senses),
        ).astype(np.float32)

        def mean(rows: Floats | None) -> Floats | None:
            return None if rows is None else np.add.reduceat(rows * share[:, None], starts, axis=0)

        return type(self)(
            self.words,
            mean(self.vectors),  # type: ignore[arg-type]
            np.ones(len(self.words), dtype=np.int64),
            counts=None if self.counts is None else np.add.reduceat(self.counts, starts),
            centers=mean(self.centers),
            globals=self.globals,
            metadata=self.metadata,
        )


def _frozen(values: ArrayLike, dtype: type) -> NDArray[Any]:
    array: NDArray[Any] = np.ascontiguousarray(values, dtype=dtype)
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


def _offsets(n_senses: Sequence[int] | NDArray[Any]) -> Integers:
    offsets = np.zeros(len(n_senses) + 1, dtype=np.int64)
    np.cumsum(n_senses, out=offsets[1:])
    offsets.flags.writeable = False
    return offsets


def _same(a: NDArray[Any] | None, b: NDArray[Any] | None) -> bool:
    if a is None or b is None:
        return a is b
    return np.array_equal(a, b)


def _first_duplicate(words: Sequence[str]) -> str:
    seen: set[str] = set()
    return next(word for word in words if word in seen or seen.add(word))  # type: ignore[func-returns-value]

"""`SenseVectors`: words with one or more vectors each, as an immutable mapping."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from exrpca.errors import InputError, UnknownWordError
from exrpca.senses.collapse import collapsed, word_means
from exrpca.senses.cosine import cosines
from exrpca.senses.example import Example
from exrpca.senses.html_view import html_view
from exrpca.senses.metadata import ReadOnly
from exrpca.senses.neighbors import nearest_senses, sense_pairs
from exrpca.senses.ragged import Integers, offsets_of, rows_of_groups

Floats = NDArray[np.float32]

# What vectors may have besides themselves, in the order in which it is listed.
OPTIONAL_PARTS = ("counts", "centers", "globals", "labels", "examples")

_ARRAYS = ("offsets", "vectors", "counts", "centers", "center_offsets", "globals")


class SenseVectors(Mapping[str | tuple[str, int | str], Floats]):
    """Words and the vectors of their senses.

    The senses of all words are rows of one array, word after word. `offsets` says where each
    word begins. The senses of a word are numbered from 0; they may have labels as well. All
    arrays are contiguous, read-only and float32 (`counts`, `offsets`: int64). This is the
    contract on shapes, for parameters and attributes alike:

    ==================  =======================================================
    `words`             `n_words`
    `vectors`           `(n_senses_total, dim)`; at least one row per word
    `counts`            `(n_senses_total,)`
    `labels`            `n_senses_total`
    `examples`          `n_senses_total`
    `centers`           `(n_centers_total, dim)`; at least one row per sense
    `globals`           `(n_words, dim)`
    `offsets`           `(n_words + 1,)`
    `center_offsets`    `(n_senses_total + 1,)`
    ==================  =======================================================

    Parameters
    ----------
    words : sequence of str
        The vocabulary, each word once.
    vectors : array-like
        The sense vectors, those of the first word first.
    n_senses : sequence of int
        How many senses each word has, at least 1; sums to `n_senses_total`.
    counts : array-like, optional
        How many tokens trained each sense.
    centers : array-like, optional
        The mean contexts of the senses, those of the first sense first. They serve to choose a
        sense in a text.
    n_centers : sequence of int, optional
        How many centers each sense has, at least 1; sums to `n_centers_total`. One each by
        default. A sense merged from others keeps the centers of its parts.
    globals : array-like, optional
        The vector of each word as a context word. They serve to choose a sense in a text.
    labels : sequence of str, optional
        A name for each sense, such as `"NOUN"` or `"bank%1:14:00::"`; empty for none.
    examples : sequence of sequences of `Example`, optional
        Typical sentences of each sense, if any.
    metadata : mapping of str to JSON-like values, optional
        Settings and origin; see `exrpca.senses.metadata`.

    Attributes
    ----------
    words : tuple of str
    vectors, centers, globals : ndarray of float32
    counts : ndarray of int64
    offsets : ndarray of int64
        The senses of word `i` are the rows `offsets[i]:offsets[i + 1]` of `vectors`.
    center_offsets : ndarray of int64
        The centers of row `i` are the rows `center_offsets[i]:center_offsets[i + 1]` of
        `centers`; None without centers.
    labels : tuple of str
    examples : tuple of tuples of Example
    metadata : mapping

    Examples
    --------
    >>> senses = SenseVectors(
    ...     ["bank", "river"], [[1, 0], [0, 1], [0, 2]], [2, 1], labels=["money", "water", ""]
    ... )
    >>> senses["bank"]
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    >>> senses["bank", 1]
    array([0., 1.], dtype=float32)
    >>> senses["bank", "water"]
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
        n_centers: Sequence[int] | NDArray[Any] | None = None,
        globals: ArrayLike | None = None,
        labels: Iterable[str] | None = None,
        examples: Iterable[Iterable[tuple[str, str, str]]] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        self.words: tuple[str, ...] = tuple(words)
        self.vectors: Floats = _frozen(vectors, np.float32)
        self.offsets: Integers = offsets_of(n_senses)
        self.counts: Integers | None = None if counts is None else _frozen(counts, np.int64)
        self.centers: Floats | None = None if centers is None else _frozen(centers, np.float32)
        self.center_offsets: Integers | None = None
        if n_centers is not None:
            self.center_offsets = offsets_of(n_centers)
        elif centers is not None:
            self.center_offsets = offsets_of(np.ones(len(self.vectors), dtype=np.int64))
        self.globals: Floats | None = None if globals is None else _frozen(globals, np.float32)
        self.labels: tuple[str, ...] | None = None if labels is None else tuple(labels)
        self.examples: tuple[tuple[Example, ...], ...] | None = None
        if examples is not None:
            self.examples = tuple(tuple(Example(*parts) for parts in own) for own in examples)
        self.metadata: Mapping[str, Any] = ReadOnly(metadata or {})
        self._index = {word: i for i, word in enumerate(self.words)}
        self._norms: Floats | None = None
        self._word_means: Floats | None = None
        _check_shapes(self)

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

    @property
    def n_centers(self) -> Integers | None:
        """How many centers each sense has; None without centers."""
        return None if self.center_offsets is None else np.diff(self.center_offsets)

    @property
    def has_several_centers(self) -> bool:
        """Whether any sense has more than one center."""
        return self.centers is not None and len(self.centers) > len(self.vectors)

    @property
    def mean_centers(self) -> Floats | None:
        """One center per sense, the mean of its centers; for uses that have room for one."""
        if self.centers is None or not self.has_several_centers:
            return self.centers
        assert self.center_offsets is not None  # noqa: S101 - there are centers
        sums = np.add.reduceat(self.centers, self.center_offsets[:-1], axis=0)
        return _frozen(sums / np.diff(self.center_offsets)[:, None], np.float32)

    def __getitem__(self, key: str | tuple[str, int | str]) -> Floats:
        if isinstance(key, tuple):
            vector: Floats = self.vectors[self.row(*key)]
            return vector
        return self.vectors[self.rows(key)]

    def __contains__(self, key: object) -> bool:
        if isinstance(key, tuple) and len(key) == 2:
            word, sense = key
            return word in self._index and len(self._senses(word, sense)) == 1
        return key in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        """Two are equal when all they hold is equal; metadata does not count."""
        if not isinstance(other, SenseVectors):
            return NotImplemented
        return (
            self.words == other.words
            and self.labels == other.labels
            and self.examples == other.examples
            and all(_same(getattr(self, name), getattr(other, name)) for name in _ARRAYS)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [name for name in OPTIONAL_PARTS if getattr(self, name) is not None]
        return (
            f"<SenseVectors: {len(self):,} words, {len(self.vectors):,} senses, "
            f"{self.dim} dimensions{''.join(', ' + name for name in parts)}>"
        )

    def _repr_html_(self) -> str:
        return html_view(self)

    def __getstate__(self) -> dict[str, Any]:
        return self._arguments()

    def __setstate__(self, arguments: dict[str, Any]) -> None:
        self.__init__(**arguments)  # type: ignore[misc]

    def _arguments(self) -> dict[str, Any]:
        """Return the arguments that make an equal one."""
        return {
            "words": self.words,
            "vectors": self.vectors,
            "n_senses": self.n_senses,
            "n_centers": self.n_centers,
            **{name: getattr(self, name) for name in OPTIONAL_PARTS},
            "metadata": dict(self.metadata),
        }

    def index(self, word: str) -> int:
        """Return the position of a word in `words`; a `KeyError` names close matches."""
        try:
            return self._index[word]
        except (KeyError, TypeError):  # a slice is not hashable before Python 3.12
            raise UnknownWordError(self._missing(word)) from None

    def rows(self, word: str) -> slice:
        """Return the rows of `vectors` that hold the word's senses."""
        i = self.index(word)
        return slice(int(self.offsets[i]), int(self.offsets[i + 1]))

    def row(self, word: str, sense: int | str) -> int:
        """Return the row of `vectors` that holds one sense, given by number or label."""
        start = int(self.offsets[self.index(word)])
        found = self._senses(word, sense)
        if len(found) != 1:
            raise UnknownWordError(self._not_one(word, sense, found))
        return start + found[0]

    def _senses(self, word: str, sense: object) -> list[int]:
        """Return the numbers of the word's senses that a number or a label names."""
        rows = self.rows(word)
        if isinstance(sense, str):
            labels = self.labels[rows] if self.labels is not None and sense else ()
            return [number for number, label in enumerate(labels) if label == sense]
        is_number = isinstance(sense, int | np.integer) and 0 <= sense < rows.stop - rows.start
        return [int(sense)] if is_number else []  # type: ignore[call-overload]

    def _not_one(self, word: str, sense: int | str, found: list[int]) -> str:
        if found:
            numbers = " and ".join(map(str, found))
            return f"{word!r} has several senses {sense!r}: use their numbers, {numbers}"
        rows = self.rows(word)
        labels = [label for label in self.labels[rows] if label] if self.labels else []
        has = f"its senses are 0 to {rows.stop - rows.start - 1}"
        return f"{word!r} has no sense {sense!r}; {has}" + (
            f", labeled {', '.join(labels)}" if labels else ""
        )

    def _missing(self, word: object) -> str:
        if not isinstance(word, str):
            return (
                f"{word!r} is no word: use senses['bank'] for the senses of a word, "
                "senses['bank', 0] for one of them, and senses.vectors[0] for a row"
            )
        # difflib compares with each word in turn: only those of like beginning or size are tried
        near = [w for w in self.words if w[:1] == word[:1] and abs(len(w) - len(word)) <= 2]
        matches = difflib.get_close_matches(word, near, n=3)
        return f"no word {word!r}" + (f"; close matches: {', '.join(matches)}" if matches else "")

    def replace(self, **parts: Any) -> Self:
        """Return a copy with some parts changed; words and their number of senses stay.

        Parameters
        ----------
        **parts
            `vectors`, `counts`, `centers`, `n_centers`, `globals`, `labels`, `examples` or
            `metadata`, as for the constructor. New `centers` without `n_centers` must have as
            many rows per sense as before; without centers before, one.

        Examples
        --------
        >>> senses = SenseVectors(["a"], [[1.0, 2.0]], [1])
        >>> senses.replace(vectors=2 * senses.vectors)["a"]
        array([[2., 4.]], dtype=float32)
        """
        arguments = self._arguments()
        unknown = parts.keys() - (arguments.keys() - {"words", "n_senses"})
        if unknown:
            raise TypeError(f"replace() cannot change {', '.join(sorted(unknown))}")
        if parts.get("centers", ()) is None:
            arguments["n_centers"] = None
        return type(self)(**(arguments | parts))

    def select(self, words: Iterable[str]) -> Self:
        """Return only the given words, in the order given.

        Examples
        --------
        >>> senses = SenseVectors(["a", "b"], [[1.0], [2.0], [3.0]], [2, 1])
        >>> dict(senses.select(["b"]))
        {'b': array([[3.]], dtype=float32)}
        """
        positions = np.array([self.index(word) for word in words], dtype=np.int64)
        rows = rows_of_groups(self.offsets, positions)
        arguments = self._arguments() | {
            "words": [self.words[i] for i in positions],
            "vectors": self.vectors[rows],
            "n_senses": self.n_senses[positions],
        }
        if self.counts is not None:
            arguments["counts"] = self.counts[rows]
        if self.centers is not None and self.center_offsets is not None:
            arguments["centers"] = self.centers[rows_of_groups(self.center_offsets, rows)]
            arguments["n_centers"] = np.diff(self.center_offsets)[rows]
        if self.globals is not None:
            arguments["globals"] = self.globals[positions]
        if self.labels is not None:
            arguments["labels"] = [self.labels[row] for row in rows]
        if self.examples is not None:
            arguments["examples"] = [self.examples[row] for row in rows]
        return type(self)(**arguments)

    @property
    def norms(self) -> Floats:
        """The length of each sense vector; computed once."""
        if self._norms is None:
            self._norms = np.linalg.norm(self.vectors, axis=1)
        return self._norms

    @property
    def word_means(self) -> Floats:
        """The mean of each word's senses, as `collapse` computes it; computed once."""
        if self._word_means is None:
            self._word_means = _frozen(word_means(self), np.float32)
        return self._word_means

    def neighbors(self, word: str, sense: int | str | None = None, n: int = 10) -> pd.DataFrame:
        """Return the `n` senses with the highest cosine to each sense of a word.

        Parameters
        ----------
        word : str
        sense : int or str, optional
            The number or the label of one sense; by default all.
        n : int, default 10
            How many neighbors of each sense.

        Returns
        -------
        DataFrame
            Columns `sense`, `neighbor`, `its_sense`, `cosine` and `same_word` (another sense of
            `word`); with `label` and `its_label` if there are labels.

        Examples
        --------
        >>> senses = SenseVectors(["bank", "river"], [[1, 0], [0, 1], [0.1, 2]], [2, 1])
        >>> senses.neighbors("bank", n=1)
           sense neighbor  its_sense    cosine  same_word
        0      0    river          0  0.049938      False
        1      1    river          0  0.998752      False
        """
        return nearest_senses(self, word, sense, n)

    def pairs(self, word: str) -> pd.DataFrame:
        """Return the pairs of senses of a word and their cosines.

        Returns
        -------
        DataFrame
            Columns `sense_a`, `sense_b` and `cosine`; with `label_a` and `label_b` if there are
            labels.

        Examples
        --------
        >>> SenseVectors(["bank"], [[1, 0], [3, 4], [0, 1]], [3]).pairs("bank")
           sense_a  sense_b  cosine
        0        0        1     0.6
        1        0        2     0.0
        2        1        2     0.8
        """
        return sense_pairs(self, word)

    def cosines(self, vector: ArrayLike) -> Floats:
        """Return the cosine of one vector with every sense vector; 0 where either is 0.

        Examples
        --------
        >>> SenseVectors(["a", "b"], [[1, 0], [3, 4]], [1, 1]).cosines([0, 1])
        array([0. , 0.8], dtype=float32)
        """
        return cosines(self.vectors, self.norms, np.asarray(vector, dtype=np.float32))

    def collapse(self) -> Self:
        """Return one vector per word: the mean of its senses, weighted by their counts.

        Without counts, or where a word's counts are all 0, all senses weigh the same. Centers
        become one as well. Labels are dropped; examples are joined.

        Examples
        --------
        >>> senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2], counts=[3, 1])
        >>> senses.collapse()["bank"]
        array([[0.75, 0.25]], dtype=float32)
        """
        return type(self)(**collapsed(self))


def _frozen(values: ArrayLike, dtype: type) -> NDArray[Any]:
    given = np.asarray(values)
    if np.iscomplexobj(given):
        raise InputError("found complex numbers, expected real ones")
    if dtype is np.int64 and given.dtype.kind == "f":
        whole = np.isfinite(given) & (given == np.floor(given))
        if not whole.all():
            raise InputError("found counts that are not whole numbers")
    array: NDArray[Any] = np.ascontiguousarray(given, dtype=dtype)
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


def _same(a: NDArray[Any] | None, b: NDArray[Any] | None) -> bool:
    if a is None or b is None:
        return a is b
    return np.array_equal(a, b)


def _check_shapes(senses: SenseVectors) -> None:
    """Refuse parts that break the contract on shapes; `SenseVectors` documents it."""
    _check_words(senses)
    n_words, n_rows, dim = len(senses.words), int(senses.offsets[-1]), senses.vectors.shape[-1]
    if senses.vectors.ndim != 2 or len(senses.vectors) != n_rows or dim == 0:
        raise InputError(f"vectors has shape {senses.vectors.shape}, expected ({n_rows}, dim)")
    expected = {
        "counts": (n_rows,),
        "centers": (_checked_n_centers(senses, n_rows), dim),
        "globals": (n_words, dim),
    }
    for name, shape in expected.items():
        array = getattr(senses, name)
        if array is not None and array.shape != shape:
            raise InputError(f"{name} has shape {array.shape}, expected {shape}")
    if senses.counts is not None and senses.counts.min() < 0:
        raise InputError(f"counts has {senses.counts.min()}, expected no negative number")
    for name in ("labels", "examples"):
        values = getattr(senses, name)
        if values is not None and len(values) != n_rows:
            raise InputError(f"{name} has {len(values)} values for {n_rows} senses")
    if senses.labels is not None and not all(isinstance(label, str) for label in senses.labels):
        raise InputError("labels must be strings")


def _check_words(senses: SenseVectors) -> None:
    n_words = len(senses.words)
    if n_words == 0:
        raise InputError("no words")
    if len(set(senses.words)) != n_words:
        raise InputError(f"the word {_first_duplicate(senses.words)!r} appears twice")
    n_senses = np.diff(senses.offsets)
    if len(n_senses) != n_words:
        raise InputError(f"n_senses has {len(n_senses)} values for {n_words} words")
    if n_senses.min() < 1:
        word = senses.words[int(n_senses.argmin())]
        raise InputError(f"the word {word!r} has no sense, expected at least one")


def _checked_n_centers(senses: SenseVectors, n_rows: int) -> int:
    """Return how many centers there must be."""
    if senses.center_offsets is None:
        return 0
    if senses.centers is None:
        raise InputError("n_centers is given without centers")
    n_centers = np.diff(senses.center_offsets)
    if len(n_centers) != n_rows:
        raise InputError(f"n_centers has {len(n_centers)} values for {n_rows} senses")
    if n_centers.min() < 1:
        row = int(n_centers.argmin())
        raise InputError(f"n_centers is {n_centers[row]} for row {row}, expected at least 1")
    return int(senses.center_offsets[-1])


def _first_duplicate(words: Sequence[str]) -> str:
    seen: set[str] = set()
    return next(word for word in words if word in seen or seen.add(word))  # type: ignore[func-returns-value]

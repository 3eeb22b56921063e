"""`Occurrences`: uses of words in a text, each with its contextual vector and its sentence."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.senses.example import Example

Integers = NDArray[np.int64]

TEXT_COLUMNS = ("form", "left", "target", "right", "source")
NO_LABEL = -1

# Names of columns that are no text: what an occurrence is, and what `induce` says about it.
OWN_COLUMNS = ("word", "vector", "label", "sense", "probability")

# Rows whose values are checked at a time.
_BLOCK = 1 << 14


@dataclass(frozen=True, eq=False, repr=False)
class Occurrences:
    """Occurrences of words: one row each, with a vector and, optionally, the text around it.

    Parameters
    ----------
    words : sequence of str
        The vocabulary, without duplicates.
    word_of : array of int, shape (n,)
        The position of each occurrence's word in `words`.
    vectors : array of float16 or float32, shape (n, dim)
        Arrays of these types are not copied; others become float32.
    texts : pyarrow.Table, optional
        One row per occurrence with some of the columns `form` (the token), `left`, `target` and
        `right` (the sentence in three parts) and `source` (where it is from), and any others that
        say something about it, such as `date`.
    labels : array of int, shape (n,), optional
        A cluster per occurrence, numbered within its word; -1 means none.
    metadata : mapping, optional
        Where the vectors are from; anything that JSON can hold.

    Examples
    --------
    >>> vectors = np.array([[1, 0], [0, 1], [1, 1]], dtype=np.float16)
    >>> occurrences = Occurrences.from_arrays(["bank", "cell", "bank"], vectors)
    >>> occurrences
    <Occurrences: 3 of 2 words, 2 dimensions>
    >>> for word, rows in occurrences.by_word():
    ...     print(word, occurrences.vectors[rows].tolist())
    bank [[1.0, 0.0], [1.0, 1.0]]
    cell [[0.0, 1.0]]
    """

    words: tuple[str, ...]
    word_of: Integers
    vectors: NDArray[np.float16] | NDArray[np.float32]
    texts: pa.Table | None = None
    labels: Integers | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        values: dict[str, Any] = {
            "words": tuple(self.words),
            "word_of": _integers(self.word_of, "word_of"),
            "vectors": _vectors(self.vectors),
            "texts": None if self.texts is None else _texts(self.texts),
            "labels": None if self.labels is None else _integers(self.labels, "labels"),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        n = len(self.vectors)
        if len(set(self.words)) != len(self.words) or "" in self.words:
            raise InputError("a word is empty or appears twice in words")
        for name in ("word_of", "labels", "texts"):
            value = getattr(self, name)
            if value is not None and len(value) != n:
                raise InputError(f"{name} has {len(value)} rows, vectors has {n}")
        if n and not 0 <= self.word_of.min() <= self.word_of.max() < len(self.words):
            raise InputError(f"word_of has values outside 0 to {len(self.words) - 1}")

    @classmethod
    def from_arrays(
        cls,
        word: Sequence[str] | NDArray[Any],
        vectors: NDArray[Any],
        *,
        labels: Sequence[int] | NDArray[Any] | None = None,
        texts: pa.Table | None = None,
    ) -> Occurrences:
        """Return the occurrences of which each row's word is given.

        Parameters
        ----------
        word : sequence of str, shape (n,)
        vectors : array of shape (n, dim)
        labels, texts
            As in `Occurrences`.

        Examples
        --------
        >>> Occurrences.from_arrays(["bank", "bank"], np.eye(2), labels=[0, -1]).labels
        array([ 0, -1])
        """
        word_of, words = pd.factorize(np.asarray(word, dtype=object))
        if (word_of < 0).any():
            raise InputError(f"row {int((word_of < 0).argmax()) + 1} has no word")
        return cls(tuple(map(str, words)), word_of, vectors, texts, labels)  # type: ignore[arg-type]

    @classmethod
    def from_table(cls, table: pd.DataFrame | str | os.PathLike[str]) -> Occurrences:
        """Return the occurrences in a table with one row each.

        Parameters
        ----------
        table : DataFrame or path
            With the columns `word` and `vector` (lists of numbers, or `v0`, `v1`, …). The columns
            `form`, `left`, `target`, `right`, `source` and `label` are optional; others, such as
            `date`, are kept as text. See `load` for files.

        Examples
        --------
        >>> frame = pd.DataFrame({"word": ["bank", "bank"], "vector": [[1.0, 0.0], [0.0, 1.0]]})
        >>> Occurrences.from_table(frame)
        <Occurrences: 2 of 1 word, 2 dimensions>
        """
        from exrpca.contextual.occurrence_files import from_frame

        return from_frame(table) if isinstance(table, pd.DataFrame) else cls.load(table)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, progress: bool = False) -> Occurrences:
        """Read occurrences from a file.

        Parameters
        ----------
        path : path-like
            Parquet or CSV with the columns that `from_table` takes; `.npz` with arrays of these
            names; `.npy` with such fields, or a matrix: the vectors of one word, which the file
            is named after.
        progress : bool, default False
            Show a progress bar on standard error.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "bank.npy"
        >>> np.save(path, np.eye(2))
        >>> Occurrences.load(path).words
        ('bank',)
        """
        from exrpca.contextual.occurrence_files import read

        return read(path, progress=progress)

    def save(self, path: str | os.PathLike[str], *, progress: bool = False) -> None:
        """Write the occurrences as Parquet, whole or not at all; `load` returns them exactly.

        Examples
        --------
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "occurrences.parquet"
        >>> Occurrences.from_arrays(["bank", "cell"], np.eye(2)).save(path)
        >>> Occurrences.load(path)
        <Occurrences: 2 of 2 words, 2 dimensions>
        """
        from exrpca.contextual.occurrence_writer import write

        write(self, path, progress=progress)

    @property
    def dim(self) -> int:
        """The number of dimensions of the vectors."""
        return int(self.vectors.shape[1])

    def by_word(self) -> Iterator[tuple[str, Integers]]:
        """Yield each word with the rows of its occurrences, in the order of `words`.

        `vectors[rows]` copies the vectors of that word alone.
        """
        order = np.argsort(self.word_of, kind="stable")
        ends = np.cumsum(np.bincount(self.word_of, minlength=len(self.words)))
        start = 0
        for word, end in zip(self.words, ends.tolist(), strict=True):
            yield word, order[start:end]
            start = end

    def examples(self, rows: Integers) -> tuple[Example, ...]:
        """Return the sentences of some occurrences; none if the texts lack a part of them."""
        parts = Example._fields
        if self.texts is None or not set(parts) <= set(self.texts.column_names):
            return ()
        chosen = self.texts.select(parts).take(rows)
        return tuple(map(Example, *(chosen.column(part).to_pylist() for part in parts)))

    def __len__(self) -> int:
        return len(self.vectors)

    def __repr__(self) -> str:
        words = "1 word" if len(self.words) == 1 else f"{len(self.words):,} words"
        extra = ", labels" * (self.labels is not None) + ", texts" * (self.texts is not None)
        return f"<Occurrences: {len(self):,} of {words}, {self.dim} dimensions{extra}>"


def _integers(values: Any, name: str) -> Integers:
    array = np.asarray(values)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and len(array)):
        raise InputError(f"{name} has {array.ndim} dimensions of {array.dtype}, expected integers")
    return _read_only(array.astype(np.int64, copy=False))


def _texts(table: pa.Table) -> pa.Table:
    if taken := set(table.column_names) & set(OWN_COLUMNS):
        raise InputError(f"texts has a column {min(taken)!r}, which says something else")
    # one chunk per column, of a type without a limit of 2 GB: rows are then found at once
    return pa.table(
        {
            name: pc.fill_null(table.column(name).cast(pa.large_string()), "").combine_chunks()
            for name in table.column_names
        }
    )


def _vectors(values: Any) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError("vectors has rows of different lengths, expected a matrix") from None
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise InputError(
            f"vectors has {array.ndim} dimensions of {array.dtype}, expected a matrix of numbers"
        )
    if array.dtype not in (np.float16, np.float32):
        array = array.astype(np.float32)
    for start in range(0, len(array), _BLOCK):
        finite = np.isfinite(array[start : start + _BLOCK]).all(axis=1)
        if not finite.all():
            row = start + int(finite.argmin()) + 1
            raise InputError(f"row {row} of the vectors has a value that is not finite")
    return _read_only(array)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view

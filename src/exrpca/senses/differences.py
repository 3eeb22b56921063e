"""The difference matrix X: one row for each pair of senses of one word."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import DTypeLike, NDArray

from exrpca.errors import InputError
from exrpca.senses.sense_vectors import SenseVectors

Floats = NDArray[np.float32]


class DifferenceMatrix:
    """The differences `v_i − v_j`, i < j, between the senses of each word, computed on demand.

    Each pair appears once. The matrix with both signs, which the paper decomposes, has the
    same components, explained-variance ratios and noise (see `full`).

    Parameters
    ----------
    senses : SenseVectors
        At least one word must have two senses.

    Attributes
    ----------
    shape : tuple of (n_pairs, dim)
    dtype : dtype
        float32.
    rows_a, rows_b : ndarray of shape (n_pairs,)
        The rows of `senses.vectors` that each difference is between.

    Examples
    --------
    >>> senses = SenseVectors(["bank", "river"], [[3, 0], [1, 1], [0, 2]], [2, 1])
    >>> X = DifferenceMatrix(senses)
    >>> X.shape
    (1, 2)
    >>> X[0:1]
    array([[ 2., -1.]], dtype=float32)
    >>> X.pairs
       word  sense_a  sense_b
    0  bank        0        1
    """

    dtype = np.dtype(np.float32)
    ndim = 2

    def __init__(self, senses: SenseVectors) -> None:
        if senses.n_senses.max() < 2:
            raise InputError("every word has only one sense: there are no differences to work on")
        self.senses = senses
        self.rows_a, self.rows_b = _pair_rows(senses.offsets)
        self.shape = (len(self.rows_a), senses.dim)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<DifferenceMatrix: {self.shape[0]:,} pairs, {self.shape[1]} dimensions>"

    def __getitem__(self, rows: slice | NDArray[Any]) -> Floats:
        difference = self.senses.vectors[self.rows_a[rows]]
        difference -= self.senses.vectors[self.rows_b[rows]]
        return difference

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a DifferenceMatrix is computed on demand, which always makes a copy")
        return self[:].astype(dtype or self.dtype, copy=False)

    def blocks(self, size: int = 8192) -> Iterator[Floats]:
        """Yield the rows in order, `size` at a time."""
        for start in range(0, len(self), size):
            yield self[start : start + size]

    def full(self) -> Floats:
        """Return the paper's matrix: every pair twice, as v_i − v_j and as v_j − v_i."""
        half = self[:]
        return np.vstack([half, -half])

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """The pair behind each row: columns `word`, `sense_a`, `sense_b`."""
        words = np.searchsorted(self.senses.offsets, self.rows_a, side="right") - 1
        starts = self.senses.offsets[words]
        return pd.DataFrame(
            {
                "word": np.array(self.senses.words, dtype=object)[words],
                "sense_a": self.rows_a - starts,
                "sense_b": self.rows_b - starts,
            }
        )

    def select(self, words: list[str]) -> NDArray[np.int64]:
        """Return the rows that belong to the given words, in the order of the words."""
        n_pairs = np.concatenate([[0], np.cumsum(_n_pairs(self.senses.n_senses))])
        positions = [self.senses.index(word) for word in words]
        spans = [np.arange(n_pairs[i], n_pairs[i + 1]) for i in positions]
        return np.concatenate(spans) if spans else np.empty(0, dtype=np.int64)


def _n_pairs(n_senses: NDArray[np.int64]) -> NDArray[np.int64]:
    return n_senses * (n_senses - 1) // 2


def _pair_rows(offsets: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the two vector rows of each pair, word after word."""
    n_senses = np.diff(offsets)
    first_pair = np.concatenate([[0], np.cumsum(_n_pairs(n_senses))])
    rows_a = np.empty(first_pair[-1], dtype=np.int64)
    rows_b = np.empty(first_pair[-1], dtype=np.int64)
    for k in np.unique(n_senses[n_senses > 1]):  # words with as many senses at once
        words = np.flatnonzero(n_senses == k)
        i, j = np.triu_indices(k, 1)
        at = first_pair[words][:, None] + np.arange(len(i))
        rows_a[at] = offsets[words][:, None] + i
        rows_b[at] = offsets[words][:, None] + j
    return rows_a, rows_b

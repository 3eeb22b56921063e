"""What becomes of vectors, counts, centers, labels and examples when senses are joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from exrpca.senses import SenseVectors
from exrpca.senses.metadata import updated
from exrpca.senses.ragged import rows_of_groups

Integers = NDArray[np.int64]


def joined(senses: SenseVectors, new_row: Integers) -> SenseVectors:
    """Return the senses with some of them joined.

    Parameters
    ----------
    senses : SenseVectors
    new_row : ndarray
        The new row of each old one. New rows are numbered in the order of their first old one.

    Examples
    --------
    >>> senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2], centers=[[2, 0], [0, 2]])
    >>> one = joined(senses, np.array([0, 0]))
    >>> one["bank"]
    array([[0.5, 0.5]], dtype=float32)
    >>> one.n_centers
    array([2])
    """
    first = np.unique(new_row, return_index=True)[1]
    parts = np.argsort(new_row, kind="stable")
    groups = np.split(parts, np.cumsum(np.bincount(new_row))[:-1])
    return SenseVectors(
        senses.words,
        _means(senses, new_row) @ senses.vectors,
        np.bincount(senses.word_of_row[first]),
        counts=None if senses.counts is None else _sums(new_row, senses.counts),
        globals=senses.globals,
        labels=_labels(senses.labels, groups),
        examples=_examples(senses.examples, groups),
        metadata=updated(senses.metadata, merged={"senses_before": len(new_row)}),
        **_centers(senses, new_row, parts),
    )


def _means(senses: SenseVectors, new_row: Integers) -> Any:
    """Return the matrix that takes the means of joined rows, weighted by counts if any."""
    n = len(new_row)
    counts = np.ones(n) if senses.counts is None else senses.counts.astype(np.float64)
    # senses without any tokens have equal weights
    weights = np.where(np.bincount(new_row, counts)[new_row] > 0, counts, 1.0)
    weights /= np.bincount(new_row, weights)[new_row]
    shape = int(new_row.max()) + 1, n
    return csr_array((weights.astype(np.float32), (new_row, np.arange(n))), shape)


def _sums(new_row: Integers, values: Integers) -> Integers:
    return np.bincount(new_row, values).astype(np.int64)


def _centers(senses: SenseVectors, new_row: Integers, parts: Integers) -> dict[str, Any]:
    """Return the centers of all parts: their mean would choose another sense in many texts."""
    if senses.centers is None or senses.center_offsets is None:
        return {}
    return {
        "centers": senses.centers[rows_of_groups(senses.center_offsets, parts)],
        "n_centers": _sums(new_row, np.diff(senses.center_offsets)),
    }


def _labels(labels: Sequence[str] | None, groups: list[Integers]) -> list[str] | None:
    """Return the label of each new sense: the one its parts agree on, or none."""
    if labels is None:
        return None
    of_groups = ({labels[part] for part in group} for group in groups)
    return [found.pop() if len(found) == 1 else "" for found in of_groups]


def _examples(examples: Sequence[Sequence[Any]] | None, groups: list[Integers]) -> Any:
    if examples is None:
        return None
    return [[example for part in group for example in examples[part]] for group in groups]

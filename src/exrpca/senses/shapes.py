"""Checks that the parts of `SenseVectors` fit together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from exrpca.errors import InputError

if TYPE_CHECKING:
    from exrpca.senses.sense_vectors import SenseVectors


def check_shapes(senses: SenseVectors) -> None:
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

"""Which sense a context calls for: the mean context vector and P(sense | context)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from exrpca.errors import InputError

Rule = Literal["inverse", "shifted"]
RULES: tuple[Rule, ...] = get_args(Rule)


def context_vector(
    global_vectors: NDArray[np.float32], positions: Sequence[int]
) -> NDArray[np.float32]:
    """Return the mean of the global vectors of the context's words; 0 when there are none."""
    if len(positions) == 0:
        return np.zeros(global_vectors.shape[1], dtype=np.float32)
    mean: NDArray[np.float32] = global_vectors[list(positions)].mean(axis=0)
    return mean


def cosine_with_rows(vector: NDArray[np.float32], rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosine of a vector with each row; 0 where either is 0."""
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(vector)
    dots = rows @ vector
    cosines: NDArray[np.float32] = np.divide(
        dots, lengths, out=np.zeros_like(dots), where=lengths > 0
    )
    return cosines


def sense_probabilities(cosine: NDArray[Any], rule: Rule = "inverse") -> NDArray[np.float64]:
    """Turn the cosines of a context with each centre into probabilities along the last axis.

    "inverse" weighs a sense by 1 / (1 − cos) (Neelakantan et al. 2014), "shifted" by 1 + cos
    (the code of Shi et al. 2018). NaN marks a sense that does not exist: probability 0.

    Examples
    --------
    >>> sense_probabilities(np.array([0.5, 0.0]))
    array([0.66666667, 0.33333333])
    >>> sense_probabilities(np.array([0.5, 0.0]), "shifted")
    array([0.6, 0.4])
    """
    cosine = np.asarray(cosine, dtype=np.float64)
    if rule == "inverse":
        # a context equal to a centre has an infinite weight: cut where float32 cosines blur
        weights = 1 / np.maximum(1 - cosine, 1e-6)
    elif rule == "shifted":
        weights = np.maximum(1 + cosine, 1e-6)
    else:
        raise InputError(f"rule={rule!r} must be one of {', '.join(RULES)}")
    weights = np.where(np.isnan(cosine), 0.0, weights)
    probabilities: NDArray[np.float64] = weights / weights.sum(axis=-1, keepdims=True)
    return probabilities

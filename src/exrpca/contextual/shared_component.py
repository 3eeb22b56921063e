"""What the cuts of all words share, such as register or form: not a matter of senses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.contextual.split import Side

Floats = NDArray[np.floating[Any]]

# Of fewer words nothing can be said to be shared.
FEWEST_WORDS = 3
_POWER_STEPS = 20


def difference(x: Floats, side: Side) -> Floats:
    """Return the difference of the means of the two sides, at length 1."""
    found = x[side].mean(axis=0) - x[~side].mean(axis=0)
    return np.asarray(found / max(float(np.linalg.norm(found)), 1e-12))


class SharedComponent:
    """The leading component v of the words' differences, for each word that of the other words.

    Parameters
    ----------
    differences : mapping of str to ndarray
        For each word with enough occurrences, the difference between the sides of its first cut.

    Examples
    --------
    >>> shared = SharedComponent({"a": np.array([1.0, 0]), "b": np.array([1.0, 0]),
    ...                           "c": np.array([0.6, 0.8])})
    >>> round(shared.kept("c", np.array([0.6, 0.8])), 2)
    0.64
    """

    def __init__(self, differences: Mapping[str, Floats]) -> None:
        self._differences = differences
        self._gram: Floats | None = None
        if len(differences) >= FEWEST_WORDS:
            rows = np.stack(list(differences.values())).astype(np.float64)
            self._gram = rows.T @ rows
            self._leading = np.linalg.eigh(self._gram)[1][:, -1]

    def kept(self, word: str, direction: Floats) -> float:
        """Return the share ‖T d‖² of a unit difference d of a word, with T = I − v vᵀ."""
        if self._gram is None:
            return 1.0
        leading = self._leading
        own = self._differences.get(word)
        if own is not None:
            for _ in range(_POWER_STEPS):
                leading = self._gram @ leading - own * (own @ leading)
                leading = leading / max(float(np.linalg.norm(leading)), 1e-12)
        return 1.0 - float(leading @ direction) ** 2

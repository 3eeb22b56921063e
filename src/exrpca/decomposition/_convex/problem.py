"""The convex problem, and what its two solvers share.

    minimize ‖L‖_* + λ₁‖E‖² + λ₂‖S‖₁ with X = L + E + S

For a given L the best E and S are known: E = clip(X − L, ±δ) with δ = λ₂/(2λ₁), and S is the rest.
What remains is to minimize ‖L‖_* + loss(X − L) with Huber's loss. Without E (λ₁ infinite, principal
component pursuit) the loss is λ₂‖X − L‖₁.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exrpca.compiling import cached_njit
from exrpca.decomposition._convex.shrinkage import Shrinkage
from exrpca.decomposition._matrix import Floats
from exrpca.decomposition.base import Callback, Iteration


@dataclass(frozen=True)
class Problem:
    """The weights of the parts; `lambda1` is infinite where there is no E."""

    lambda1: float
    lambda2: float
    center: bool  # whether L may have a mean at no cost
    wide: bool = False  # whether there are more columns than rows
    impute: bool = False  # whether NaN is a gap, whose E and S are 0

    @property
    def delta(self) -> float:
        """The largest noise: what is farther from L belongs to S."""
        return self.lambda2 / (2 * self.lambda1)

    def loss(self, squares: float, excess: float) -> float:
        """Return λ₁‖E‖² + λ₂‖S‖₁ from ‖E‖² and ‖S‖₁."""
        noise = 0.0 if np.isinf(self.lambda1) else self.lambda1 * squares
        return noise + self.lambda2 * excess

    def shrinkage(self, totals: Sequence[Any], n_rows: int, tau: float) -> Shrinkage:
        """Return the singular-value step for a matrix with these sums."""
        moments, sums = totals[:2]
        return Shrinkage.of(moments, sums if self.center else None, n_rows, tau)


@dataclass
class Solution:
    """The best L so far: the states of the blocks, and the map that made L."""

    rows_of: Callable[[Any, Shrinkage], Floats]  # returns the rows of L from a block's state
    objective: float = np.inf
    states: list[Any] = field(default_factory=list)
    n_iter: int = 0
    converged: bool = False
    typical_element: float = 0.0  # of X: the root mean square
    _best: Shrinkage | None = None

    @property
    def low_rank(self) -> Shrinkage:
        """The map that made the best L."""
        assert self._best is not None  # noqa: S101 - a solver iterates at least once
        return self._best

    def offer(self, objective: float, low_rank: Shrinkage, states: list[Any]) -> None:
        """Keep this L if it is the best so far."""
        if objective < self.objective:
            # A new list: the next iteration consumes the states.
            self.objective, self._best, self.states = objective, low_rank, list(states)


@dataclass(frozen=True)
class Stopping:
    """When to stop, and the callback to tell about each iteration."""

    tol: float
    max_iter: int
    callback: Callback | None

    def tell(self, number: int, objective: float, rank: int, share: float, change: float) -> None:
        """Call the callback, if there is one."""
        if self.callback is not None:
            self.callback(Iteration(number, float(objective), rank, share, change))


def relative(moved: float, size: float) -> float:
    """Return the ratio of two norms given as squares; 0 where nothing moved."""
    if moved == 0:
        return 0.0
    return float(np.sqrt(moved) / np.sqrt(size)) if size > 0 else float("inf")


@cached_njit(nogil=True, fastmath={"reassoc", "contract"})
def parts_of(x, low_rank, delta):  # type: ignore[no-untyped-def]
    """Return ‖E‖², ‖S‖₁ and the number of elements of S for rows and their low-rank part."""
    squares = 0.0
    excess = 0.0
    count = 0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            size = abs(x[i, j] - low_rank[i, j]) if x[i, j] == x[i, j] else x.dtype.type(0)
            noise = min(size, delta)
            squares += noise * noise
            excess += size - noise
            count += size > delta
    return squares, excess, count

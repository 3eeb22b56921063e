"""What a callback is told while an estimator is fitted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Iteration:
    """What a callback is told after each iteration of a fit.

    Attributes
    ----------
    number : int
        The number of the iteration, from 1.
    objective : float
        The value of the objective. For `ExRPCA` this is ‖E‖².
    rank : int
        The rank of L.
    share_set_aside : float
        The share of the elements of X that are in S.
    change : float
        The relative change that is compared with `tol`.

    Examples
    --------
    >>> print(Iteration(3, objective=12.5, rank=2, share_set_aside=0.01, change=1e-3))
    iteration 3: objective 12.5, rank 2, 1.000% set aside, change 1.00e-03
    """

    number: int
    objective: float
    rank: int
    share_set_aside: float
    change: float

    def __str__(self) -> str:
        return (
            f"iteration {self.number}: objective {self.objective:.6g}, rank {self.rank}, "
            f"{self.share_set_aside:.3%} set aside, change {self.change:.2e}"
        )


Callback = Callable[[Iteration], object]

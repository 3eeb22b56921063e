"""The share of real pairs: what is known about it."""

from __future__ import annotations

from typing import Literal, NamedTuple

Basis = Literal["mixture", "contrast", "none"]


class RealShare(NamedTuple):
    """The share of the pairs that are real.

    Attributes
    ----------
    estimate : float or None
        None where only bounds are known.
    low, high : float
        95% bounds.
    basis : {"mixture", "contrast", "none"}
        What decided about the pairs: their lengths, other words, or nothing.

    Examples
    --------
    >>> str(RealShare(0.24, 0.2, 0.28, "mixture"))
    '24% of the pairs are real (20% to 28%)'
    >>> str(RealShare(None, 0.55, 1.0, "contrast"))
    'at least 55% of the pairs are real'
    >>> str(RealShare(None, 0.0, 1.0, "none"))
    'the share of real pairs is unknown'
    """

    estimate: float | None
    low: float
    high: float
    basis: Basis

    def __str__(self) -> str:
        if self.estimate is not None:
            return f"{self.estimate:.0%} of the pairs are real ({self.low:.0%} to {self.high:.0%})"
        if self.basis == "none":
            return "the share of real pairs is unknown"
        return f"at least {self.low:.0%} of the pairs are real"


UNKNOWN_SHARE = RealShare(None, 0.0, 1.0, "none")

"""The inventory: all sense pairs with their verdicts, sorted, filtered and cut into pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Column = Literal["word", "sense_a", "sense_b", "outlier_norm", "probability", "verdict"]
Quantity = Literal["outlier_norm", "probability"]
Verdict = Literal["real", "pseudo", "undecided"]

_CSV_ROWS = 5000
_BINS = 60


@dataclass(frozen=True)
class Selection:
    """Which pairs to show and in what order.

    Attributes
    ----------
    word : str
        Text that the word must contain; case does not count.
    verdict : {"real", "pseudo", "undecided"} or None
    sort : str
        A column.
    descending : bool
    """

    word: str = ""
    verdict: Verdict | None = None
    sort: Column = "outlier_norm"
    descending: bool = True


@dataclass(frozen=True)
class Histogram:
    """How many pairs of each verdict have how much of something, between each two edges.

    Attributes
    ----------
    edges : list of float
    real, pseudo, undecided : list of int
        One number fewer than edges.
    threshold : float or None
        The value that separates real and other pairs with the fewest exceptions; None if there
        is only one kind.
    """

    edges: list[float]
    real: list[int]
    pseudo: list[int]
    undecided: list[int]
    threshold: float | None


class Inventory:
    """All sense pairs of some vectors.

    Parameters
    ----------
    pairs : DataFrame
        As `detect` returns it.
    """

    def __init__(self, pairs: pd.DataFrame) -> None:
        self.pairs = pairs
        self._rows_of = pairs.groupby("word", sort=False).indices
        self._folded = pairs["word"].str.casefold()
        # turning pages asks for the same rows in the same order again and again
        self.select = lru_cache(8)(self._select)

    def of_word(self, word: str) -> pd.DataFrame:
        """Return the pairs of one word."""
        return self.pairs.iloc[self._rows_of.get(word, [])]

    def page(self, selection: Selection, offset: int, limit: int) -> pd.DataFrame:
        """Return some of the pairs that are asked for, in order."""
        return self.pairs.iloc[self.select(selection)[offset : offset + limit]]

    def csv(self, selection: Selection) -> Iterator[str]:
        """Yield the pairs that are asked for as CSV, piece by piece."""
        yield self.pairs.iloc[:0].to_csv(index=False)
        for start in range(0, len(self.select(selection)), _CSV_ROWS):
            yield self.page(selection, start, _CSV_ROWS).to_csv(index=False, header=False)

    def histogram(self, quantity: Quantity) -> Histogram:
        """Return how a quantity is distributed over the pairs of each verdict, where known."""
        known = self.pairs[self.pairs[quantity].notna()]
        values = known[quantity].to_numpy(dtype=np.float64)
        edges = np.linspace(0, max(float(values.max(initial=0)), 1e-9), _BINS + 1)
        verdict = known["verdict"].to_numpy()
        real, pseudo, undecided = (
            np.histogram(values[verdict == kind], edges)[0].tolist() for kind in get_args(Verdict)
        )
        threshold = _threshold(values, verdict == "real")
        return Histogram(edges.tolist(), real, pseudo, undecided, threshold)

    def _select(self, selection: Selection) -> NDArray[np.int64]:
        """Return the positions of the pairs that are asked for, in order."""
        keep = np.ones(len(self.pairs), dtype=bool)
        if selection.verdict is not None:
            keep &= (self.pairs["verdict"] == selection.verdict).to_numpy()
        if selection.word:
            keep &= self._folded.str.contains(selection.word.casefold(), regex=False).to_numpy()
        kept = np.flatnonzero(keep)
        values = self.pairs[selection.sort].iloc[kept]
        numbers = (
            values.to_numpy()
            if pd.api.types.is_numeric_dtype(values)
            else pd.factorize(values, sort=True)[0]
        )
        return kept[np.argsort(-numbers if selection.descending else numbers, kind="stable")]


def _threshold(values: NDArray[np.float64], real: NDArray[np.bool_]) -> float | None:
    """Return the value above which most pairs are real and below which most are not."""
    if real.all() or not real.any():
        return None
    order = np.argsort(values)
    # exceptions when the first k in order count as pseudo: real ones below, pseudo ones above
    exceptions = np.cumsum(real[order]) + (~real).sum() - np.cumsum(~real[order])
    best = int(exceptions[:-1].argmin())
    return float(values[order[best : best + 2]].mean())

"""The inventory: all sense pairs with their verdicts, sorted, filtered and cut into pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.explorer.names import is_function_word

Column = Literal["word", "sense_a", "sense_b", "score", "outlier_norm", "probability", "verdict"]
Quantity = Literal["score", "probability", "outlier_norm"]
Verdict = Literal["real", "pseudo", "undecided"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

_CSV_ROWS = 5000
_BINS = 60
_TAIL = 0.005
_USUAL = 0.0


@dataclass(frozen=True)
class Selection:
    """Which pairs to show and in what order.

    Attributes
    ----------
    word : str
        Text that the word must contain; case does not count.
    words : frozenset of str or None
        Words to choose from; None for all.
    verdict : {"real", "pseudo", "undecided"} or None
    sort : str
        A column.
    descending : bool
    """

    word: str = ""
    words: frozenset[str] | None = None
    verdict: Verdict | None = None
    sort: Column = "probability"
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
        The value that separates real pairs from the others with the fewest exceptions; None if
        there is nothing to separate.
    share : str
        How many pairs are real, in words.
    """

    edges: list[float]
    real: list[int]
    pseudo: list[int]
    undecided: list[int]
    threshold: float | None
    share: str


@dataclass(frozen=True)
class Scale:
    """Where the score of a pair is among those of all pairs.

    Attributes
    ----------
    low, high : float
        The ends of the scale, beyond which one pair in 200 lies.
    usual : float
        What is usual for two senses with such counts: scores are deviations from it.
    pseudo_below, real_above : float or None
        The scores that separate pseudo pairs, and real pairs, from the others.
    """

    low: float
    high: float
    usual: float
    pseudo_below: float | None
    real_above: float | None


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
        self._of_function_words = self._folded.map(is_function_word).to_numpy(dtype=bool)
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
            page = self.page(selection, start, _CSV_ROWS)
            texts = page.select_dtypes(["object", "string"]).map(_without_formula)
            yield page.assign(**texts).to_csv(index=False, header=False)

    def histogram(self, quantity: Quantity) -> Histogram:
        """Return how a quantity is distributed over the pairs of each verdict, where known."""
        values = self.pairs[quantity].to_numpy(dtype=np.float64)
        known = values[np.isfinite(values)]
        edges = np.linspace(known.min(initial=0), known.max(initial=1e-9), _BINS + 1)
        counts = {
            verdict: np.histogram(values[self._is(verdict)], edges)[0].tolist()
            for verdict in VERDICTS
        }
        return Histogram(
            edges.tolist(),
            **counts,
            threshold=_threshold(values, self._is("real")),
            share=str(self.pairs.attrs.get("real_share", "")),
        )

    @cached_property
    def scale(self) -> Scale:
        """Where scores lie, and which of them separate the verdicts."""
        values = self.pairs["score"].to_numpy(dtype=np.float64)
        low, high = np.quantile(values, [_TAIL, 1 - _TAIL]).tolist()
        return Scale(
            min(low, _USUAL),
            max(high, _USUAL),
            _USUAL,
            pseudo_below=_threshold(values, ~self._is("pseudo")),
            real_above=_threshold(values, self._is("real")),
        )

    def _is(self, verdict: Verdict) -> NDArray[np.bool_]:
        return (self.pairs["verdict"] == verdict).to_numpy()

    def _select(self, selection: Selection) -> NDArray[np.int64]:
        """Return the positions of the pairs that are asked for, in order."""
        keep = np.ones(len(self.pairs), dtype=bool)
        if selection.verdict is not None:
            keep &= self._is(selection.verdict)
        if selection.words is not None:
            keep &= self.pairs["word"].isin(selection.words).to_numpy()
        if selection.word:
            keep &= self._folded.str.contains(selection.word.casefold(), regex=False).to_numpy()
        kept = np.flatnonzero(keep)
        values = self.pairs[selection.sort].iloc[kept]
        numbers = (
            values.to_numpy()
            if pd.api.types.is_numeric_dtype(values)
            else pd.factorize(values, sort=True)[0]
        )
        # what is not known comes last in either order, as NaN does; many probabilities are equal
        order = -numbers if selection.descending else numbers
        last = self._of_function_words[kept] & (selection.sort == "probability")
        return kept[np.lexsort((last, order))]


def _without_formula(text: Any) -> Any:
    """Return text that a spreadsheet does not take for a formula."""
    is_formula = isinstance(text, str) and text.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{text}" if is_formula else text


def _threshold(values: NDArray[np.float64], real: NDArray[np.bool_]) -> float | None:
    """Return the value above which most pairs are real and below which most are not."""
    known = np.isfinite(values)
    values, real = values[known], real[known]
    if real.all() or not real.any():
        return None
    order = np.argsort(values)
    # exceptions when the first k in order count as pseudo: real ones below, pseudo ones above
    exceptions = np.cumsum(real[order]) + (~real).sum() - np.cumsum(~real[order])
    best = int(exceptions[:-1].argmin())
    return float(values[order[best : best + 2]].mean())

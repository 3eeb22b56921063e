"""The inventory: all sense pairs with their verdicts, sorted, filtered and cut into pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.explorer.names import is_function_word

Column = Literal[
    "word", "sense_a", "sense_b", "shared", "cosine", "outlier_norm", "probability", "verdict"
]
Quantity = Literal["shared", "probability", "outlier_norm"]
Verdict = Literal["real", "pseudo", "undecided"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

_CSV_ROWS = 5000
_BINS = 50


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
    """

    edges: list[float]
    real: list[int]
    pseudo: list[int]
    undecided: list[int]


class Inventory:
    """All sense pairs of some vectors.

    Parameters
    ----------
    pairs : DataFrame
        As `detect` returns it.
    doubt : str, default ""
        Why the verdicts are to be doubted.
    """

    def __init__(self, pairs: pd.DataFrame, doubt: str = "") -> None:
        self.pairs = pairs
        self.doubt = doubt
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
            page = page.assign(examples=page["examples"].map(" ".join))
            texts = page.select_dtypes(["object", "string"]).map(_without_formula)
            yield page.assign(**texts).to_csv(index=False, header=False)

    def histogram(self, quantity: Quantity) -> Histogram:
        """Return how a quantity is distributed over the pairs of each verdict, where known."""
        values = self.pairs[quantity].to_numpy(dtype=np.float64)
        known = values[np.isfinite(values)]
        most = known.max(initial=1e-9)
        # a column per number, or columns of equal width
        edges = np.arange(most + 2) if quantity == "shared" else np.linspace(0, most, _BINS + 1)
        counts = {
            verdict: np.histogram(values[self._is(verdict)], edges)[0].tolist()
            for verdict in VERDICTS
        }
        return Histogram(edges.tolist(), **counts)

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

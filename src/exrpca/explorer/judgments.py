"""The verdicts of the person at the page: kept in memory, and in a file if one was named."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pandas as pd

from exrpca.cleaning import read_verdicts, with_verdicts, write_verdicts
from exrpca.cleaning.given_verdicts import Pair, Verdict, checked_pair
from exrpca.explorer.inventory import Inventory, Selection
from exrpca.explorer.names import is_function_word
from exrpca.senses import SenseVectors


class Judgments:
    """The person's verdicts on pairs of senses.

    Parameters
    ----------
    senses : SenseVectors
    path : Path, optional
        The file that each verdict is written to; what it holds already is read. Without one,
        nothing is written.
    """

    def __init__(self, senses: SenseVectors, path: Path | None = None) -> None:
        self._senses = senses
        self.path = path
        self._lock = threading.Lock()
        exists = path is not None and path.exists()
        self._given = read_verdicts(path, senses) if path is not None and exists else {}

    def __len__(self) -> int:
        return len(self._given)

    def of(self, pair: Pair) -> Verdict | None:
        """Return the verdict on a pair, if there is one."""
        return self._given.get(pair)

    def give(self, word: str, sense_a: int, sense_b: int, verdict: Verdict | None) -> None:
        """Keep a verdict; None takes it back."""
        pair = checked_pair(self._senses, word, sense_a, sense_b)
        with self._lock:
            given = {other: kept for other, kept in self._given.items() if other != pair}
            if verdict is not None:
                given[pair] = verdict
            if self.path is not None:
                write_verdicts(self.path, given)
            self._given = given

    def applied(self, pairs: pd.DataFrame) -> pd.DataFrame:
        """Return pairs with the person's verdicts instead of the detector's."""
        return with_verdicts(pairs, self._given)

    def agreement(self, inventory: Inventory) -> tuple[int, int]:
        """Return on how many pairs person and detector agree, of how many that both decided."""
        agreed = decided = 0
        for (word, a, b), verdict in self._given.items():
            own = inventory.of_word(word)
            found = own.loc[(own["sense_a"] == a) & (own["sense_b"] == b), "verdict"].iloc[0]
            if "undecided" not in (verdict, found):
                decided += 1
                agreed += found == verdict
        return agreed, decided

    def queue(self, inventory: Inventory) -> list[Pair]:
        """Return the undecided pairs without the person's verdict, frequent senses first."""
        rows = inventory.select(Selection(verdict="undecided"))
        pairs = inventory.pairs.iloc[rows][["word", "sense_a", "sense_b"]]
        keys: list[Pair] = list(pairs.itertuples(index=False, name=None))
        if self._senses.counts is not None:
            first = self._senses.offsets[[self._senses.index(word) for word, _, _ in keys]]
            counts = [
                self._senses.counts[first + pairs[column].to_numpy()]
                for column in ("sense_a", "sense_b")
            ]
            # function words are the most frequent, and the least worth a person's time
            last = np.array([is_function_word(word) for word, _, _ in keys], dtype=bool)
            order = np.lexsort((-np.minimum(*counts), last))
            keys = [keys[i] for i in order]
        return [key for key in keys if key not in self._given]

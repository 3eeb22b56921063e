r"""How the use of a word differs between groups of occurrences: periods, authors, sources.

Three measures are common in studies of lexical change (Kutuzov and Giulianelli 2020; Schlechtweg et
al. 2020). With unit vectors of the occurrences, m_g their mean in group g, and p_g the shares of
the senses:

    apd = 1 − m_a · m_b                      mean distance of an occurrence of a to one of b
    prt = 1 − m_a · m_b / (‖m_a‖ ‖m_b‖)      distance of the prototypes
    jsd = H((p_a + p_b) / 2) − (H(p_a) + H(p_b)) / 2,    H in bits

‖m_g‖² is estimated without the products of an occurrence with itself, and the expected jsd of
groups that do not differ is subtracted, so that small groups do not look different because they
are small.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import xlogy
from scipy.stats import false_discovery_control, fisher_exact

from exrpca.contextual.groups import groups_of
from exrpca.contextual.occurrences import Occurrences
from exrpca.errors import InputError
from exrpca.progress import progress_bar

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

# Below this number of occurrences in a group, measures vary more between samples of one text than
# most words change (our figures: docs/explanation/change.md).
FEW = 50

# A sense is gained if the first group has at most 2 uses of it and the second at least 5, and lost
# in the other direction: the definition of SemEval-2020 task 1 (Schlechtweg et al. 2020).
_ABSENT, _PRESENT = 2, 5
# There, each period has about 100 uses. Few uses of a word may lack a sense by chance: Fisher's
# exact test must exclude it at the 5% level.
_SURE = 0.05

_LEVEL = 95

# Draws whose random numbers are in memory at a time.
_DRAWS_AT_ONCE = 250


def compare(
    assigned: pd.DataFrame,
    occurrences: Occurrences | None = None,
    *,
    by: str,
    every: int | None = None,
    draws: int = 1000,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Compare how words are used in two or more groups of occurrences, such as periods.

    Parameters
    ----------
    assigned : DataFrame
        One row per occurrence with `word`, `sense` and the column that `by` names, as `induce`
        and `assign` return it.
    occurrences : Occurrences, optional
        The occurrences that were assigned, in the same order. With their vectors, `prt` and `apd`
        are measured, which need no senses.
    by : str
        The column with the group of each occurrence. "folder" is the folder of `source`. Rows
        without a value are left out.
    every : int, optional
        The column has dates or years, and this many years make one group.
    draws : int, default 1000
        Random regroupings behind each p-value, and resamples behind each interval.
    seed : int, default 0
    progress : bool, default False
        Show a progress bar on standard error.

    Returns
    -------
    DataFrame
        One row per word and pair of groups, the words with the surest change first: `word`,
        `group_a`, `group_b`, the numbers of occurrences `n_a` and `n_b`; for each measure (`prt`,
        `apd`, `jsd`) its value, the 95% interval `_low` and `_high`, the p-value `_p` of a
        permutation test, and `_q`: the false discovery rate over all rows (Benjamini and Hochberg)
        if this row and all with smaller p-values are called changed; `gained` and `lost`: senses
        that only one of the groups has, by the names in a column `name` if they have any.

    Warns
    -----
    UserWarning
        If groups have fewer than 50 occurrences of a word.

    Examples
    --------
    >>> assigned = pd.DataFrame({
    ...     "word": "mouse", "sense": [0] * 60 + [0] * 20 + [1] * 40,
    ...     "period": ["1960s"] * 60 + ["2010s"] * 60,
    ... })
    >>> table = compare(assigned, by="period")
    >>> table[["word", "group_a", "group_b", "jsd", "jsd_p", "gained", "lost"]].round(3)
        word group_a group_b    jsd  jsd_p gained lost
    0  mouse   1960s   2010s  0.453  0.001    [1]   []
    """
    if draws < 1:
        raise InputError(f"draws={draws} must be at least 1")
    check_rows(assigned, occurrences)
    group = groups_of(assigned, by, every)
    rows = list(_compared(assigned, occurrences, group, draws, seed, progress))
    if not rows:
        raise InputError(f"no word has occurrences in two groups of {by!r}")
    table = pd.DataFrame(rows)
    measures = [name for name in ("prt", "apd", "jsd") if name in table]
    for name in measures:
        q = false_discovery_control(table[f"{name}_p"].to_numpy())
        table.insert(list(table).index(f"{name}_p") + 1, f"{name}_q", q)
    _warn_of_few(table)
    order = [f"{measures[0]}_p", measures[0]]
    return table.sort_values(order, ascending=[True, False], kind="stable", ignore_index=True)


def check_rows(assigned: pd.DataFrame, occurrences: Occurrences | None) -> None:
    """Refuse a table without senses, and occurrences in another order."""
    for name in ("word", "sense"):
        if name not in assigned:
            raise InputError(f"assigned has no column {name!r}; `induce` returns such a table")
    if occurrences is None:
        return
    if len(occurrences) != len(assigned):
        raise InputError(
            f"assigned has {len(assigned):,} rows and occurrences {len(occurrences):,}: pass the "
            "occurrences that were assigned"
        )
    words = np.asarray(occurrences.words, dtype=object)[occurrences.word_of]
    if (words != assigned["word"].to_numpy(dtype=object)).any():
        raise InputError("assigned and occurrences have their words in another order")


def _compared(
    assigned: pd.DataFrame,
    occurrences: Occurrences | None,
    group: pd.Series[Any],
    draws: int,
    seed: int,
    progress: bool,
) -> Iterator[dict[str, Any]]:
    by_word = assigned.assign(group=group).groupby("word", sort=True)
    place = pd.Series(np.arange(len(assigned)), index=assigned.index)
    names = _names(assigned)
    with progress_bar("Comparing", by_word.ngroups, show=progress) as report:
        for done, (word, own) in enumerate(by_word):
            present = sorted(own["group"].dropna().unique())
            for i, a in enumerate(present):
                for b in present[i + 1 :]:
                    pair = own[own["group"].isin([a, b])]
                    in_b = (pair["group"] == b).to_numpy()
                    unit = None if occurrences is None else _unit(occurrences, place[pair.index])
                    found = _Pair(pair["sense"].to_numpy(), in_b, unit).measured(draws, seed)
                    for kind in ("gained", "lost"):
                        found[kind] = [names.get((word, sense), sense) for sense in found[kind]]
                    sizes = {"n_a": int((~in_b).sum()), "n_b": int(in_b.sum())}
                    yield {"word": word, "group_a": a, "group_b": b, **sizes, **found}
            report(done + 1, str(word))


def _names(assigned: pd.DataFrame) -> dict[tuple[Any, Any], str]:
    """Return the names that people gave to senses, by word and sense."""
    if "name" not in assigned:
        return {}
    named = assigned[["word", "sense", "name"]].dropna().drop_duplicates()
    return {(word, sense): name for word, sense, name in named.itertuples(index=False) if name}


def _unit(occurrences: Occurrences, rows: pd.Series[int]) -> Floats:
    vectors = occurrences.vectors[rows.to_numpy()].astype(np.float64)
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12))


class _Pair:
    """The occurrences of a word in two groups.

    Parameters
    ----------
    sense : ndarray of int, shape (n,)
        −1 is no sense and does not count for jsd.
    in_b : ndarray of bool, shape (n,)
    unit : ndarray of shape (n, dim), optional
        Vectors of length 1.
    """

    def __init__(self, sense: NDArray[Any], in_b: Flags, unit: Floats | None) -> None:
        self.in_b = in_b
        self.unit = unit
        self.senses = [int(each) for each in np.unique(sense) if each >= 0]
        self.member = (sense[:, None] == np.array(self.senses, dtype=int)).astype(np.float64)

    def measured(self, draws: int, seed: int) -> dict[str, Any]:
        """Return each measure with interval and p-value, and the senses gained and lost."""
        value = self.of_weights(~self.in_b[None], self.in_b[None])
        rng = np.random.default_rng(seed)
        drawn = [
            self._drawn(min(_DRAWS_AT_ONCE, draws - done), rng)
            for done in range(0, draws, _DRAWS_AT_ONCE)
        ]
        result: dict[str, Any] = {}
        for name, (own,) in value.items():
            by_chance = np.concatenate([regrouped[name] for regrouped, _ in drawn])
            resampled = np.concatenate([again[name] for _, again in drawn])
            # groups that do not differ show this much of jsd by chance
            shown = own - by_chance.mean() if name == "jsd" else own
            # a resample has duplicates, which moves its mean: only its spread counts
            spread = resampled - resampled.mean()
            low, high = shown + np.percentile(spread, [50 - _LEVEL / 2, 50 + _LEVEL / 2])
            # the groups as they are count as one draw (Phipson and Smyth 2010)
            p = (1 + (by_chance >= own - 1e-12).sum()) / (1 + draws)
            result |= {name: shown, f"{name}_low": low, f"{name}_high": high, f"{name}_p": p}
        return result | self._gained_and_lost()

    def _drawn(self, n: int, rng: np.random.Generator) -> tuple[dict[str, Floats], ...]:
        """Return the measures of n random regroupings, and of n resamples of the groups."""
        in_b = rng.permuted(np.tile(self.in_b, (n, 1)), axis=1)
        regrouped = self.of_weights(~in_b, in_b)
        weights = [np.zeros((n, len(self.in_b))) for _ in range(2)]
        for side, rows in zip(weights, (~self.in_b, self.in_b), strict=True):
            size = int(rows.sum())
            side[:, rows] = rng.multinomial(size, np.full(size, 1 / size), size=n)
        return regrouped, self.of_weights(*weights)

    def of_weights(self, a: NDArray[Any], b: NDArray[Any]) -> dict[str, Floats]:
        """Return the measures of several groupings: row by row the weight of each occurrence."""
        a, b = a.astype(np.float64), b.astype(np.float64)
        found: dict[str, Floats] = {}
        if self.unit is not None:
            sum_a, sum_b = a @ self.unit, b @ self.unit
            cross = (sum_a * sum_b).sum(axis=1) / (a.sum(axis=1) * b.sum(axis=1))
            lengths = np.sqrt(_squared_length(a, sum_a) * _squared_length(b, sum_b))
            found = {"prt": 1 - cross / lengths, "apd": 1 - cross}
        counts_a, counts_b = a @ self.member, b @ self.member
        return found | {"jsd": _jensen_shannon(counts_a, counts_b)}

    def _gained_and_lost(self) -> dict[str, list[int]]:
        in_a, in_b = self.member[~self.in_b].sum(axis=0), self.member[self.in_b].sum(axis=0)
        return {"gained": self._new_senses(in_a, in_b), "lost": self._new_senses(in_b, in_a)}

    def _new_senses(self, before: Floats, after: Floats) -> list[int]:
        """Return the senses that only the second group has, unless chance explains it."""
        return [
            sense
            for sense, a, b in zip(self.senses, before, after, strict=True)
            if a <= _ABSENT
            and b >= _PRESENT
            and _lacks(np.array([[a, before.sum() - a], [b, after.sum() - b]]))
        ]


def _lacks(counts: Floats) -> bool:
    """Whether the first row has less of the first column than chance explains."""
    return bool(fisher_exact(counts, "less").pvalue < _SURE)


def _squared_length(weights: Floats, total: Floats) -> Floats:
    """Return ‖m‖² of weighted means, without the products of an occurrence with itself."""
    same = (weights**2).sum(axis=1)
    pairs = weights.sum(axis=1) ** 2 - same
    alone = pairs <= 0  # one occurrence is its own mean
    found = ((total**2).sum(axis=1) - same) / np.where(alone, 1, pairs)
    # by chance it can be 0 or less if all occurrences are unlike
    return np.asarray(np.where(alone, 1.0, np.maximum(found, 1e-3)))


def _jensen_shannon(counts_a: Floats, counts_b: Floats) -> Floats:
    """Return the divergence in bits of rows of counts; 0 where a group has no sense at all."""
    p, q = (
        counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) for counts in (counts_a, counts_b)
    )
    middle = (p + q) / 2
    entropies = (-xlogy(each, each).sum(axis=1) / np.log(2) for each in (middle, p, q))
    of_middle, of_p, of_q = entropies
    empty = (counts_a.sum(axis=1) == 0) | (counts_b.sum(axis=1) == 0)
    return np.asarray(np.where(empty, 0.0, of_middle - (of_p + of_q) / 2))


def _warn_of_few(table: pd.DataFrame) -> None:
    few = (table[["n_a", "n_b"]].min(axis=1) < FEW).sum()
    if few:
        warnings.warn(
            f"{few:,} of {len(table):,} comparisons have a group with fewer than {FEW} "
            "occurrences: expect wide intervals, or encode more (per_word=)",
            stacklevel=3,
        )

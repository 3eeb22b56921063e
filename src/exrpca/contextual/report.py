"""A report on the senses of words: a table of senses, their shares, and a concordance."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pandas as pd
from scipy.stats import binomtest

from exrpca.contextual import report_files
from exrpca.contextual.groups import groups_of
from exrpca.contextual.telling_words import telling_words, word_counts
from exrpca.errors import InputError
from exrpca.files import atomic_path, check_output

# Words in the name of a sense; with more, a table column no longer fits a screen.
_NAME_WORDS = 4

# Two sentences that share this part of their words are printed once: quotations, reprints and
# boilerplate differ in a few words.
_NEAR_DUPLICATE = 0.6

_CONCORDANCE = ["word", "sense", "name", "left", "target", "right", "source", "probability"]


@dataclass(frozen=True)
class Report:
    """The senses of words in a text, as tables.

    Attributes
    ----------
    senses : DataFrame
        One row per sense: `word`, `sense`, `name`, `count`, `share` of the word's occurrences,
        and `sentences`, some typical ones.
    shares : DataFrame
        One row per sense and group: `word`, `sense`, `name`, `group`, `count`, `share` of the
        word's occurrences in this group, and its 95% interval, `low` and `high` (Wilson). Empty
        without groups.
    concordance : DataFrame
        One row per occurrence, sorted by word and sense, the surest first: `word`, `sense`,
        `name`, `left`, `target`, `right`, `source`, `probability` and all further columns.
    changes : DataFrame
        What `compare` found, if it was passed.

    Examples
    --------
    >>> report(pd.DataFrame({"word": ["bank", "bank"], "sense": [1, 0]})).concordance
       word  sense    name
    0  bank      0  bank 0
    1  bank      1  bank 1
    """

    senses: pd.DataFrame
    shares: pd.DataFrame
    concordance: pd.DataFrame
    changes: pd.DataFrame = field(default_factory=pd.DataFrame)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a workbook (.xlsx), a page (.html), the tables (.json) or the concordance (.csv).

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "senses.csv"
        >>> assigned = pd.DataFrame({"word": ["bank"], "sense": [0], "target": ["bank"]})
        >>> report(assigned).save(path)
        >>> path.read_text(encoding="utf-8-sig").splitlines()
        ['word,sense,name,target', 'bank,0,bank 0,bank']
        """
        write = checked_output(path, len(self.concordance))
        with atomic_path(path) as temporary:
            write(self, temporary)


def report(
    assigned: pd.DataFrame,
    output: str | os.PathLike[str] | None = None,
    *,
    by: str | None = None,
    every: int | None = None,
    changes: pd.DataFrame | None = None,
    n_sentences: int = 3,
) -> Report:
    """Describe the senses of words: names, counts, shares per group, sentences, a concordance.

    Parameters
    ----------
    assigned : DataFrame
        One row per occurrence, as `induce` and `assign` return it: `word`, `sense`, and what is
        known of the text (`left`, `target`, `right`, `source`, others). A column `name` has the
        names of senses; without it, a sense is named by the words that are typical of its
        contexts.
    output : path-like, optional
        The file to write: .xlsx, .html, .json or .csv; see `Report.save`.
    by : str, optional
        The column with groups such as periods; "folder" is the folder of `source`.
    every : int, optional
        The column has dates or years, and this many years make one group.
    changes : DataFrame, optional
        What `compare` found, to be shown along with the shares.
    n_sentences : int, default 3
        Typical sentences per sense.

    Returns
    -------
    Report

    Examples
    --------
    >>> assigned = pd.DataFrame({
    ...     "word": "bank", "sense": [0, 0, 1], "target": "bank",
    ...     "left": ["money in the ", "a loan of the ", "the river "], "right": "",
    ... })
    >>> report(assigned).senses[["word", "sense", "count", "share"]].round(2)
       word  sense  count  share
    0  bank      0      2   0.67
    1  bank      1      1   0.33
    """
    if missing := [name for name in ("word", "sense") if name not in assigned]:
        raise InputError(f"assigned has no column {missing[0]!r}; `induce` returns such a table")
    if output is not None:
        checked_output(output, len(assigned))
    if every is not None and by is None:
        raise InputError("every needs by: the column with dates or years")
    table = assigned.reset_index(drop=True)
    group = None if by is None else groups_of(table, by, every)
    rows = list(_senses(table, n_sentences))
    senses = pd.DataFrame(rows, columns=["word", "sense", "name", "count", "share", "sentences"])
    table = table.drop(columns="name", errors="ignore").merge(
        senses[["word", "sense", "name"]], on=["word", "sense"], how="left"
    )
    made = Report(
        senses=senses,
        shares=_shares(table, group),
        concordance=_concordance(table),
        changes=pd.DataFrame() if changes is None else changes,
    )
    if output is not None:
        made.save(output)
    return made


def checked_output(path: str | os.PathLike[str], n_rows: int) -> Callable[[Report, Path], None]:
    """Return the function that writes a file of this name; refuse others before the work."""
    suffix = Path(path).suffix.lower()
    if suffix not in report_files.WRITERS:
        known = ", ".join(report_files.WRITERS)
        raise InputError(
            f"a report is one of {known}, not {suffix or 'without an ending'}", path=path
        )
    if suffix == ".xlsx":
        report_files.check_workbook(path, n_rows)
    check_output(path)
    return report_files.WRITERS[suffix]


def _senses(table: pd.DataFrame, n_sentences: int) -> Iterator[dict[str, Any]]:
    """Yield a row per sense."""
    contexts = _contexts(table)
    groups: Mapping[Any, Any] = table.groupby(["word", "sense"], sort=True).indices
    rows_of = {(str(word), int(sense)): rows for (word, sense), rows in groups.items()}
    counts = {sense: word_counts(contexts.iloc[rows]) for sense, rows in rows_of.items()}
    everywhere = sum(counts.values(), Counter[str]())
    n_assigned = table["word"][table["sense"] >= 0].value_counts()
    for (word, sense), rows in rows_of.items():
        if sense < 0:
            continue
        own = table.iloc[rows]
        words = _telling(counts, everywhere, word, sense, _forms(own, word))
        yield {
            "word": word,
            "sense": sense,
            "name": _given_name(own) or ", ".join(words) or f"{word} {sense}",
            "count": len(rows),
            "share": len(rows) / n_assigned[word],
            "sentences": _typical(own, contexts.iloc[rows], words, n_sentences),
        }


def _telling(
    counts: Mapping[tuple[str, int], Counter[str]],
    everywhere: Counter[str],
    word: str,
    sense: int,
    forms: set[str],
) -> list[str]:
    """Return the words that tell a sense from the others of its word, then from everything else."""
    own = counts[word, sense]
    siblings = [counts[key] for key in counts if key[0] == word and key[1] != sense]
    others = sum(siblings, Counter[str]())
    first = telling_words(own, others, _NAME_WORDS, forms) if siblings else []
    # what the other senses of the word have too does not tell them apart
    common = {w for w, n in others.items() if n > own[w]}
    rest = telling_words(own, everywhere - own, _NAME_WORDS, {*forms, *first, *common})
    return [*first, *rest][:_NAME_WORDS]


def _contexts(table: pd.DataFrame) -> pd.Series[str]:
    """Return the text around each target."""
    parts = [table[side].fillna("").astype(str) for side in ("left", "right") if side in table]
    none = pd.Series("", index=table.index)
    return parts[0] + " " + parts[1] if len(parts) == 2 else none


def _forms(rows: pd.DataFrame, word: str) -> set[str]:
    targets = rows["target"].astype(str) if "target" in rows else pd.Series(dtype=str)
    return {word.lower(), *targets.str.lower()}


def _given_name(rows: pd.DataFrame) -> str:
    names = rows["name"].dropna().astype(str) if "name" in rows else pd.Series(dtype=str)
    names = names[names != ""]
    return str(names.mode().iloc[0]) if len(names) else ""


def _typical(rows: pd.DataFrame, contexts: pd.Series[str], words: list[str], n: int) -> list[str]:
    """Return sentences with the most telling words, then the surest, without near-duplicates."""
    if "left" not in rows or "right" not in rows:
        return []
    bags = [set(word_counts([text])) for text in contexts]
    n_telling = [len(bag.intersection(words)) for bag in bags]
    sure = rows["probability"].fillna(0) if "probability" in rows else pd.Series(0.0, rows.index)
    order = sorted(range(len(rows)), key=lambda i: (-n_telling[i], -sure.iloc[i], i))
    chosen: list[int] = []
    for i in order:
        if len(chosen) == n:
            break
        if all(_overlap(bags[i], bags[j]) < _NEAR_DUPLICATE for j in chosen):
            chosen.append(i)
    target = rows["target"] if "target" in rows else rows["word"]
    # pandas before 3 does not join Arrow's strings with others
    left, right = (rows[side].fillna("").astype(str) for side in ("left", "right"))
    texts = (left + target.astype(str) + right).tolist()
    return [" ".join(texts[i].split()) for i in chosen]


def _overlap(a: set[str], b: set[str]) -> float:
    return len(a & b) / max(len(a | b), 1)


def _shares(table: pd.DataFrame, group: pd.Series[Any] | None) -> pd.DataFrame:
    columns = ["word", "sense", "name", "group", "count", "share", "low", "high"]
    if group is None:
        return pd.DataFrame(columns=columns)
    known = table.assign(group=group)[table["sense"] >= 0].dropna(subset="group")
    rows = []
    for word, own in known.groupby("word"):
        counts = pd.crosstab([own["sense"], own["name"]], own["group"])
        for key, of_sense in counts.iterrows():
            sense, name = cast(tuple[int, str], key)
            for of_group, count in of_sense.items():
                n = int(counts[of_group].sum())
                low, high = binomtest(int(count), n).proportion_ci(method="wilson")
                rows.append((word, sense, name, of_group, int(count), count / n, low, high))
    return pd.DataFrame(rows, columns=columns)


def _concordance(table: pd.DataFrame) -> pd.DataFrame:
    first = [name for name in _CONCORDANCE if name in table]
    ordered = table[first + [name for name in table if name not in first]]
    keys = ["word", "sense"] + ["probability"] * ("probability" in table)
    # without a sense: last
    place = ordered.assign(sense=ordered["sense"].where(ordered["sense"] >= 0, 10**9))
    order = place.sort_values(keys, ascending=[True, True, False][: len(keys)], kind="stable").index
    return ordered.loc[order].reset_index(drop=True)

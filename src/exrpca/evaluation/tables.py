"""Scores laid out for reading: one row per method, one column per measure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import pandas as pd

from exrpca.evaluation.wsi.measures import WsiMeasure

_ENDS = {"rho": ("low", "high"), "gain": ("gain_low", "gain_high")}
_WSI_ENDS = {
    "value": ("low", "high"),
    "difference": ("difference_low", "difference_high"),
}
_WSI_COLUMNS: dict[WsiMeasure, str] = {
    "ari": "ARI",
    "b3": "B³",
    "b3_precision": "B³ P",
    "b3_recall": "B³ R",
    "v_measure": "V",
    "paired_f": "paired F",
    "clusters": "clusters",
}
# What systems at SemEval-2010 and SemEval-2013 are ranked by.
_RANKED_COLUMNS: dict[WsiMeasure, str] = {
    "avg": "AVG",
    "fuzzy_b3": "fuzzy B³",
    "fuzzy_nmi": "fuzzy NMI",
}
_B3_PARTS = ("b3_precision", "b3_recall")


def wide_scores(scores: pd.DataFrame, *, value: Literal["rho", "gain"] = "rho") -> pd.DataFrame:
    """Return the rows of `compare_methods` as a table like the paper's Table 4.

    Cells are ρ × 100 (or its gain) ± half the width of the 95% interval; empty where a
    measure does not apply.
    """
    low, high = _ENDS[value]
    half = (scores[high] - scores[low]) / 2
    sign = "+" if value == "gain" else ""
    cells = [
        "" if pd.isna(rho) else f"{100 * rho:{sign}.1f} ±{100 * width:.1f}"
        for rho, width in zip(scores[value], half, strict=True)
    ]
    columns = scores["dataset"] + " " + scores["measure"]
    long = scores.assign(cell=cells, column=columns)
    keys = [key for key in ("vectors", "method", "rank") if key in long]
    long["rank"] = long["rank"].map(lambda rank: "" if pd.isna(rank) else str(rank))
    wide = long.pivot(index=keys, columns="column", values="cell").fillna("")
    # in the order they came, not sorted by name
    wide = wide.reindex(index=pd.MultiIndex.from_frame(long[keys].drop_duplicates()))
    return wide[list(columns.unique())].reset_index().rename_axis(columns=None)


def coverage(scores: pd.DataFrame) -> str:
    """Return how many pairs of each data set were scored, for the table's title."""
    sets = scores.drop_duplicates(["dataset", "used"])
    return ", ".join(
        f"{row.dataset} ({row.used} of {row.total} pairs)" for row in sets.itertuples()
    )


def wsi_table(
    scores: pd.DataFrame, *, value: Literal["value", "difference"] = "value"
) -> pd.DataFrame:
    """Return scores of `vectors` on one data set of word sense induction, one row for each.

    Measures are × 100, with ± half the width of the 95% interval: of all differences, and of
    ARI and B³ themselves. B³'s precision and recall are left out of differences.
    """
    if value == "value":
        return _wsi_wide(scores, value, _WSI_COLUMNS, intervals=("ari", "b3"))
    columns = {m: name for m, name in _WSI_COLUMNS.items() if m not in _B3_PARTS}
    return _wsi_wide(scores, value, columns, intervals=tuple(columns))


def wsi_ranks(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the measures that systems at SemEval are ranked by, as `wsi_table` does."""
    return _wsi_wide(scores, "value", _RANKED_COLUMNS, intervals=tuple(_RANKED_COLUMNS))


def _wsi_wide(
    scores: pd.DataFrame,
    value: Literal["value", "difference"],
    columns: Mapping[WsiMeasure, str],
    intervals: Sequence[WsiMeasure],
) -> pd.DataFrame:
    low, high = _WSI_ENDS[value]
    half = (scores[high] - scores[low]) / 2
    sign = "" if value == "value" else "+"
    cells = [
        _wsi_cell(measure, center, width, sign, interval=measure in intervals)
        for measure, center, width in zip(scores["measure"], scores[value], half, strict=True)
    ]
    wide = scores.assign(cell=cells).pivot(index="vectors", columns="measure", values="cell")
    wide = wide.loc[scores["vectors"].unique(), list(columns)].rename(columns=columns)
    return wide.reset_index().rename_axis(columns=None)


def _wsi_cell(measure: WsiMeasure, value: float, half: float, sign: str, *, interval: bool) -> str:
    if math.isnan(value):
        return ""
    scale = 1 if measure == "clusters" else 100
    return f"{scale * value:{sign}.1f}" + (f" ±{scale * half:.1f}" if interval else "")

"""Scores laid out for reading: one row per method, one column per measure."""

from __future__ import annotations

from typing import Literal

import pandas as pd

_ENDS = {"rho": ("low", "high"), "gain": ("gain_low", "gain_high")}


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

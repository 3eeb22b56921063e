"""A picture of how the use of a word differs between groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from exrpca.contextual.centering import at_length_1
from exrpca.contextual.compare import check_rows
from exrpca.contextual.groups import groups_of
from exrpca.contextual.occurrences import Occurrences
from exrpca.contextual.report import report
from exrpca.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLORS = "viridis"
_ENDS = 0.0, 0.85  # the end of the scale is too bright on white
_LONGEST_NAME = 40


def plot_change(
    assigned: pd.DataFrame,
    word: str,
    *,
    by: str,
    every: int | None = None,
    occurrences: Occurrences | None = None,
) -> Figure:
    """Draw the shares of a word's senses per group, and its occurrences colored by group.

    Parameters
    ----------
    assigned : DataFrame
        As for `compare`.
    word : str
    by : str
    every : int, optional
    occurrences : Occurrences, optional
        The occurrences that were assigned, in the same order. With them, the second panel shows
        the vectors of the word along their first two principal components.

    Returns
    -------
    Figure
        Of Matplotlib; `figure.savefig("bank.svg")` writes it.

    Examples
    --------
    >>> assigned = pd.DataFrame({
    ...     "word": "mouse", "sense": [0] * 60 + [0] * 20 + [1] * 40,
    ...     "period": ["1960s"] * 60 + ["2010s"] * 60,
    ... })
    >>> [panel.get_title() for panel in plot_change(assigned, "mouse", by="period").axes]
    ['mouse: share of each sense']
    """
    from matplotlib.figure import Figure

    check_rows(assigned, occurrences)
    own = np.flatnonzero((assigned["word"] == word).to_numpy())
    if not len(own):
        raise InputError(f"{word!r} has no occurrences in this table")
    group = groups_of(assigned, by, every)
    n_panels = 1 if occurrences is None else 2
    figure = Figure(figsize=(6.4 * n_panels, 4.2), layout="constrained")
    panels = figure.subplots(1, n_panels, squeeze=False)[0]
    table = assigned.iloc[own].assign(group=group.iloc[own]).reset_index(drop=True)
    present = sorted(table["group"].dropna().unique())
    if len(present) < 2:
        raise InputError(f"{word!r} has occurrences in one group of {by!r} only")
    _draw_shares(panels[0], word, report(table, by="group").shares, present)
    if occurrences is not None:
        vectors = at_length_1(occurrences.vectors[own])
        _draw_occurrences(panels[1], vectors, table["group"].to_numpy(dtype=object), present)
    return figure


def _draw_shares(axes: Axes, word: str, shares: pd.DataFrame, groups: list[str]) -> None:
    place = {group: number for number, group in enumerate(groups)}
    senses = list(shares.groupby(["sense", "name"], sort=True))
    width = 0.8 / len(senses)
    for number, ((sense, name), own) in enumerate(senses):
        x = own["group"].map(place).to_numpy() + (number - (len(senses) - 1) / 2) * width
        around = np.abs(own[["low", "high"]].to_numpy().T - own["share"].to_numpy())
        axes.bar(x, own["share"], width * 0.9, label=f"{sense}: {_short(str(name))}")
        axes.errorbar(x, own["share"], around, fmt="none", ecolor="black", capsize=2, lw=0.8)
    sizes = shares.groupby("group")["count"].sum()
    axes.set_xticks(range(len(groups)), [f"{group}\nn = {sizes[group]:,}" for group in groups])
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.set_title(f"{word}: share of each sense")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), frameon=False)
    axes.spines[["top", "right"]].set_visible(False)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def _draw_occurrences(axes: Axes, vectors: Any, group: Any, groups: list[str]) -> None:
    from matplotlib import colormaps

    centered = vectors - vectors.mean(axis=0)
    left, sizes, _ = np.linalg.svd(centered, full_matrices=False)
    points = left[:, :2] * sizes[:2]
    colors = colormaps[_COLORS](np.linspace(*_ENDS, len(groups)))
    for name, color in zip(groups, colors, strict=True):
        x, y = points[group == name].T
        axes.scatter(x, y, s=14, color=color, alpha=0.7, label=name, linewidths=0)
    share = (sizes[:2] ** 2).sum() / max((sizes**2).sum(), 1e-12)
    axes.set_title(f"occurrences: two directions with {share:.0%} of the variance")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_aspect("equal", adjustable="datalim")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=len(groups), frameon=False)

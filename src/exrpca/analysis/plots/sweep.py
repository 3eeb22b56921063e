"""Scores against the number of removed directions (the paper's last figure)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from exrpca.analysis.plots.style import COLORS, GRAY, MARKERS, tidy
from exrpca.evaluation import MEASURES

# Up to here each removed direction has its own place; beyond, the axis is logarithmic.
_LINEAR_UP_TO = 10


def plot_sweep(scores: pd.DataFrame, *, collapsed: Mapping[str, float] | None = None) -> Figure:
    """Draw the table of `sweep`, one panel per data set.

    Parameters
    ----------
    scores : DataFrame
        From `sweep`.
    collapsed : mapping of data set to ρ, optional
        The score of one vector per word, drawn as a level to compare with.

    Returns
    -------
    Figure
    """
    datasets = list(scores["dataset"].unique())
    figure = Figure(figsize=(6.5 * len(datasets), 4.8), layout="constrained")
    panels = figure.subplots(1, len(datasets), squeeze=False)[0]
    for axes, dataset in zip(panels, datasets, strict=True):
        _draw(axes, scores[scores["dataset"] == dataset])
        if collapsed:
            level = 100 * collapsed[dataset]
            axes.axhline(level, color=GRAY, linestyle=":", label="collapsed to one vector per word")
        axes.legend(frameon=False, loc="lower left")
    return figure


def _draw(axes: Axes, scores: pd.DataFrame) -> None:
    for measure, color, marker in zip(MEASURES, COLORS, MARKERS, strict=False):
        curve = scores[scores["measure"] == measure]
        if curve.empty:
            continue
        if measure == "globalSim":  # no sense vector is in it: a level
            axes.axhline(100 * curve["rho"].iloc[0], color=color, linestyle="--", label=measure)
            continue
        places = [int(i) for i in range(len(curve)) if i <= _LINEAR_UP_TO or i % 20 == 0]
        axes.plot(
            curve["removed"],
            100 * curve["rho"],
            color=color,
            marker=marker,
            markevery=places,
            markersize=5,
            label=measure,
        )
    largest = int(scores["removed"].max())
    axes.set_xscale("symlog", linthresh=_LINEAR_UP_TO, linscale=1.2)
    ticks = [tick for tick in (0, 1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500) if tick <= largest]
    axes.set_xticks(ticks, labels=[str(tick) for tick in ticks])
    axes.set_xlim(-0.3, largest)
    axes.set_xlabel("removed directions")
    axes.set_ylabel("Spearman's ρ × 100")
    used, total = scores["used"].iloc[0], scores["total"].iloc[0]
    axes.set_title(f"{scores['dataset'].iloc[0]} ({used} of {total} pairs)")
    tidy(axes)

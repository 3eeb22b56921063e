"""Pictures: senses before and after cleaning, the components, the sweep."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter
from numpy.typing import NDArray
from scipy.linalg import orthogonal_procrustes
from scipy.stats import norm

from exrpca.analysis.spectrum import outside_share, residual_density, spectrum
from exrpca.cleaning import SenseDecomposition
from exrpca.errors import InputError
from exrpca.evaluation import MEASURES
from exrpca.files import atomic_path
from exrpca.senses import SenseVectors
from exrpca.senses.cosine import unit_vectors
from exrpca.senses.neighbors import neighbor_words

Floats = NDArray[Any]

# Okabe and Ito's colors, which color-blind people can tell apart; yellow is too pale for lines.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "p", "h")  # all with room for a number
GRAY = "#666666"

_FORMATS = (".png", ".svg")
_DPI = 200
# The directions whose variance is drawn, and how many σ of E.
_N_DIRECTIONS = 20
_WIDEST = 10.0
# In the sweep, each removed direction up to here has its own place; then the axis is logarithmic.
_LINEAR_UP_TO = 10


def plot_overview(decomposition: SenseDecomposition, words: Sequence[str]) -> Figure:
    """Draw the senses of some words in two dimensions, before and after cleaning.

    Each panel shows the two principal directions of the words' sense vectors, normalized to
    length 1; the right panel is rotated to match the left one. The senses of a word are
    numbered and joined by lines; the legend has the nearest neighbors of each.

    Parameters
    ----------
    decomposition : SenseDecomposition
    words : sequence of str
        2 to 7 of them.

    Returns
    -------
    Figure
    """
    if not 2 <= len(words) <= len(COLORS):
        raise InputError(f"{len(words)} words, expected 2 to {len(COLORS)}")
    legend_height = 0.25 * len(words)
    figure = Figure(figsize=(13, 6 + legend_height), layout="constrained")
    panels, legends = figure.subplots(2, 2, height_ratios=[6, legend_height])
    titles = "As trained", f"{decomposition.rank} components removed ({decomposition.method})"
    models = decomposition.senses, decomposition.cleaned
    points = [_plane(np.concatenate([senses[word] for word in words])) for senses in models]
    # the cleaned senses are rotated to match the others: what still moves, cleaning moved
    points[1] = points[1] @ orthogonal_procrustes(points[1], points[0])[0]
    # one scale for both panels and both directions: distances can be compared by eye
    reach = 1.1 * max(abs(plane).max() for plane in points)
    shape = {"aspect": "equal", "xlim": (-reach, reach), "ylim": (-reach, reach)}
    for axes, below, title, senses, plane in zip(
        panels, legends, titles, models, points, strict=True
    ):
        _draw_senses(axes, senses, words, plane)
        axes.set(title=title, **shape)
        below.set_axis_off()
        handles, labels = axes.get_legend_handles_labels()
        # left out of the layout, so that long labels do not narrow the panels
        legend = below.legend(handles, labels, loc="upper left", fontsize=9, markerscale=0.6)
        legend.set_frame_on(False)
        legend.set_in_layout(False)
    return figure


def _draw_senses(axes: Axes, senses: SenseVectors, words: Sequence[str], points: Floats) -> None:
    for word, color, marker in zip(words, COLORS, MARKERS, strict=False):
        own, points = np.split(points, [len(senses[word])])
        # a closed line through all senses; two of them are joined once
        axes.plot(*np.concatenate([own, own[:1]]).T, color=color, linewidth=1.2, alpha=0.6)
        axes.plot(
            *own.T,
            marker,
            color=color,
            markersize=14,
            markeredgecolor="white",
            label=_legend(senses, word),
        )
        for sense, (x, y) in enumerate(own):
            axes.text(x, y, str(sense), color="white", fontsize=8, ha="center", va="center")
    axes.set_xlabel("first direction")
    axes.set_ylabel("second direction")
    _tidy(axes)


def _legend(senses: SenseVectors, word: str) -> str:
    """Return the word and the nearest neighbors of each of its senses."""
    numbers = range(len(senses[word]))
    near = [" ".join(neighbor_words(senses, word, s, 2)) for s in numbers]
    return f"{word}:  " + "  |  ".join(f"{s} {words}" for s, words in enumerate(near))


def _plane(vectors: Floats) -> Floats:
    """Return unit vectors' coordinates along their two directions of largest variance."""
    unit = unit_vectors(vectors)
    centered = unit - unit.mean(axis=0)
    directions = np.linalg.svd(centered, full_matrices=False)[2][:2]
    # a direction has no sign: let the largest coordinate be positive, to draw the same each time
    signs = np.sign(directions[np.arange(len(directions)), abs(directions).argmax(axis=1)])
    return np.asarray(centered @ (directions * signs[:, None]).T)


def plot_components(*decompositions: SenseDecomposition) -> Figure:
    """Draw the variance along the directions of X − S, and the distribution of E.

    Parameters
    ----------
    *decompositions : SenseDecomposition
        One or more decompositions of the same sense vectors, drawn side by side.

    Returns
    -------
    Figure
    """
    figure = Figure(figsize=(12, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_variances(left, decompositions)
    _draw_residuals(right, decompositions)
    return figure


def _draw_variances(axes: Axes, decompositions: tuple[SenseDecomposition, ...]) -> None:
    for each, color, marker in zip(decompositions, COLORS, MARKERS, strict=False):
        variances, _ = spectrum(each)
        shares = 100 * variances[:_N_DIRECTIONS] / variances.sum()
        numbers = np.arange(1, len(shares) + 1)
        axes.plot(numbers, shares, color=color, marker=marker, markersize=5, label=_name(each))
    axes.set_xlabel("direction")
    axes.set_ylabel("explained variance, %")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.set_xticks([1, *range(5, _N_DIRECTIONS + 1, 5)])
    axes.set_title("Variance of the differences between senses")
    axes.legend(frameon=False)
    _tidy(axes)


def _draw_residuals(axes: Axes, decompositions: tuple[SenseDecomposition, ...]) -> None:
    edges = np.linspace(-_WIDEST, _WIDEST, 161)
    middles = (edges[:-1] + edges[1:]) / 2
    for each, color in zip(decompositions, COLORS, strict=False):
        density = residual_density(each, edges)
        shown = np.where(density > 0, density, np.nan)
        name = f"{_name(each)}: {100 * outside_share(each):.2f}% outside 3σ"
        axes.plot(middles, shown, color=color, label=name)
    expected = f"normal: {100 * 2 * norm.sf(3):.2f}% outside 3σ"
    axes.plot(middles, norm.pdf(middles), color=GRAY, linestyle="--", label=expected)
    for limit in (-3, 3):
        axes.axvline(limit, color=GRAY, linewidth=0.8, linestyle=":")
    axes.set_yscale("log")
    axes.set_ylim(1e-6, 100)  # room for the legend
    axes.set_xlabel("element of E, in standard deviations σ")
    axes.set_ylabel("density")
    axes.set_title("What components and outliers leave: E")
    axes.legend(frameon=False, loc="upper center")
    _tidy(axes)


def _name(decomposition: SenseDecomposition) -> str:
    return f"{decomposition.method}, rank {decomposition.rank}"


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
        _draw_sweep(axes, scores[scores["dataset"] == dataset])
        if collapsed:
            level = 100 * collapsed[dataset]
            axes.axhline(level, color=GRAY, linestyle=":", label="collapsed to one vector per word")
        axes.legend(frameon=False, loc="lower left")
    return figure


def _draw_sweep(axes: Axes, scores: pd.DataFrame) -> None:
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
    _tidy(axes)


def check_figure_path(path: str | os.PathLike[str]) -> str:
    """Return "png" or "svg", whichever the file's ending says; any other is bad input."""
    ending = Path(path).suffix.lower()
    if ending not in _FORMATS:
        raise InputError(f"ends with {ending!r}, expected {' or '.join(_FORMATS)}", path=path)
    return ending[1:]


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure as PNG or SVG, whichever the file's ending says."""
    form = check_figure_path(path)
    with atomic_path(path) as temporary:
        write_figure(figure, temporary, form)


def write_figure(figure: Figure, file: Path | BinaryIO, form: str) -> None:
    """Write a figure to a file or stream; figures made alike give the same bytes."""
    # without these, an SVG file has the date and random names in it
    metadata = {"Date": None} if form == "svg" else None
    with rc_context({"svg.hashsalt": "exrpca"}):
        figure.savefig(file, format=form, dpi=_DPI, metadata=metadata)


def _tidy(axes: Axes) -> None:
    """Remove the top and right lines of the frame and draw a light grid behind the data."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)

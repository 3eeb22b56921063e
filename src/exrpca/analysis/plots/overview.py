"""The senses of some words in two dimensions (the paper's first figure)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.linalg import orthogonal_procrustes

from exrpca.analysis.plots.style import COLORS, MARKERS, tidy
from exrpca.cleaning import SenseDecomposition
from exrpca.errors import InputError
from exrpca.senses import SenseVectors
from exrpca.senses.cosine import unit_vectors
from exrpca.senses.neighbors import neighbor_words

Floats = NDArray[Any]

_N_NEIGHBORS = 2


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
        _draw(axes, senses, words, plane)
        axes.set(title=title, **shape)
        below.set_axis_off()
        handles, labels = axes.get_legend_handles_labels()
        # left out of the layout, so that long labels do not narrow the panels
        legend = below.legend(handles, labels, loc="upper left", fontsize=9, markerscale=0.6)
        legend.set_frame_on(False)
        legend.set_in_layout(False)
    return figure


def _draw(axes: Axes, senses: SenseVectors, words: Sequence[str], points: Floats) -> None:
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
    tidy(axes)


def _legend(senses: SenseVectors, word: str) -> str:
    """Return the word and the nearest neighbors of each of its senses."""
    numbers = range(len(senses[word]))
    near = [" ".join(neighbor_words(senses, word, s, _N_NEIGHBORS)) for s in numbers]
    return f"{word}:  " + "  |  ".join(f"{s} {words}" for s, words in enumerate(near))


def _plane(vectors: Floats) -> Floats:
    """Return unit vectors' coordinates along their two directions of largest variance."""
    unit = unit_vectors(vectors)
    centered = unit - unit.mean(axis=0)
    directions = np.linalg.svd(centered, full_matrices=False)[2][:2]
    # a direction has no sign: let the largest coordinate be positive, to draw the same each time
    signs = np.sign(directions[np.arange(len(directions)), abs(directions).argmax(axis=1)])
    return np.asarray(centered @ (directions * signs[:, None]).T)

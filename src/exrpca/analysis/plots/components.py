"""How much the components explain, and how normal what they leave is."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter
from scipy.stats import norm

from exrpca.analysis.plots.style import COLORS, GRAY, MARKERS, tidy
from exrpca.analysis.residual import outside_share, residual_density
from exrpca.analysis.spectrum import spectrum
from exrpca.cleaning import SenseDecomposition

_N_DIRECTIONS = 20
_WIDEST = 10.0


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
    tidy(axes)


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
    tidy(axes)


def _name(decomposition: SenseDecomposition) -> str:
    return f"{decomposition.method}, rank {decomposition.rank}"

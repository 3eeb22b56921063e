"""Two pictures of outliers: the map of rows, and the map of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition.outlier_reports import OutlierReports

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The area of a marker in points: of a row without outlying cells, and what all of them add.
_AREA, _AREA_OF_CELLS = 12, 300
# Cells are drawn in blocks, at most this many each way; values are shown if there are at most
# these many rows and columns.
_MOST_BLOCKS = 60
_MOST_WITH_VALUES = 25, 15
# Colors are full at this many noise standard deviations.
_FULL_COLOR = 10.0
# On darker cells, values are white.
_DARK = 0.6 * _FULL_COLOR


def outlier_map(
    model: OutlierReports, X: Any, *, n_labels: int = 5, axes: Axes | None = None
) -> Axes:
    """Draw score distance against orthogonal distance, with the cutoffs.

    The map of Hubert, Rousseeuw and Vanden Branden (2005). A row far to the right is unusual within
    the subspace, one far up lies off it. Rows that `predict` calls −1 have another color. A larger
    marker stands for a larger share of cells in S.

    Parameters
    ----------
    model : fitted estimator
        `ExRPCA`, `ConvexExRPCA` or `RobustPCA`.
    X : array-like of shape (n_samples, n_features)
        The rows that were fitted, or new ones.
    n_labels : int, default 5
        How many of the worst outlying rows are labeled with their index.
    axes : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> from exrpca.decomposition import ExRPCA, make_low_rank
    >>> X = make_low_rank(500, 20, outlier_share=0).matrix
    >>> X[7] += 100
    >>> outlier_map(ExRPCA(3).fit(X), X).get_xlabel()
    'score distance'
    """
    axes = axes or _new_axes()
    rows = model.row_distances(X)
    for label, chosen, color in (
        ("fits (1)", rows[~rows["outlying"]], "tab:blue"),
        ("outlying (−1)", rows[rows["outlying"]], "tab:red"),
    ):
        axes.scatter(
            chosen["score_distance"],
            chosen["orthogonal_distance"],
            s=_AREA + _AREA_OF_CELLS * chosen["outlier_share"],
            color=color,
            alpha=0.7,
            label=f"{label}: {len(chosen):,}",
            zorder=2,
        )
    worst = np.argsort(model.score_samples(X))[:n_labels]
    for name, row in rows.iloc[worst].iterrows():
        if row["outlying"]:
            place = (row["score_distance"], row["orthogonal_distance"])
            axes.annotate(str(name), place, xytext=(4, 4), textcoords="offset points")
    axes.axvline(model.score_cutoff_, color="gray", linestyle="--", linewidth=1, zorder=1)
    axes.axhline(model.orthogonal_cutoff_, color="gray", linestyle="--", linewidth=1, zorder=1)
    axes.set_xlabel("score distance")
    axes.set_ylabel("orthogonal distance")
    axes.legend()
    return axes


def cell_map(model: OutlierReports, X: Any, *, axes: Axes | None = None) -> Axes:
    """Draw which cells are higher (red) and lower (blue) than the model expects.

    White is within the noise, and gray is missing. A large table is drawn in blocks of cells; each
    has the color of its most unusual cell. A small one shows its values.

    Parameters
    ----------
    model : fitted estimator
        `ExRPCA`, `ConvexExRPCA` or `RobustPCA`.
    X : array-like of shape (n_samples, n_features)
        The rows that were fitted, or new ones. The index and the columns of a DataFrame are shown.
    axes : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> from exrpca.decomposition import ExRPCA, make_low_rank
    >>> X = make_low_rank(500, 20, outlier_share=0).matrix
    >>> X[7, 3] += 25
    >>> axes = cell_map(ExRPCA(3).fit(X), X[:20])
    """
    from matplotlib import colormaps

    axes = axes or _new_axes()
    z = np.asarray(model.residuals(X), dtype=np.float64)
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
    n_rows, n_columns = (_per_block(size) for size in z.shape)
    colors = colormaps["RdBu_r"].with_extremes(bad="lightgray")
    axes.imshow(
        np.ma.masked_invalid(_blocks_of(z, n_rows, n_columns)),
        cmap=colors,
        vmin=-_FULL_COLOR,
        vmax=_FULL_COLOR,
        aspect="auto",
        interpolation="nearest",
    )
    axes.set_yticks(range(0, -(-len(z) // n_rows)), _names(frame.index, n_rows))
    axes.set_xticks(
        range(0, -(-z.shape[1] // n_columns)), _names(frame.columns, n_columns), rotation=90
    )
    if len(z) <= _MOST_WITH_VALUES[0] and z.shape[1] <= _MOST_WITH_VALUES[1]:
        for i, j in np.argwhere(~np.isnan(z)):
            text = f"{frame.iloc[i, j]:.3g}"
            color = "white" if abs(z[i, j]) > _DARK else "black"
            axes.text(j, i, text, ha="center", va="center", fontsize="x-small", color=color)
    return axes


def _per_block(size: int) -> int:
    return -(-size // _MOST_BLOCKS)


def _blocks_of(z: Floats, n_rows: int, n_columns: int) -> Floats:
    """Return the most unusual cell of each block; NaN if all of its cells are missing."""
    padding = [(0, -len(z) % n_rows), (0, -z.shape[1] % n_columns)]
    padded = np.pad(z, padding, constant_values=np.nan)
    n, d = padded.shape[0] // n_rows, padded.shape[1] // n_columns
    cells = padded.reshape(n, n_rows, d, n_columns).swapaxes(1, 2).reshape(n, d, -1)
    worst = np.nan_to_num(np.abs(cells), nan=-1.0).argmax(axis=2)
    found: Floats = np.take_along_axis(cells, worst[..., None], axis=2)[..., 0]
    return found


def _names(labels: pd.Index, per_block: int) -> list[str]:
    """Return the first label of each block, with the last one if they differ."""
    starts = range(0, len(labels), per_block)
    ends = [min(start + per_block, len(labels)) - 1 for start in starts]
    return [
        str(labels[a]) if a == b else f"{labels[a]}–{labels[b]}"
        for a, b in zip(starts, ends, strict=True)
    ]


def _new_axes() -> Axes:
    import matplotlib.pyplot as plt

    return plt.figure(layout="constrained").add_subplot()

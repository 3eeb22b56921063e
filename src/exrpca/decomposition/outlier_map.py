"""The outlier map: a picture of which rows do not fit, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from exrpca.decomposition.row_distances import RowDiagnostics

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def outlier_map(rows: RowDiagnostics, axes: Axes | None = None) -> Axes:
    """Draw score distance against orthogonal distance, with the cutoffs.

    The map of Hubert, Rousseeuw and Vanden Branden (2005). A row far to the right is unusual within
    the subspace, one far up lies off it. Rows that `predict` calls −1 have another color; those
    among the others are there for the share of their cells that are taken out.

    Parameters
    ----------
    rows : RowDiagnostics
        What the `row_distances` of an estimator returns.
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
    >>> axes = outlier_map(ExRPCA(3).fit(X).row_distances(X))
    >>> axes.get_xlabel()
    'score distance'
    """
    if axes is None:
        import matplotlib.pyplot as plt

        axes = plt.figure(layout="constrained").add_subplot()
    kinds: tuple[tuple[str, Any, str], ...] = (
        ("fits (1)", ~rows.outlying, "tab:blue"),
        ("outlying (−1)", rows.outlying, "tab:red"),
    )
    for label, chosen, color in kinds:
        axes.scatter(
            rows.score_distance[chosen],
            rows.orthogonal_distance[chosen],
            s=12,
            color=color,
            label=f"{label}: {np.count_nonzero(chosen):,}",
            zorder=2,
        )
    axes.axvline(rows.score_cutoff, color="gray", linestyle="--", linewidth=1, zorder=1)
    axes.axhline(rows.orthogonal_cutoff, color="gray", linestyle="--", linewidth=1, zorder=1)
    axes.set_xlabel("score distance")
    axes.set_ylabel("orthogonal distance")
    axes.legend()
    return axes

"""Scores against the number of removed directions (the paper's last figure)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from exrpca.analysis.spectrum import spectrum
from exrpca.cleaning import SenseDecomposition
from exrpca.evaluation import PairSimilarity, WordPairs, spearman
from exrpca.evaluation.similarity import Measure
from exrpca.senses import SenseVectors

Floats = NDArray[Any]


def sweep(decomposition: SenseDecomposition, datasets: Sequence[WordPairs]) -> pd.DataFrame:
    """Score the vectors with 0, 1, …, dim − 1 directions removed.

    The directions are those of X − S, all from one decomposition. In the basis of these
    directions, removing the first k means dropping the first k coordinates, so dot products grow
    by one coordinate at a time, from the last to the first.

    Parameters
    ----------
    decomposition : SenseDecomposition
    datasets : sequence of WordPairs

    Returns
    -------
    DataFrame
        `removed`, `dataset`, `measure`, `rho`, `used`, `total`.

    Examples
    --------
    >>> from exrpca import bundled
    >>> from exrpca.evaluation import wordsim353
    >>> table = sweep(SenseDecomposition.fit(bundled()), [wordsim353()])
    >>> wide_sweep(table).head(3).round(2)
       removed  WS-353 globalSim  WS-353 avgSim  WS-353 maxSim
    0        0              0.66           0.67           0.67
    1        1              0.66           0.66           0.68
    2        2              0.66           0.65           0.69
    """
    _, basis = spectrum(decomposition)
    tables: list[pd.DataFrame] = []
    for data in datasets:
        pairs = PairSimilarity(decomposition.senses, data)
        rho = _scores(pairs, basis)
        wide = pd.DataFrame(rho).rename_axis(index="removed").reset_index()
        table = wide.melt("removed", var_name="measure", value_name="rho")
        table.insert(1, "dataset", data.name)
        tables.append(table.assign(used=len(pairs.used), total=len(data)))
    return pd.concat(tables, ignore_index=True)


def wide_sweep(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `sweep` with one row per number of removed directions."""
    columns = scores["dataset"] + " " + scores["measure"]
    wide = scores.assign(column=columns).pivot(index="removed", columns="column", values="rho")
    return wide[list(columns.unique())].reset_index().rename_axis(columns=None)


def collapsed_scores(senses: SenseVectors, datasets: Sequence[WordPairs]) -> dict[str, float]:
    """Return ρ of one vector per word (`SenseVectors.collapse`) on each data set.

    Examples
    --------
    >>> from exrpca import bundled
    >>> from exrpca.evaluation import wordsim353
    >>> {name: round(rho, 2) for name, rho in collapsed_scores(bundled(), [wordsim353()]).items()}
    {'WS-353': 0.67}
    """
    collapsed = senses.collapse()
    scores = {}
    for data in datasets:
        pairs = PairSimilarity(collapsed, data)
        cosine = pairs.cosines(collapsed.vectors)
        scores[data.name] = spearman(pairs.ratings, pairs.score("avgSim", cosine))
    return scores


def _scores(pairs: PairSimilarity, basis: Floats) -> dict[Measure, Floats]:
    """Return ρ for 0 to dim − 1 removed directions, by measure."""
    a, b = (_coordinates(pairs, rows, basis) for rows in pairs.rows)
    dots = np.zeros((a.shape[1], a.shape[2], b.shape[2]))
    squares = [np.zeros(side.shape[1:]) for side in (a, b)]
    rho = {measure: np.empty(len(basis)) for measure in pairs.measures}
    for removed in reversed(range(len(basis))):
        dots += a[removed][:, :, None] * b[removed][:, None, :]
        for total, side in zip(squares, (a, b), strict=True):
            total += side[removed] ** 2
        lengths = np.sqrt(squares[0][:, :, None] * squares[1][:, None, :])
        cosine = np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)
        for measure, values in rho.items():
            values[removed] = spearman(pairs.ratings, pairs.score(measure, cosine))
    return rho


def _coordinates(pairs: PairSimilarity, rows: Floats, basis: Floats) -> Floats:
    """Return the coordinates of padded senses in a basis, shape (dim, n_pairs, n_senses)."""
    coordinates = (pairs.senses.vectors[rows] @ basis.T) * (rows >= 0)[..., None]
    return np.ascontiguousarray(np.moveaxis(coordinates, -1, 0), dtype=np.float64)

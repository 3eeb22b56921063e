"""Rows that are broken as a whole: which rows of a sample to fit, and when it matters.

Pursuit takes broken cells out of L, but rows that are shifted together look like a component. So
a plane of rank k is found through the rows of L that agree. These begin as the half with the least
Stahel–Donoho outlyingness (as in ROBPCA: Hubert, Rousseeuw and Vanden Branden 2005), and grow to
those within the cutoffs for distances. The others get weight 0 if they stand apart: broken rows
are far beyond the cutoffs. Otherwise every row counts: the tails of real tables end near the
cutoffs, they carry structure, and without them the fit is worse.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.stats
from numpy.typing import NDArray

from exrpca.decomposition._matrix import Floats
from exrpca.decomposition._matrix.first_look import NORMAL_OVER_MAD
from exrpca.decomposition._matrix.sparse_rows import SparseRows
from exrpca.decomposition._rounds.outliers import Model
from exrpca.decomposition._rounds.robust_scores import robust_scores

# Directions through two rows each, as many as ROBPCA takes.
_DIRECTIONS = 250
_STEPS = 3
# A row that fits is within each cutoff with this probability.
_INSIDE = 0.99
# The share of rows that must be good ones.
_LEAST_KEPT = 0.75
# How many cutoffs away the typical row left out must be: shifted rows of five real tables and of a
# simulation are 3.5 and more away, the tails of 51 tables without such rows 2.0 and less, with one
# exception.
_APART = 2.5
# A row with a larger share of outlying cells says nothing about the plane.
_MOST_OUTLYING = 0.5
_TINY = 1e-300


def rows_to_keep(low_rank: Floats, n_components: int, *, center: bool) -> NDArray[np.bool_] | None:
    """Return which rows of a low-rank matrix agree on a plane, or None if all may be fitted."""
    n = len(low_rank)
    middle = np.median(low_rank, axis=0) if center else np.zeros(low_rank.shape[1])
    rows = _coordinates(low_rank - middle)
    if n < 2 * (n_components + 2) or rows.shape[1] == 0:
        return None
    nearest = np.argsort(_outlyingness(rows))[: max((n + n_components + 1) // 2, n_components + 2)]
    kept = np.zeros(n, np.bool_)
    kept[nearest] = True
    for _ in range(_STEPS):
        off, along = _distances(rows, rows[kept], n_components, center=center)
        limits = max(cutoff(off, _INSIDE), _TINY), max(_along_limit(along, n_components), _TINY)
        away = np.maximum(off / limits[0], along / limits[1])
        kept = away <= 1
    if kept.all() or kept.mean() < _LEAST_KEPT:
        return None
    return kept if np.median(away[~kept]) > _APART else None


def _coordinates(rows: Floats) -> Floats:
    """Return rows of low rank in a basis of their span."""
    wide = len(rows) < rows.shape[1]
    squares, basis = np.linalg.eigh(rows @ rows.T if wide else rows.T @ rows)
    kept = squares > 1e-12 * max(float(squares[-1]), 1e-300)
    found: Floats = basis[:, kept] * np.sqrt(squares[kept]) if wide else rows @ basis[:, kept]
    return found.astype(np.float64)


def _outlyingness(rows: Floats) -> Floats:
    """Return how far each row is from the others along the direction that shows it best."""
    random = np.random.default_rng(0)
    first, second = random.integers(0, len(rows), (2, _DIRECTIONS))
    directions = rows[first] - rows[second]
    lengths = np.linalg.norm(directions, axis=1)
    directions = directions[lengths > 0] / lengths[lengths > 0, None]
    places = rows @ directions.T
    sizes = np.abs(places - np.median(places, axis=0))
    typical = np.median(sizes, axis=0)
    usable = typical > 1e-9 * sizes.max(axis=0, initial=0)
    found: Floats = (sizes[:, usable] / typical[usable]).max(axis=1, initial=0)
    return found


def _distances(
    rows: Floats, fitted: Floats, n_components: int, *, center: bool
) -> tuple[Floats, Floats]:
    """Return the distances of rows from the plane of the rows fitted, and within it."""
    mean = fitted.mean(axis=0) if center else np.zeros(rows.shape[1])
    _, values, basis = np.linalg.svd(fitted - mean, full_matrices=False)
    k = min(n_components, int((values > 1e-9 * values[0]).sum())) if len(values) > 0 else 0
    scores = (rows - mean) @ basis[:k].T
    off = np.linalg.norm(rows - mean - scores @ basis[:k], axis=1)
    return off, np.linalg.norm(scores / values[:k] * np.sqrt(len(fitted)), axis=1)


def cutoff(distances: Floats, inside: float) -> float:
    """Return the largest orthogonal distance of a row that fits, given those of many rows.

    Their power of 2/3 is nearly normal (Wilson and Hilferty); its median and MAD are robust.
    """
    powers = distances ** (2 / 3)
    median = np.median(powers)
    deviation = NORMAL_OVER_MAD * np.median(np.abs(powers - median))
    return float((median + deviation * scipy.stats.norm.ppf(inside)) ** 1.5)


def _along_limit(along: Floats, n_components: int) -> float:
    """Return the largest distance within the plane of a row that fits, given those of many rows."""
    usual = np.median(along) / np.sqrt(scipy.stats.chi2.median(n_components))
    return float(usual * np.sqrt(scipy.stats.chi2.ppf(_INSIDE, n_components)))


def measured(
    x: Floats, shift: Floats, scores: Floats, outlying: SparseRows, model: Model
) -> tuple[Floats, Floats, Floats]:
    """Return how far rows are from the plane and within it, and their share of outlying cells.

    The first is the root mean square of E over the other cells, in units of each feature's noise.
    """
    noise = x - shift.astype(x.dtype) - model.mean.astype(x.dtype)
    noise -= scores @ model.components.astype(x.dtype)
    noise /= np.maximum(model.unit, 1e-100).astype(x.dtype)
    noise[outlying.rows, outlying.indices] = 0
    counts = np.diff(outlying.indptr)
    observed = np.maximum(x.shape[1] - counts, 1)
    deviations = np.sqrt(np.maximum(model.variances, 1e-300)).astype(x.dtype)
    along = np.linalg.norm(np.where(deviations > 1e-100, scores / deviations, 0), axis=1)
    off = np.sqrt(np.einsum("ij,ij->i", noise, noise) / observed)
    return off, along, counts / x.shape[1]


@dataclass(frozen=True)
class RowLimits:
    """The largest distances of a row that counts."""

    off: float
    along: float

    @classmethod
    def of(cls, x: Floats, model: Model) -> RowLimits:
        """Return the limits, given rows that agree and their model."""
        nowhere = np.zeros(x.shape[1])
        off, along, _ = measured(x, nowhere, *robust_scores(x, nowhere, model), model)
        return cls(cutoff(off, _INSIDE), _along_limit(along, len(model.components)))

    def kept(
        self, x: Floats, shift: Floats, scores: Floats, outlying: SparseRows, model: Model
    ) -> NDArray[np.bool_]:
        """Return which rows count."""
        off, along, share = measured(x, shift, scores, outlying, model)
        within: NDArray[np.bool_] = (
            (off <= self.off) & (along <= self.along) & (share <= _MOST_OUTLYING)
        )
        return within

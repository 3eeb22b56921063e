"""What a round does to one block of rows: see `Blocks.run`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from exrpca.decomposition._matrix.shift import sums_of
from exrpca.decomposition._matrix.sparse_rows import SparseRows, only_observed, stacked, without
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.gram_change import gram_change
from exrpca.decomposition._rounds.outliers import Model, set_aside
from exrpca.decomposition._rounds.robust_scores import robust_scores


def first_round(
    x: Floats, aside: SparseRows | None, shift: Floats, model: Model, impute: bool, robust: bool
) -> tuple[tuple[Any, ...], SparseRows]:
    """Set aside what stands out from the model, unless it is known; sum the rest's Gram matrix."""
    shift = shift.astype(x.dtype)
    aside = aside or _first_aside(x, shift, model, robust)
    z = without(x, shift, aside, fill_nan=impute)
    return (*sums_of(z), _counts(aside, x.shape[1])), aside


def next_round(
    x: Floats, old: SparseRows, shift: Floats, model: Model, accumulate: bool
) -> tuple[tuple[Any, ...], SparseRows]:
    """Set aside what stands out from the model; sum what that changes."""
    shift = shift.astype(x.dtype)
    new = set_aside(x, shift, old, model, accumulate=accumulate)
    return (*gram_change(x, shift, old, new), _counts(new, x.shape[1])), new


def first_wide_round(
    x: Floats, aside: SparseRows | None, shift: Floats, model: Model, impute: bool, robust: bool
) -> tuple[tuple[Any, ...], tuple[SparseRows, Floats]]:
    """Set aside what stands out from the model, unless it is known; keep what is left."""
    shift = shift.astype(x.dtype)
    aside = aside or _first_aside(x, shift, model, robust)
    rest = without(x, shift, aside, fill_nan=impute)
    return (np.vdot(rest, rest), _counts(aside, x.shape[1])), (aside, rest)


def next_wide_round(
    x: Floats, old: SparseRows, shift: Floats, model: Model, accumulate: bool, impute: bool
) -> tuple[tuple[Any, ...], tuple[SparseRows, Floats]]:
    """Set aside what stands out from the model; keep what is left, and sum what changed."""
    shift = shift.astype(x.dtype)
    new = set_aside(x, shift, old, model, accumulate=accumulate)
    change = stacked([old], x.shape[1]) - stacked([new], x.shape[1])
    rest = without(x, shift, new, fill_nan=impute)
    squares = np.vdot(change.data, change.data)
    return (np.vdot(rest, rest), _counts(new, x.shape[1]), squares), (new, rest)


def _first_aside(x: Floats, shift: Floats, model: Model, robust: bool) -> SparseRows:
    """Set aside what stands out in rows met for the first time."""
    return robust_scores(x, shift, model)[1] if robust else set_aside(x, shift, None, model)


def _counts(aside: SparseRows, n_features: int) -> NDArray[np.int64]:
    """Return how many elements of each feature are set aside."""
    return np.bincount(aside.indices, minlength=n_features)


def leave_out_missing(x: Floats, aside: SparseRows) -> tuple[tuple[Any, ...], SparseRows]:
    """Take the missing values out of the sparse part."""
    return (), only_observed(x, aside)

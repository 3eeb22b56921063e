"""The scores of rows under a known model, without their outlying cells.

Each row is fitted on its own: a few Huber steps, in units of each feature's noise and close to
least absolute deviations, so that no cell pulls far. What is then beyond the threshold is set aside
and filled with its conditional mean given the other cells of the row, for normal scores and normal
noise, until the same cells stay aside. The filled row is projected. So a row without outliers has
the scores that PCA gives it.
"""

from __future__ import annotations

import numpy as np

from exrpca.decomposition._matrix.sparse_rows import SparseRows
from exrpca.decomposition._matrix.types import Floats
from exrpca.decomposition._rounds.compiled import compiled
from exrpca.decomposition._rounds.outliers import Model

# In noise standard deviations: a small one is near least absolute deviations.
_HUBER = 0.5
# The standard deviation of a normal distribution over the median of its absolute values.
_NORMAL = 1.4826
_HUBER_STEPS = 3
_MOST_STEPS = 10


def robust_scores(x: Floats, shift: Floats, model: Model) -> tuple[Floats, SparseRows]:
    """Return the scores of rows, and their cells that stand out from the model.

    `model` is relative to `shift`. Missing values are among the cells set aside; their value in
    the sparse part is relative to `shift`, as `set_aside` has it.
    """
    least = 1e-100  # its square is still a number
    scores, indptr, indices, values = _robust_scores(
        x,
        shift.astype(np.float64),
        model.mean.astype(np.float64),
        np.ascontiguousarray(model.components, dtype=np.float64),
        np.maximum(model.unit, least).astype(np.float64),
        1 / np.maximum(model.variances.astype(np.float64), least),
        float(model.threshold),
    )
    return scores.astype(x.dtype), SparseRows(indptr, indices, values.astype(x.dtype))


@compiled
def _robust_scores(x, shift, mean, u, unit, precision, threshold):  # type: ignore[no-untyped-def]
    n, d = x.shape
    k = u.shape[0]
    all_scores = np.empty((n, k))
    indptr = np.zeros(n + 1, np.int64)
    indices = np.empty(n * d // 16 + d, np.int32)
    values = np.empty(indices.size)
    row = np.empty(d)
    missing = np.zeros(d, np.bool_)
    aside = np.zeros(d, np.bool_)
    weights = np.empty(d)
    sizes = np.empty(d)
    low_rank = np.empty(d)
    scores = np.empty(k)
    system = np.empty((k, k))
    begin = 0
    for i in range(n):
        for j in range(d):
            missing[j] = x[i, j] != x[i, j]
            row[j] = 0.0 if missing[j] else x[i, j] - shift[j] - mean[j]
            low_rank[j] = 0.0
        if not np.isfinite(row.sum()):
            # The sums over the matrix tell, and the error says where.
            all_scores[i] = np.nan
            indptr[i + 1] = begin
            continue
        _soft(row, missing, u, unit, precision, system, weights, low_rank, scores)
        _judge(row, low_rank, missing, unit, threshold, scores.size, aside, sizes)
        _hard(
            row,
            missing,
            u,
            unit,
            precision,
            system,
            threshold,
            aside,
            weights,
            low_rank,
            scores,
            sizes,
        )
        if begin + d > indices.size:
            indices = _grown(indices, d)
            values = _grown(values, d)
        for j in range(d):
            if aside[j]:
                indices[begin] = j
                values[begin] = -mean[j] - low_rank[j] if missing[j] else row[j] - low_rank[j]
                begin += 1
        indptr[i + 1] = begin
        all_scores[i] = scores
    return all_scores, indptr, indices[:begin].copy(), values[:begin].copy()


@compiled
def _soft(row, missing, u, unit, precision, system, weights, low_rank, scores):  # type: ignore[no-untyped-def]
    """Fill `scores` and `low_rank` by Huber steps."""
    for _ in range(_HUBER_STEPS):
        for j in range(row.size):
            size = abs(row[j] - low_rank[j])
            weight = _HUBER * unit[j] / size if size > _HUBER * unit[j] else 1.0
            weights[j] = 0.0 if missing[j] else weight / (unit[j] * unit[j])
        _conditional_mean(row, u, weights, precision, system, scores)
        _combine(u, scores, low_rank)


@compiled
def _hard(  # type: ignore[no-untyped-def]
    row, missing, u, unit, precision, system, threshold, aside, weights, low_rank, scores, sizes
):
    """Settle which cells are aside; fill `scores`, and `low_rank` with the rows they give."""
    filled = np.empty_like(row)
    for _ in range(_MOST_STEPS):
        count = 0
        for j in range(row.size):
            filled[j] = row[j]
            weights[j] = 0.0 if aside[j] else 1 / (unit[j] * unit[j])
            count += aside[j]
        if count > 0:
            _conditional_mean(row, u, weights, precision, system, scores)
            _combine(u, scores, low_rank)
            for j in range(row.size):
                if aside[j]:
                    filled[j] = low_rank[j]
        for c in range(scores.size):
            total = 0.0
            for j in range(row.size):
                total += u[c, j] * filled[j]
            scores[c] = total
        _combine(u, scores, low_rank)
        for j in range(row.size):
            filled[j] = filled[j] if aside[j] else low_rank[j]
        if not _judge(row, filled, missing, unit, threshold, scores.size, aside, sizes):
            break


@compiled
def _judge(row, expected, missing, unit, threshold, rank, aside, sizes):  # type: ignore[no-untyped-def]
    """Mark the cells far from what is expected; return whether the marks changed.

    Too few near ones say nothing about `rank` scores. Such a row, as there may be many where there
    is next to no noise, has a larger unit of its own.
    """
    observed = 0
    far = 0
    for j in range(row.size):
        if not missing[j]:
            sizes[observed] = abs(row[j] - expected[j]) / unit[j]
            far += sizes[observed] > threshold
            observed += 1
    limit = threshold
    if observed - far <= rank and observed > 0:
        limit *= max(_NORMAL * np.median(sizes[:observed]), 1.0)
    changed = False
    for j in range(row.size):
        stands_out = missing[j] or not abs(row[j] - expected[j]) <= limit * unit[j]
        changed |= stands_out != aside[j]
        aside[j] = stands_out
    return changed


@compiled
def _conditional_mean(row, u, weights, precision, system, scores):  # type: ignore[no-untyped-def]
    """Fill `scores` with those of a row given its cells, each with a weight: 1/variance."""
    k = u.shape[0]
    for a in range(k):
        total = 0.0
        for j in range(row.size):
            total += weights[j] * u[a, j] * row[j]
        scores[a] = total
        for b in range(a + 1):
            total = 0.0
            for j in range(row.size):
                total += weights[j] * u[a, j] * u[b, j]
            system[a, b] = total
        system[a, a] += precision[a]
    _solve(system, scores)


@compiled
def _solve(system, right):  # type: ignore[no-untyped-def]
    """Solve a small positive definite system in place; a call of LAPACK takes ten times as long.

    Only the lower triangle of `system` is used, and becomes its Cholesky factor.
    """
    k = right.size
    for a in range(k):
        for b in range(a + 1):
            total = system[a, b]
            for c in range(b):
                total -= system[a, c] * system[b, c]
            system[a, b] = total / system[b, b] if b < a else np.sqrt(max(total, 1e-300))
    for a in range(k):
        for c in range(a):
            right[a] -= system[a, c] * right[c]
        right[a] /= system[a, a]
    for a in range(k - 1, -1, -1):
        for c in range(a + 1, k):
            right[a] -= system[c, a] * right[c]
        right[a] /= system[a, a]


@compiled
def _combine(u, scores, low_rank):  # type: ignore[no-untyped-def]
    """Fill `low_rank` with the row of the subspace that has these scores."""
    for j in range(low_rank.size):
        low_rank[j] = 0.0
    for c in range(scores.size):
        for j in range(low_rank.size):
            low_rank[j] += scores[c] * u[c, j]


@compiled
def _grown(array, least):  # type: ignore[no-untyped-def]
    larger = np.empty(2 * array.size + least, array.dtype)
    larger[: array.size] = array
    return larger

"""One row against the model: its scores along the components, and its residual."""

from __future__ import annotations

from exrpca.decomposition._rounds.compiled import compiled


@compiled
def relative(x, origin, mean, row):  # type: ignore[no-untyped-def]
    """Fill `row` with a row relative to the model's mean; return how many values are missing."""
    missing = 0
    for j in range(x.size):
        row[j] = x[j] - origin[j] if x[j] == x[j] else -mean[j]
        missing += x[j] != x[j]
    return missing


@compiled
def project(row, u, scores):  # type: ignore[no-untyped-def]
    """Fill `scores` with the coordinates of a row along the components."""
    for c in range(u.shape[0]):
        total = row.dtype.type(0)
        for j in range(row.size):
            total += u[c, j] * row[j]
        scores[c] = total


@compiled
def subtract_scores(u, indices, values, scores):  # type: ignore[no-untyped-def]
    """Subtract the scores of a row's sparse part."""
    for c in range(u.shape[0]):
        total = scores[c]
        for p in range(indices.size):
            total -= u[c, indices[p]] * values[p]
        scores[c] = total


@compiled
def residual(row, u, scores, e):  # type: ignore[no-untyped-def]
    """Fill `e` with what the components leave of a row."""
    for j in range(row.size):
        e[j] = row[j]
    k = u.shape[0]
    for c in range(0, k - 1, 2):  # two at a time halve the traffic through e
        for j in range(row.size):
            e[j] -= scores[c] * u[c, j] + scores[c + 1] * u[c + 1, j]
    if k % 2 == 1:
        for j in range(row.size):
            e[j] -= scores[k - 1] * u[k - 1, j]

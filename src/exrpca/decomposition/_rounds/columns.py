"""Rows of a matrix as columns that take steps together, in compiled code."""

from __future__ import annotations

import numpy as np

from exrpca.decomposition._rounds.compiled import called, compiled

# Rows that are turned into columns at a time.
_TURNED = 16


@called
def as_matrix(array, n_rows, n_columns):  # type: ignore[no-untyped-def]
    """Return the first elements of an array as a matrix."""
    return array[: n_rows * n_columns].reshape(n_rows, n_columns)


@called
def multiply(a, b, product):  # type: ignore[no-untyped-def]
    """Fill `product` with a · b."""
    np.dot(a, b, product)


@called
def combine(v, scores, columns):  # type: ignore[no-untyped-def]
    """Fill `columns` with vᵀ · scores."""
    np.dot(v.T, scores, columns)


@called
def copy_cells(source, target):  # type: ignore[no-untyped-def]
    """Copy a matrix; like the next two, it compiles faster than an assignment to a slice."""
    for j in range(source.shape[0]):
        for i in range(source.shape[1]):
            target[j, i] = source[j, i]


@called
def clear_cells(columns):  # type: ignore[no-untyped-def]
    """Fill a matrix with 0."""
    for j in range(columns.shape[0]):
        for i in range(columns.shape[1]):
            columns[j, i] = 0


@called
def add_cells(more, total):  # type: ignore[no-untyped-def]
    """Add a matrix to `total`."""
    for j in range(total.shape[0]):
        for i in range(total.shape[1]):
            total[j, i] += more[j, i]


@called
def take_columns(columns, numbers, taken):  # type: ignore[no-untyped-def]
    """Copy some columns."""
    for j in range(columns.shape[0]):
        for p in range(numbers.size):
            taken[j, p] = columns[j, numbers[p]]


@called
def put_columns(taken, numbers, columns):  # type: ignore[no-untyped-def]
    """Copy columns back to where they were taken from."""
    for j in range(columns.shape[0]):
        for p in range(numbers.size):
            columns[j, numbers[p]] = taken[j, p]


@called
def count_up(numbers):  # type: ignore[no-untyped-def]
    """Fill in the numbers of all columns."""
    for i in range(numbers.size):
        numbers[i] = i


@called
def move_larger_first(numbers, sizes, limit):  # type: ignore[no-untyped-def]
    """Move the numbers whose size is larger to the front; return how many there are."""
    count = 0
    for p in range(numbers.size):
        numbers[count] = numbers[p]
        count += sizes[p] > limit
    return count


@called
def turn_rows(x, origin, per_unit, z):  # type: ignore[no-untyped-def]
    """Fill the columns of `z` with rows in units of noise, a few rows at a time."""
    n, d = x.shape
    whole = n - n % _TURNED
    for first in range(0, whole, _TURNED):
        for j in range(d):
            for i in range(_TURNED):
                z[j, first + i] = (x[first + i, j] - origin[j]) * per_unit[j]
    for i in range(whole, n):
        for j in range(d):
            z[j, i] = (x[i, j] - origin[j]) * per_unit[j]


@compiled
def solve(systems, precision, right):  # type: ignore[no-untyped-def]
    """Turn the columns of `right` into the solutions; `systems` is overwritten."""
    _factorize(systems, precision)
    k, n = right.shape
    row_a = 0  # where row a of the triangle begins
    for a in range(k):
        for c in range(a):
            for i in range(n):
                right[a, i] -= systems[row_a + c, i] * right[c, i]
        for i in range(n):
            right[a, i] /= systems[row_a + a, i]
        row_a += a + 1
    for a in range(k - 1, -1, -1):
        row_a -= a + 1
        for i in range(n):
            right[a, i] /= systems[row_a + a, i]
        for c in range(a):
            for i in range(n):
                right[c, i] -= systems[row_a + c, i] * right[a, i]


@compiled
def _factorize(systems, precision):  # type: ignore[no-untyped-def]
    """Turn each system into its Cholesky factor."""
    n = systems.shape[1]
    row_a = 0
    for a in range(precision.size):
        row_b = 0
        for b in range(a + 1):
            for c in range(b):
                for i in range(n):
                    systems[row_a + b, i] -= systems[row_a + c, i] * systems[row_b + c, i]
            if b < a:
                for i in range(n):
                    systems[row_a + b, i] /= systems[row_b + b, i]
            row_b += b + 1
        for i in range(n):
            systems[row_a + a, i] = np.sqrt(max(systems[row_a + a, i], 0.0) + precision[a])
        row_a += a + 1

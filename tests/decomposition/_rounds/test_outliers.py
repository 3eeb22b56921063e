import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca.decomposition._matrix.sparse_rows import SparseRows, stacked
from exrpca.decomposition._rounds.outliers import Model, find_outliers

N, D, RANK = 6, 13, 2


def dense(part):
    return stacked([part], D).toarray()


def random_case(seed):
    """Rows near a plane, a few outliers, and the model of that plane."""
    random = np.random.default_rng(seed)
    components = np.linalg.qr(random.normal(size=(D, RANK)))[0].T
    x = random.normal(size=(N, RANK)) @ components + 0.01 * random.normal(size=(N, D))
    outliers = np.where(random.random((N, D)) < 0.05, random.uniform(5, 9, (N, D)), 0)
    return x, outliers, Model(np.zeros(D), components, 0.1, np.ones(D), np.ones(RANK))


@given(seed=st.integers(0, 10**6), accumulate=st.booleans())
def test_elements_are_judged_by_their_residual_without_the_old_outliers(seed, accumulate):
    x, old, model = random_case(seed)
    projector = model.components.T @ model.components
    residual = x - (x - old) @ projector
    if accumulate:
        left = residual - old
        expected = old + np.where(np.abs(left) > model.threshold, left, 0)
    else:
        expected = np.where(np.abs(residual) > model.threshold, residual, 0)
    found = dense(find_outliers(x, np.zeros(D), SparseRows.of(old), model, accumulate=accumulate))
    # An element that hardly moved keeps its old value.
    np.testing.assert_allclose(found, expected, atol=0.011 * model.threshold)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_peeling_finds_an_outlier_that_would_hide_its_row(dtype):
    x, _, model = random_case(0)
    x[2, 5] += 1000
    found = dense(find_outliers(x.astype(dtype), np.zeros(D), None, model))
    assert found.dtype == dtype
    assert [tuple(where) for where in np.argwhere(found)] == [(2, 5)]
    assert found[2, 5] == pytest.approx(1000, abs=1)


def test_missing_values_are_always_take_out():
    x, _, model = random_case(1)
    x[4, 7] = np.nan
    for old in (None, SparseRows.empty(N, x.dtype)):
        part = find_outliers(x, np.zeros(D), old, model)
        assert part.indices[part.indptr[4] : part.indptr[5]].tolist() == [7]


def test_more_outliers_than_there_is_room_for_at_first():
    x = np.arange(1.0, 2001).reshape(-1, 2)
    np.testing.assert_array_equal(
        stacked([find_outliers(x, np.zeros(2), None, Model.blank(2, threshold=0.5))], 2).toarray(),
        x,
    )

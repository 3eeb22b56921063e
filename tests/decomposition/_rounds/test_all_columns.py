"""Wide matrices, whose rows are placed by a sample of the columns."""

from dataclasses import replace

import numpy as np
import pytest

from exrpca.decomposition import ExRPCA, make_low_rank
from exrpca.decomposition._rounds.all_columns import on_all_columns, sampled_columns
from exrpca.decomposition._rounds.choice import choose_fit

N, D, RANK = 80, 15_000, 3


@pytest.fixture(scope="module")
def planted():
    return make_low_rank(N, D, n_components=RANK, noise=0.1, outlier_share=0.1, dtype=np.float32)


def test_only_wide_matrices_are_sampled_by_columns():
    columns = sampled_columns((N, D), RANK)
    assert len(np.unique(columns)) == len(columns) < D / 2
    assert len(sampled_columns((D, N), RANK)) == N
    assert len(sampled_columns((N, 1000), RANK)) == 1000


def test_many_components_need_many_columns():
    assert len(sampled_columns((1000, D), 200)) >= 5 * 200


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("missing", ["error", "impute"])
def test_a_fit_is_that_of_the_matrix_without_outliers(planted, center, missing):
    X = planted.matrix.copy()
    if missing == "impute":
        X[np.random.default_rng(0).random(X.shape) < 0.05] = np.nan
    model = ExRPCA(RANK, center=center, missing=missing).fit(X)
    clean = ExRPCA(RANK, center=center).fit(planted.low_rank + planted.noise)
    turn = model.components_ @ clean.components_.T
    assert np.linalg.svd(turn, compute_uv=False).min() > 0.99


@pytest.mark.parametrize("held", [True, False])
def test_columns_left_out_are_fitted_like_the_others(planted, held):
    X = planted.matrix - planted.matrix.mean(axis=0)
    columns = np.arange(0, D, 10)
    fit = choose_fit(X[:, columns], np.zeros(len(columns)), RANK, 5.0, center=True)
    whole = on_all_columns(replace(fit, held=held), X, center=True)
    error = np.linalg.norm(whole.low_rank + planted.matrix.mean(axis=0) - planted.low_rank)
    assert error < 0.05 * np.linalg.norm(planted.low_rank)
    rows = whole.low_rank - whole.model.mean
    u = whole.model.components
    np.testing.assert_allclose(u @ u.T, np.eye(RANK), atol=1e-4)
    np.testing.assert_allclose(rows @ u.T @ u, rows, atol=1e-3)
    found = whole.aside & (np.abs(planted.sparse) > 1)
    assert found.sum() > 0.98 * (np.abs(planted.sparse) > 1).sum()

"""Gaps in real tables are filled as well as by iterative PCA at the same rank, or better."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from exrpca.decomposition import ConvexExRPCA, ExRPCA, RobustPCA


def iterative_pca(X, gaps, rank):
    filled = np.where(gaps, np.nanmean(X, axis=0), X)
    for _ in range(200):
        pca = PCA(rank, svd_solver="covariance_eigh").fit(filled)
        filled = np.where(gaps, pca.inverse_transform(pca.transform(filled)), X)
    return filled


@pytest.fixture(scope="module", params=["digits", "cancer"])
def hidden_cells(request):
    """A table, which of its cells are hidden, the rank, and the error of iterative PCA."""
    if request.param == "digits":
        X, rank = load_digits().data, 10
    else:
        X, rank = StandardScaler().fit_transform(load_breast_cancer().data), 5
    gaps = np.random.default_rng(0).random(X.shape) < 0.2
    filled = iterative_pca(np.where(gaps, np.nan, X), gaps, rank)
    return X, gaps, rank, np.sqrt(np.mean((filled - X)[gaps] ** 2))


@pytest.mark.parametrize("kind", [ExRPCA, ConvexExRPCA, RobustPCA])
def test_gaps_are_filled_as_well_as_by_iterative_pca(kind, hidden_cells):
    X, gaps, rank, limit = hidden_cells
    holes = np.where(gaps, np.nan, X)
    L = kind(rank, missing="impute").fit(holes).decompose(holes)[0]
    assert np.sqrt(np.mean((L - X)[gaps] ** 2)) <= limit


@pytest.mark.parametrize("kind", [ExRPCA, ConvexExRPCA, RobustPCA])
def test_outliers_hardly_matter_to_what_fills_gaps(kind, hidden_cells):
    X, gaps, rank, limit = hidden_cells
    random = np.random.default_rng(1)
    moved = (random.random(X.shape) < 0.05) * random.choice([-10, 10], X.shape)
    holes = np.where(gaps, np.nan, X + moved * X.std(axis=0))
    L = kind(rank, missing="impute").fit(holes).decompose(holes)[0]
    assert np.sqrt(np.mean((L - X)[gaps] ** 2)) <= 1.05 * limit


def test_gaps_of_a_wide_matrix_are_filled(hidden_cells):
    X, gaps, rank, limit = hidden_cells
    holes = np.where(gaps, np.nan, X).T
    L = RobustPCA(rank, missing="impute").fit(holes).decompose(holes)[0]
    assert np.sqrt(np.mean((L.T - X)[gaps] ** 2)) <= 1.1 * limit

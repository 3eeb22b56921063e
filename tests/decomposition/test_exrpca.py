import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning

from exrpca.decomposition import ExRPCA, make_low_rank

UPDATES = ("recompute", "accumulate")


def relative_error(found, true):
    return np.linalg.norm(found - true) / np.linalg.norm(true)


def oracle_error(parts, rank):
    clean = parts.low_rank + parts.noise
    pca = PCA(rank).fit(clean)
    return relative_error(pca.inverse_transform(pca.transform(clean)), parts.low_rank)


@pytest.mark.parametrize(("update", "allowed"), [("recompute", 1.1), ("accumulate", 1.25)])
def test_finds_the_planted_parts(update, allowed):
    parts = make_low_rank(5000, 100, n_components=5)
    model = ExRPCA(5, update=update).fit(parts.matrix)
    clean = parts.matrix - model.sparse_.toarray()
    found = model.inverse_transform(model.transform(clean))
    assert relative_error(found, parts.low_rank) < allowed * oracle_error(parts, 5)
    aside, true = model.sparse_.toarray() != 0, parts.sparse != 0
    assert (aside & true).sum() / aside.sum() > 0.92
    assert (aside & true).sum() / true.sum() > 0.92
    assert model.noise_scale_ == pytest.approx(0.1, rel=0.05)
    assert model.converged_


@pytest.mark.parametrize("update", UPDATES)
def test_agrees_with_a_plain_implementation_of_the_rounds(angle, update):
    """The Gram matrix that is only told of changes is the one of X − S."""
    X = make_low_rank(600, 20, n_components=2).matrix
    model = ExRPCA(2, update=update, center=False, tol=0.0, max_iter=30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X)
    clean = X - model.sparse_.toarray()
    values, vectors = np.linalg.eigh(clean.T @ clean)
    assert angle(model.components_, vectors[:, -2:].T) < 1e-7
    np.testing.assert_allclose(model.explained_variance_, values[:-3:-1] / len(X), rtol=1e-10)
    np.testing.assert_allclose(
        model.explained_variance_ratio_, values[:-3:-1] / values.sum(), rtol=1e-10
    )


def test_accumulate_is_algorithm_1(angle):
    X = make_low_rank(600, 20, n_components=2).matrix
    S = np.zeros_like(X)
    while True:
        U = np.linalg.svd(X - S, full_matrices=False)[2][:2]
        E = (X - S) @ (np.eye(20) - U.T @ U)
        outside = np.abs(E) > 3 * np.sqrt((E**2).mean())
        if not outside.any():
            break
        S += np.where(outside, E, 0)
    model = ExRPCA(2, update="accumulate", center=False, tol=0.0).fit(X)
    np.testing.assert_allclose(model.sparse_.toarray(), S, atol=1e-10)
    assert angle(model.components_, U) < 1e-7


@settings(max_examples=25)
@given(
    n=st.integers(3, 60), d=st.integers(2, 12), seed=st.integers(0, 10**6),
    update=st.sampled_from(UPDATES), center=st.booleans(), scale=st.sampled_from([1e-6, 1.0, 1e6]),
)  # fmt: skip
def test_parts_sum_to_x_and_components_are_orthonormal(n, d, seed, update, center, scale):
    random = np.random.default_rng(seed)
    X = scale * (random.normal(size=(n, d)) + 20 * (random.random((n, d)) < 0.03))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = ExRPCA(1, update=update, center=center, max_iter=20).fit(X)
    np.testing.assert_allclose(model.components_ @ model.components_.T, 1, atol=1e-12)
    L, E, S = model.decompose(X)
    np.testing.assert_allclose(L + E + S, X, atol=1e-12 * np.abs(X).max())
    assert model.sparse_.shape == X.shape


def test_decompose_repeats_the_fit_on_the_rows_fitted_on():
    X = make_low_rank(5000, 60).matrix
    model = ExRPCA(3).fit(X)
    _, _, S = model.decompose(X)
    differ = (S.toarray() != 0) != (model.sparse_.toarray() != 0)
    assert differ.mean() < 1e-3


def test_decompose_works_on_new_rows():
    parts = make_low_rank(5000, 60)
    model = ExRPCA(3).fit(parts.matrix[:4000])
    L, _, S = model.decompose(parts.matrix[4000:])
    assert relative_error(L, parts.low_rank[4000:]) < 0.05
    large = np.abs(parts.sparse[4000:]) > 1
    assert (S.toarray()[large] != 0).mean() > 0.99


def test_one_huge_outlier_does_not_hide_its_row():
    parts = make_low_rank(500, 10, n_components=2, outlier_share=0)
    X = parts.matrix
    X[7, 3] += 1e6
    model = ExRPCA(2).fit(X)
    assert model.sparse_[7, 3] == pytest.approx(1e6, abs=1)
    assert np.count_nonzero(model.sparse_[[7]].toarray()) <= 2


@pytest.mark.parametrize("update", UPDATES)
def test_without_outliers_only_the_tail_is_set_aside(update):
    X = make_low_rank(5000, 40, outlier_share=0).matrix
    model = ExRPCA(3, update=update).fit(X)
    # A normal distribution has 0.27% outside 3σ; rounds that trim it narrow σ a little.
    assert model.sparse_.nnz / X.size < 0.006


def test_without_noise_the_parts_are_exact():
    parts = make_low_rank(2000, 40, noise=0)
    model = ExRPCA(3, tol=0).fit(parts.matrix)
    L, _, _ = model.decompose(parts.matrix)
    errors = np.linalg.norm(L - parts.low_rank, axis=1)
    # A row in which outliers outweigh the rest can be beyond saving.
    assert np.quantile(errors, 0.99) < 1e-6
    assert model.noise_scale_ < 1e-6


def test_centering_finds_the_mean(angle):
    parts = make_low_rank(3000, 30)
    mean = np.random.default_rng(1).normal(scale=100, size=30)
    model = ExRPCA(3).fit(parts.matrix + mean)
    np.testing.assert_allclose(model.mean_, mean, atol=0.1)
    assert angle(model.components_, ExRPCA(3).fit(parts.matrix).components_) < 1e-6


def test_a_large_mean_does_not_spoil_single_precision(angle):
    X = make_low_rank(3000, 30).matrix
    shifted = (X + 1000).astype(np.float32)
    assert angle(ExRPCA(3).fit(X).components_, ExRPCA(3).fit(shifted).components_) < 1e-3


def test_missing_values_are_filled():
    parts = make_low_rank(3000, 40)
    X = parts.matrix
    gone = np.random.default_rng(1).random(X.shape) < 0.1
    X[gone] = np.nan
    model = ExRPCA(3, missing="impute").fit(X)
    L, E, S = model.decompose(X)
    assert relative_error(L[gone], parts.low_rank[gone]) < 0.06
    assert not model.sparse_.toarray()[gone].any()
    np.testing.assert_allclose((L + E + S)[~gone], X[~gone], atol=1e-12)


@pytest.mark.parametrize(("value", "name"), [(np.nan, "NaN"), (np.inf, "infinity")])
def test_values_that_are_not_finite_are_refused_with_their_position(value, name):
    X = make_low_rank(3000, 40).matrix
    X[1234, 17] = value
    with pytest.raises(ValueError, match=f"{name} at row 1234, column 17"):
        ExRPCA(3).fit(X)


def test_infinity_is_refused_even_when_nan_is_accepted():
    X = make_low_rank(100, 10).matrix
    X[3, 4] = -np.inf
    with pytest.raises(ValueError, match="infinity at row 3, column 4"):
        ExRPCA(2, missing="impute").fit(X)


@pytest.mark.parametrize("update", UPDATES)
def test_half_and_full_difference_matrices_agree(angle, update):
    half = make_low_rank(400, 30).matrix
    full = np.concatenate([half, -half])
    a = ExRPCA(3, update=update, center=False).fit(half)
    b = ExRPCA(3, update=update, center=False).fit(full)
    assert angle(a.components_, b.components_) < 1e-9
    np.testing.assert_allclose(b.sparse_[:400].toarray(), a.sparse_.toarray(), atol=1e-10)
    np.testing.assert_allclose(a.explained_variance_ratio_, b.explained_variance_ratio_)
    assert a.noise_scale_ == pytest.approx(b.noise_scale_)


def test_stopping_early_warns_and_says_so():
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        model = ExRPCA(3, max_iter=1, tol=0).fit(make_low_rank(2000).matrix)
    assert not model.converged_


def test_callback_is_told_every_round():
    told = []
    model = ExRPCA(3, callback=told.append).fit(make_low_rank(2000).matrix)
    assert [iteration.number for iteration in told] == list(range(1, model.n_iter_ + 1))
    assert "set aside" in str(told[-1])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 41}, "n_components=41 must be between 1 and"),
        ({"n_components": 0}, "n_components == 0"),
        ({"threshold": 0}, "threshold=0"),
        ({"update": "other"}, "update='other'"),
        ({"missing": "drop"}, "missing='drop'"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        ExRPCA(**{"n_components": 2, **parameters}).fit(make_low_rank(2000).matrix)

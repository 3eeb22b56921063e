import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning

from exrpca.decomposition import ExRPCA, RobustFitWarning, make_low_rank
from exrpca.decomposition._rounds import alternation

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
    scale = "global" if update == "accumulate" else "feature"
    model = ExRPCA(5, update=update, scale=scale).fit(parts.matrix)
    clean = parts.matrix - model.sparse_.toarray()
    found = model.inverse_transform(model.transform(clean))
    assert relative_error(found, parts.low_rank) < allowed * oracle_error(parts, 5)
    outlying, true = model.sparse_.toarray() != 0, parts.sparse != 0
    assert (outlying & true).sum() / outlying.sum() > 0.92
    assert (outlying & true).sum() / true.sum() > 0.92
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
    model = ExRPCA(2, update="accumulate", scale="global", center=False, tol=0.0).fit(X)
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
def test_without_outliers_only_the_tail_is_take_out(update):
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
        model = ExRPCA(3, scale="global", max_iter=1, tol=0).fit(make_low_rank(2000).matrix)
    assert not model.converged_


def test_callback_is_told_every_round():
    told = []
    model = ExRPCA(3, callback=told.append).fit(make_low_rank(2000).matrix)
    assert [iteration.number for iteration in told] == list(range(1, model.n_iter_ + 1))
    assert "taken out" in str(told[-1])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 41}, "too few for 41 components: pass n_components=40 or less"),
        ({"n_components": 0}, "n_components == 0"),
        ({"n_components": "all"}, "n_components='all'"),
        ({"threshold": 0}, "threshold == 0"),
        ({"update": "other"}, "update='other'"),
        ({"missing": "drop"}, "missing='drop'"),
        ({"scale": "row"}, "scale='row'"),
        ({"scores": "soft"}, "scores='soft'"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        ExRPCA(**{"n_components": 2, **parameters}).fit(make_low_rank(2000).matrix)


def corrupted(X, share, size, seed=0):
    """Move a share of the cells by ±`size` standard deviations of their features."""
    random = np.random.default_rng(seed)
    signs = np.where(random.random(X.shape) < 0.5, -1, 1)
    return X + (random.random(X.shape) < share) * signs * size * X.std(axis=0)


def residual_on_clean_rows(model, X):
    rows = X - model.mean_
    return np.sum((rows - rows @ model.components_.T @ model.components_) ** 2)


def standardized(X):
    return (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1)


@pytest.mark.parametrize("share", [0, 0.05, 0.2])
@pytest.mark.parametrize(
    ("load", "rank", "allowed"),
    [
        (lambda: load_digits().data, 10, 1.12),
        (lambda: standardized(load_breast_cancer().data), 5, 1.05),
        (lambda: load_breast_cancer().data, 3, 1.5),
    ],
    ids=["digits", "breast cancer", "breast cancer, raw units"],
)
def test_outlying_cells_of_a_real_table_do_not_bend_the_components(load, rank, allowed, share):
    rows = np.random.default_rng(0).permutation(load())
    n = round(0.8 * len(rows))
    train, test = rows[:n], rows[n:]
    model = ExRPCA(rank).fit(corrupted(train, share, size=10))
    ideal = residual_on_clean_rows(PCA(rank).fit(train), test)
    assert residual_on_clean_rows(model, test) < allowed * ideal


def test_the_unit_of_a_feature_hardly_changes_what_is_take_out():
    X = corrupted(standardized(load_breast_cancer().data), 0.05, size=10)
    units = 10.0 ** np.random.default_rng(0).integers(-3, 4, X.shape[1])
    a, b = ExRPCA(5).fit(X), ExRPCA(5).fit(X * units)
    assert np.mean((a.sparse_.toarray() != 0) != (b.sparse_.toarray() != 0)) < 0.01


def test_one_cell_hardly_moves_the_scores():
    parts = make_low_rank(3000, 100, n_components=5, outlier_share=0)
    X = parts.matrix
    model = ExRPCA(5).fit(X)
    broken = X[:100].copy()
    broken[np.arange(100), np.arange(100)] = 1000
    assert np.abs(model.transform(broken) - model.transform(X[:100])).max() < model.noise_scale_
    linear = ExRPCA(5, scores="linear").fit(X)
    assert np.abs(linear.transform(broken) - linear.transform(X[:100])).max() > 50


def test_clean_rows_have_the_scores_of_the_plain_projection():
    X = make_low_rank(2000, 30, outlier_share=0).matrix
    model = ExRPCA(3, threshold=8).fit(X)
    np.testing.assert_allclose(
        model.transform(X), (X - model.mean_) @ model.components_.T, atol=1e-10
    )


@pytest.mark.parametrize("scores", ["robust", "linear"])
def test_fit_transform_and_decompose_agree_with_transform(scores):
    X = make_low_rank(2000, 30).matrix
    model = ExRPCA(3, scores=scores)
    found = model.fit_transform(X)
    np.testing.assert_allclose(found, model.transform(X), atol=1e-12)
    if scores == "robust":
        L, E, S = model.decompose(X)
        np.testing.assert_allclose(L, model.inverse_transform(found), atol=1e-12)
        np.testing.assert_allclose(E[S.toarray() != 0], 0, atol=1e-12)


def test_many_outliers_are_a_warning():
    X = np.random.default_rng(0).standard_t(0.5, size=(300, 20))
    with pytest.warns(RobustFitWarning, match="of the elements were taken out"):
        ExRPCA(1, threshold=1).fit(X)


def test_features_of_different_scale_under_one_sigma_are_a_warning():
    X = load_breast_cancer().data
    with pytest.warns(RobustFitWarning, match="scale='feature'"):
        ExRPCA(3, scale="global").fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RobustFitWarning)
        ExRPCA(3).fit(X)
        ExRPCA(3, scale="global").fit(make_low_rank().matrix)


@pytest.mark.parametrize("scale", ["feature", "global"])
def test_noise_that_is_far_from_normal_is_a_warning(scale):
    """Nine of ten residuals are next to 0, so that the others are not noise around L."""
    parts = make_low_rank(600, 20, outlier_share=0, noise=0.1)
    often_small = np.random.default_rng(0).random(parts.matrix.shape) < 0.9
    X = np.where(often_small, parts.low_rank + (parts.matrix - parts.low_rank) / 50, parts.matrix)
    with pytest.warns(RobustFitWarning, match="far from normal noise"):
        ExRPCA(3, scale=scale, threshold=1000).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RobustFitWarning)
        ExRPCA(3, scale=scale).fit(parts.matrix)
        ExRPCA(3, scale=scale).fit(make_low_rank(noise=0).matrix)


@pytest.mark.parametrize("scale", ["feature", "global"])
@pytest.mark.parametrize("center", [True, False])
def test_a_wide_matrix_has_the_result_of_the_large_gram_matrix(monkeypatch, angle, scale, center):
    X = make_low_rank(60, 90, n_components=2).matrix
    wide = ExRPCA(2, scale=scale, center=center).fit(X)
    monkeypatch.setattr(alternation, "WideAlternation", alternation.TallAlternation)
    tall = ExRPCA(2, scale=scale, center=center).fit(X)
    assert angle(wide.components_, tall.components_) < 1e-6
    np.testing.assert_allclose(wide.sparse_.toarray(), tall.sparse_.toarray(), atol=1e-6)
    np.testing.assert_allclose(wide.explained_variance_, tall.explained_variance_, rtol=1e-6)
    np.testing.assert_allclose(wide.noise_scales_, tall.noise_scales_, rtol=1e-6)


def test_a_very_wide_matrix_needs_no_square_matrix_of_its_features():
    parts = make_low_rank(40, 30_000, n_components=2)  # whose squares would take 7 GB
    model = ExRPCA(2).fit(parts.matrix)
    L, _, _ = model.decompose(parts.matrix)
    assert relative_error(L, parts.low_rank) < 0.05


@pytest.mark.parametrize("rank", [1, 3, 10, 30])
@pytest.mark.parametrize("shape", [(1000, 100), (200, 300)])
def test_auto_finds_the_planted_rank(shape, rank):
    n, d = shape
    random = np.random.default_rng(rank)
    # All singular values at 1.5 times what can be told from noise.
    left, right = (np.linalg.qr(random.normal(size=(m, rank)))[0] for m in shape)
    X = 1.5 * (np.sqrt(n) + np.sqrt(d)) * left @ right.T + random.normal(size=shape)
    X += 30 * (random.random(shape) < 0.05)
    model = ExRPCA("auto").fit(X)
    assert abs(model.n_components_ - rank) <= 1
    assert len(model.components_) == len(model.singular_values_) == model.n_components_


@pytest.mark.parametrize("outlier_share", [0, 0.05])
def test_auto_finds_many_components_near_the_threshold_of_detection(outlier_share):
    n, d, rank = 800, 160, 50
    random = np.random.default_rng(rank)
    left, right = (np.linalg.qr(random.normal(size=(m, rank)))[0] for m in (n, d))
    weakest = 1.5 * (n * d) ** 0.25
    X = left * np.geomspace(1.5 * weakest, weakest, rank) @ right.T + random.normal(size=(n, d))
    X += 10 * (random.random((n, d)) < outlier_share) * random.choice([-1, 1], (n, d))
    units = 10.0 ** random.integers(-3, 4, d)
    for matrix in (X, X * units):
        assert abs(ExRPCA("auto").fit(matrix).n_components_ - rank) <= 1


def test_noise_without_components_is_a_warning():
    X = np.random.default_rng(0).normal(size=(300, 20))
    with pytest.warns(RobustFitWarning, match="no component"):
        assert ExRPCA("auto").fit(X).n_components_ == 1


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_a_share_of_variance_is_kept(share):
    X = load_digits().data
    pca = PCA(share).fit(X)
    model = ExRPCA(share).fit(corrupted(X, 0.02, size=10))
    assert abs(model.n_components_ - pca.n_components_) <= 2


def test_without_outliers_the_attributes_are_those_of_pca():
    X = make_low_rank(500, 20, outlier_share=0).matrix
    pca, model = PCA(3).fit(X), ExRPCA(3, threshold=20).fit(X)
    for name in ("singular_values_", "explained_variance_", "explained_variance_ratio_", "mean_"):
        np.testing.assert_allclose(getattr(model, name), getattr(pca, name), rtol=1e-8)
    assert model.noise_variance_ == pytest.approx(pca.noise_variance_)


def test_a_column_without_any_value_is_refused():
    X = make_low_rank(100, 10).matrix
    X[:, 4] = np.nan
    with pytest.raises(ValueError, match="no value in column 4"):
        ExRPCA(2, missing="impute").fit(X)


def test_half_precision_is_computed_in_single():
    X = make_low_rank(500, 20, outlier_share=0).matrix.astype(np.float16)
    model = ExRPCA(3).fit(X)
    assert model.components_.dtype == model.transform(X).dtype == np.float32


@pytest.mark.parametrize("scale", [1e-25, 1e25])
def test_tiny_and_huge_values_are_values_like_others(scale, angle):
    X = make_low_rank(500, 20).matrix
    expected, found = ExRPCA(3).fit(X), ExRPCA(3).fit(scale * X)
    assert angle(found.components_, expected.components_) < 1e-6
    assert found.sparse_.nnz == expected.sparse_.nnz


@pytest.mark.parametrize("center", [True, False])
def test_a_matrix_that_the_sample_holds_begins_with_the_outliers_found_there(center):
    """Rows scored again would end elsewhere if features differ in scale by powers of ten."""
    X = corrupted(standardized(load_breast_cancer().data), 0.05, size=10)
    X *= 10.0 ** np.random.default_rng(0).integers(-3, 4, X.shape[1])
    model = ExRPCA(5, center=center).fit(X)
    assert model.n_iter_ <= 3
    assert 0.04 < model.sparse_.nnz / X.size < 0.09

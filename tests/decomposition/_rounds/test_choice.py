"""The model that a fit begins with suits the noise and the units of the features."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from exrpca.decomposition import ExRPCA, make_low_rank
from exrpca.decomposition._rounds.choice import choose_fit


def chosen(X, rank=3):
    return choose_fit(X, np.zeros(X.shape[1]), rank, 5.0, center=True)


def long_tailed(seed=0, n=400, d=12, degrees=1.5):
    """Rows near a plane, with residuals whose tails are longer than normal ones."""
    random = np.random.default_rng(seed)
    scores = random.standard_t(3, size=(n, 3))
    return scores @ random.normal(size=(3, d)) + 0.5 * random.standard_t(degrees, size=(n, d))


@pytest.mark.parametrize("share", [0, 0.05, 0.2])
def test_normal_noise_is_cut_at_the_threshold(share):
    fit = chosen(make_low_rank(500, 30, outlier_share=share).matrix)
    assert fit.least_noise == 0
    assert not fit.held


def test_long_tails_are_left_to_pursuit():
    assert chosen(long_tailed()).held


def test_tails_do_not_matter_where_next_to_nothing_is_aside():
    fit = chosen(long_tailed(degrees=2.5))
    assert 0 < fit.aside.mean() < 0.01
    assert not fit.held


def test_what_gathers_in_features_is_left_to_pursuit():
    """Rare values of two features look like outliers, but outliers would not choose features."""
    X = make_low_rank(600, 12, outlier_share=0).matrix
    X[:, :2] += 8 * (np.random.default_rng(0).random((len(X), 2)) < 0.2)
    assert chosen(X).held


def test_what_gathers_in_rows_is_left_to_pursuit():
    X = make_low_rank(600, 12, outlier_share=0).matrix
    random = np.random.default_rng(0)
    X[:60] += 8 * (random.random((60, X.shape[1])) < 0.4)
    assert chosen(X).held


def test_many_components_must_be_clear():
    """Of seven features, three components leave little to tell an outlier by."""
    planted = make_low_rank(300, 7, outlier_share=0.02).matrix
    assert not chosen(planted).held
    one_more = planted + 0.5 * np.random.default_rng(0).normal(size=(300, 1)) * np.ones(7)
    assert chosen(one_more).held


@pytest.mark.parametrize("gaps", [np.s_[:300, 2], np.s_[:50, 3:]], ids=["feature", "rows"])
def test_gaps_may_gather_anywhere(gaps):
    X = make_low_rank(600, 12).matrix
    X[gaps] = np.nan
    assert not chosen(X).held


def test_features_without_variation_have_no_outliers():
    X = make_low_rank(600, 12, outlier_share=0.2).matrix
    X = np.column_stack([X, np.zeros((len(X), 3))])
    assert not chosen(X).held


def test_pursuit_needs_common_units():
    X = long_tailed()
    X[:, 4] *= 1000
    fit = chosen(X)
    assert not fit.held
    assert fit.least_noise > 0


def test_a_feature_with_mostly_one_value_keeps_the_others():
    X = make_low_rank(600, 10, outlier_share=0, noise=0.3).matrix
    X[:, 3] = np.random.default_rng(0).random(len(X)) < 0.3
    fit = chosen(X)
    assert np.where(fit.aside, fit.low_rank, X)[:, 3].std() > 0.7 * X[:, 3].std()


def test_the_rounds_keep_the_plane_of_pursuit():
    X = long_tailed()
    model = ExRPCA(3).fit(X)
    fit = choose_fit(X - X.mean(axis=0), X.mean(axis=0), 3, 5.0, center=True)
    angles = np.linalg.svd(model.components_ @ fit.model.components.T, compute_uv=False)
    assert fit.held
    np.testing.assert_allclose(angles, 1, atol=1e-6)
    assert (np.diff(model.explained_variance_) <= 0).all()


def test_a_sample_stands_for_many_long_tailed_rows():
    X = long_tailed(n=30_000)
    clean, model = PCA(3).fit(X[20_000:]), ExRPCA(3).fit(X[:20_000])
    left = [
        ((X - m.mean_ - (X - m.mean_) @ m.components_.T @ m.components_) ** 2).sum()
        for m in (model, clean)
    ]
    assert left[0] < 1.1 * left[1]

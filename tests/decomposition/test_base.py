"""What holds for all three estimators: scikit-learn's contract, and edge cases."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from exrpca.decomposition import ConvexExRPCA, ExRPCA, RobustPCA, make_low_rank

ESTIMATORS = [
    ExRPCA(),
    ExRPCA(update="accumulate"),
    ExRPCA(missing="impute"),
    ExRPCA(scale="global"),
    ExRPCA(scores="linear"),
    ExRPCA("auto"),
    ExRPCA(0.9),
    ConvexExRPCA(),
    ConvexExRPCA(refit=False),
    ConvexExRPCA(solver="ialm", refit=False),
    RobustPCA(),
]
all_estimators = pytest.mark.parametrize("model", ESTIMATORS, ids=repr)


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@all_estimators
def test_survives_pickling_and_cloning(model):
    X = make_low_rank(300, 20).matrix
    fitted = clone(model).fit(X)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_allclose(again.transform(X), fitted.transform(X))
    np.testing.assert_allclose(again.decompose(X)[0], fitted.decompose(X)[0], atol=1e-12)


def test_works_in_a_pipeline_and_a_grid_search():
    parts = make_low_rank(400, 20)
    target = parts.low_rank[:, 0]
    pipeline = make_pipeline(StandardScaler(), ExRPCA(), LinearRegression())
    search = GridSearchCV(pipeline, {"exrpca__n_components": [1, 3]}, cv=3)
    search.fit(parts.matrix, target)
    assert search.best_params_ == {"exrpca__n_components": 3}


@all_estimators
def test_float32_stays_float32(angle, model):
    X = make_low_rank(600, 20).matrix
    single, double = clone(model).fit(X.astype(np.float32)), clone(model).fit(X)
    for name in ("components_", "mean_", "explained_variance_", "explained_variance_ratio_"):
        assert getattr(single, name).dtype == np.float32
    assert single.sparse_.dtype == np.float32
    assert single.transform(X.astype(np.float32)).dtype == np.float32
    assert angle(single.components_[:3], double.components_[:3]) < 1e-3


@all_estimators
def test_x_is_left_as_it_was(model):
    X = make_low_rank(300, 20).matrix
    before = X.copy()
    X.flags.writeable = False
    clone(model).fit(X).decompose(X)
    np.testing.assert_array_equal(X, before)


@all_estimators
def test_a_rank_deficient_matrix_is_its_own_low_rank_part(model):
    random = np.random.default_rng(0)
    # wide enough for pursuit, whose optimum sets elements of a narrow one aside
    X = random.normal(size=(200, 2)) @ random.normal(size=(2, 60))
    fitted = clone(model).set_params(center=False).fit(X)
    L, _, S = fitted.decompose(X)
    assert np.linalg.norm(L - X) < 0.01 * np.linalg.norm(X)
    assert np.abs(S.toarray()).sum() < 0.01 * np.abs(X).sum()


@all_estimators
@pytest.mark.parametrize("value", [0.0, 3.5])
def test_a_constant_matrix_has_a_mean_and_nothing_else(model, value):
    X = np.full((30, 5), value)
    fitted = clone(model).fit(X)
    np.testing.assert_allclose(fitted.mean_, value)
    assert fitted.sparse_.nnz == 0
    assert fitted.noise_scale_ == pytest.approx(0, abs=1e-6)
    np.testing.assert_allclose(fitted.explained_variance_ratio_, 0, atol=1e-6)
    np.testing.assert_allclose(fitted.decompose(X)[0], value)


@all_estimators
def test_a_single_row(model):
    X = np.array([[3.0, 4.0]])
    with pytest.raises(ValueError, match="1 sample"):
        clone(model).fit(X)
    alone = clone(model).set_params(center=False, n_components=1).fit(X)
    L, E, S = alone.decompose(X)
    np.testing.assert_allclose(L + E + S, X)
    if isinstance(model, ExRPCA):
        np.testing.assert_allclose(alone.components_, [[0.6, 0.8]])


@all_estimators
def test_an_all_zero_matrix_without_centering(model):
    fitted = clone(model).set_params(center=False).fit(np.zeros((20, 4)))
    assert fitted.sparse_.nnz == 0
    assert np.isfinite(fitted.components_).all()

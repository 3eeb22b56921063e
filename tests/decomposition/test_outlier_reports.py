"""Which cells and rows do not fit: tables with names, and scikit-learn's outlier interface."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import RobustScaler, StandardScaler

from exrpca.decomposition import ConvexExRPCA, ExRPCA, RobustPCA, make_low_rank


def shifted_rows(share, cells=0.0, size=5.0, n=100, d=20):
    """Return rows near a plane, some of them shifted off it, the plane, and which are shifted."""
    random = np.random.default_rng(1)
    basis = np.linalg.qr(random.normal(size=(d, 3)))[0].T
    X = random.normal(size=(n, 2)) * np.sqrt(d / 2) @ basis[:2] + 0.3 * random.normal(size=(n, d))
    X += (random.random((n, d)) < cells) * size * random.choice([-1, 1], (n, d))
    bad = np.arange(n) < share * n
    X[bad] += size * np.sqrt(d) * basis[2]
    return X, basis[:2], bad


def degrees(a, b):
    return np.degrees(np.arccos(np.linalg.svd(a @ b.T, compute_uv=False).min()))


@pytest.mark.parametrize("cells", [0.0, 0.1])
@pytest.mark.parametrize("size", [2, 5])
def test_shifted_rows_do_not_bend_the_plane(cells, size):
    X, plane, bad = shifted_rows(0.2, cells, size)
    model = ExRPCA(2).fit(X)
    assert degrees(model.components_, plane) < 12
    assert model.case_weights_[bad].mean() <= 0.05
    assert model.case_weights_[~bad].mean() > 0.8
    assert np.mean(model.predict(X[bad]) == -1) >= 0.95
    assert model.sparse_.shape == X.shape


def test_shifted_rows_with_gaps_and_of_a_wide_matrix():
    X, plane, bad = shifted_rows(0.2)
    X[np.random.default_rng(0).random(X.shape) < 0.05] = np.nan
    model = ExRPCA(2, missing="impute").fit(X)
    assert degrees(model.components_, plane) < 12
    assert not np.isnan(model.sparse_.toarray()).any()
    X, plane, bad = shifted_rows(0.2, n=60, d=150)
    model = ExRPCA(2).fit(X)
    assert degrees(model.components_, plane) < 12
    assert not model.case_weights_[bad].any()


def test_every_row_counts_where_none_bends_the_plane():
    for X in (make_low_rank(300, 20).matrix, StandardScaler().fit_transform(load_wine().data)):
        assert ExRPCA(3).fit(X).case_weights_.all()


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer, load_digits])
def test_few_clean_rows_are_flagged(load):
    X = StandardScaler().fit_transform(load().data)
    assert np.mean(ExRPCA().fit(X).predict(X) == -1) <= 0.03


@pytest.mark.parametrize("scale", [None, StandardScaler, RobustScaler])
def test_typos_hardly_change_the_loading_in_robust_units(scale):
    X = load_wine().data
    typos = X.copy()
    typos[[3, 70, 150], 6] = 1e5
    clean, broken = (
        ExRPCA(2, units="robust").fit(scale().fit_transform(rows) if scale else rows)
        for rows in (X, typos)
    )
    lengths = [np.linalg.norm(model.components_[:, 6]) for model in (clean, broken)]
    assert lengths[1] == pytest.approx(lengths[0], rel=0.1)


def test_robust_units_are_those_of_features_divided_by_their_spread():
    X = load_wine().data
    model = ExRPCA(2, units="robust").fit(X)
    divided = ExRPCA(2).fit(X / model.scale_)
    np.testing.assert_allclose(model.components_, divided.components_, atol=1e-8)
    np.testing.assert_allclose(model.transform(X), divided.transform(X / model.scale_), atol=1e-6)
    L, E, S = model.decompose(X)
    np.testing.assert_allclose(L + E + S.toarray(), X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), L)


@pytest.mark.parametrize("model", [ExRPCA(2), ConvexExRPCA(2), RobustPCA(2)], ids=repr)
def test_outlying_cells_have_names_and_the_worst_come_first(model):
    X = make_low_rank(300, 20, n_components=2, outlier_share=0).matrix
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(20)])
    frame.index = [f"r{i}" for i in range(300)]
    frame.loc["r7", "f3"] += 25
    frame.loc["r9", "f5"] -= 40
    model.fit(frame)
    cells = model.outlying_cells(frame)
    assert list(zip(cells["row"], cells["column"], strict=True))[:2] == [("r9", "f5"), ("r7", "f3")]
    assert (cells["z"].abs().diff().dropna() <= 0).all()
    assert cells["value"][1] == frame.loc["r7", "f3"]
    assert cells["expected"][1] == pytest.approx(X[7, 3], abs=1)
    z = model.residuals(frame)
    assert list(z.index) == list(frame.index)
    assert z.loc["r7", "f3"] == pytest.approx(cells["z"][1])
    assert isinstance(model.fit(X).residuals(X), np.ndarray)


def test_row_distances_keep_the_index_and_agree_with_predict():
    X, _, bad = shifted_rows(0.1)
    frame = pd.DataFrame(X, index=[f"r{i}" for i in range(len(X))])
    frame.columns = [f"f{j}" for j in range(20)]
    model = ExRPCA(2).fit(frame)
    rows = model.row_distances(frame)
    assert list(rows.index) == list(frame.index)
    np.testing.assert_array_equal(rows["outlying"], model.predict(frame) == -1)
    np.testing.assert_array_equal(model.decision_function(frame) < 0, rows["outlying"])
    assert rows["outlying"][bad].all()


def test_contamination_is_the_share_of_rows_flagged():
    X = make_low_rank(300, 20).matrix
    assert np.mean(ExRPCA(3, contamination=0.1).fit_predict(X) == -1) == pytest.approx(0.1)
    with pytest.raises(ValueError, match="contamination"):
        ExRPCA(3, contamination=0.7).fit(X)


def test_score_lets_a_grid_search_choose_the_rank():
    X = make_low_rank(400, 20, n_components=3, noise=0.5).matrix
    search = GridSearchCV(ExRPCA(), {"n_components": [1, 3, 8]}, cv=3).fit(X)
    assert search.best_params_ == {"n_components": 3}
    assert 0 < search.best_score_ < 1


def test_gaps_are_named_in_transform_and_empty_columns_in_fit():
    X = pd.DataFrame(make_low_rank(100, 5, n_components=2).matrix, columns=list("abcde"))
    model = ExRPCA(2).fit(X)
    X.loc[7, "c"] = np.nan
    with pytest.raises(ValueError, match=r"NaN at row 7, column 'c'.*missing='impute'"):
        model.transform(X)
    X["d"] = np.nan
    with pytest.raises(ValueError, match="no value in column 'd'"):
        ExRPCA(2, missing="impute").fit(X)
    with pytest.raises(ValueError, match="n_components=None must be a number"):
        ExRPCA(None).fit(X)


@pytest.mark.parametrize("column", [0, 6, 9, 12])
@pytest.mark.parametrize("scaler", [StandardScaler, RobustScaler])
def test_typos_before_scaling_leave_the_loadings_of_their_column(column, scaler):
    X = load_wine().data
    typed = X.copy()
    typed[[5, 60, 150], column] = 1e5
    clean, found = (ExRPCA().fit(scaler().fit_transform(rows)).components_ for rows in (X, typed))
    before, after = (np.linalg.norm(c[:, column]) for c in (clean, found))
    assert after == pytest.approx(before, rel=0.1)


def test_only_standardized_features_get_other_units():
    X = load_wine().data
    assert (ExRPCA().fit(X).scale_ == 1).all()
    standardized = StandardScaler().fit_transform(X)
    assert (ExRPCA(units="given").fit(standardized).scale_ == 1).all()
    assert (ExRPCA().fit(1.1 * standardized).scale_ == 1).all()
    scale = ExRPCA().fit(standardized).scale_
    assert (scale != 1).any()
    np.testing.assert_allclose(scale, 1, atol=0.2)


@pytest.mark.parametrize("seed", range(4))
def test_small_tables_with_broken_cells_and_rows(seed):
    # A tenth of the cells, 200, would decide nothing: see `_least_noise`.
    parts = make_low_rank(100, 20, n_components=2, noise=0.45, outlier_share=0, seed=seed)
    plane = np.linalg.svd(parts.low_rank)[2][:2]
    X, random = parts.matrix, np.random.default_rng(seed)
    off = random.normal(size=20)
    off -= off @ plane.T @ plane
    X[:20] += 5 * np.sqrt(20) * off / np.linalg.norm(off)
    X += 5 * (random.random(X.shape) < 0.1) * random.choice([-1, 1], X.shape)
    assert degrees(ExRPCA(2).fit(X).components_, plane) < 12


def test_words_are_refused_by_the_name_of_their_column():
    X = load_wine(as_frame=True).data.assign(color="red")
    with pytest.raises(ValueError, match="words in column 'color'"):
        ExRPCA().fit(X)

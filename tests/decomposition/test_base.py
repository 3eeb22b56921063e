"""What holds for all three estimators: scikit-learn's contract, and edge cases."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from exrpca.decomposition import ConvexExRPCA, ExRPCA, RobustPCA, make_low_rank

ESTIMATORS = [
    ExRPCA(),
    ExRPCA("auto", missing="impute"),
    ExRPCA(scale="global", update="accumulate", scores="linear"),
    ConvexExRPCA(),
    ConvexExRPCA(refit=False),
    RobustPCA(0.9, missing="impute"),
]
# One of each kind, where parameters do not matter.
KINDS = [ExRPCA(), ConvexExRPCA(), RobustPCA()]
each_kind = pytest.mark.parametrize("model", KINDS, ids=repr)
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
    # wide enough for pursuit, whose optimum takes elements of a narrow one out
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


@each_kind
def test_wide_and_tall_give_the_same(angle, model):
    # One row more than columns, and one less: the two ways to compute.
    X = make_low_rank(121, 120, n_components=3, outlier_share=0.02).matrix
    rows = np.concatenate([X, X[:1]])  # a duplicate adds no direction
    whole = clone(model).set_params(n_components=3, tol=1e-6, center=False)
    tall, wide = clone(whole).fit(rows), clone(whole).fit(np.pad(rows, [(0, 0), (0, 5)]))
    np.testing.assert_allclose(wide.singular_values_, tall.singular_values_, rtol=1e-2)
    assert angle(wide.components_[:, :120], tall.components_) < 0.05


@each_kind
def test_a_wide_matrix_needs_no_large_gram_matrix(model):
    # 40,000 × 40,000 numbers would need 12.8 GB.
    X = make_low_rank(12, 40_000, n_components=2, outlier_share=0.01, dtype=np.float32).matrix
    fitted = clone(model).set_params(n_components=2, max_iter=20).fit(X)
    assert fitted.components_.shape == (2, 40_000)


@each_kind
def test_one_broken_cell_hardly_moves_the_scores(model):
    parts = make_low_rank(600, 40, outlier_share=0.02)
    rows = parts.low_rank[:20] + parts.noise[:20]
    broken = rows.copy()
    broken[:, 3] = 1000
    robust = clone(model).set_params(n_components=3).fit(parts.matrix)
    moved = np.abs(robust.transform(broken) - robust.transform(rows)).max()
    assert moved < 0.1  # the noise
    linear = clone(robust).set_params(scores="linear").fit(parts.matrix)
    assert np.abs(linear.transform(broken) - linear.transform(rows)).max() > 50


@each_kind
def test_scores_of_a_row_do_not_depend_on_other_rows(model):
    X = make_low_rank(200, 30).matrix
    fitted = clone(model).fit(X)
    together = fitted.transform(X)
    np.testing.assert_allclose(together, clone(model).fit_transform(X), atol=1e-10)
    alone = np.concatenate([fitted.transform(X[i : i + 1]) for i in range(10)])
    np.testing.assert_allclose(alone, together[:10], atol=1e-10)


@each_kind
def test_gaps_are_filled(model):
    parts = make_low_rank(400, 40, outlier_share=0.02)
    hidden = np.random.default_rng(0).random(parts.matrix.shape) < 0.1
    holes = np.where(hidden, np.nan, parts.matrix)
    with pytest.raises(ValueError, match="NaN at row"):
        clone(model).fit(holes)
    fitted = clone(model).set_params(n_components=3, missing="impute").fit(holes)
    L, E, S = fitted.decompose(holes)
    error = np.sqrt(np.mean((L - parts.low_rank)[hidden] ** 2))
    assert error < 0.4 * parts.low_rank.std()
    assert (E[hidden] == 0).all()
    assert (S.toarray()[hidden] == 0).all()
    assert np.isfinite(fitted.transform(holes)).all()


@each_kind
def test_a_masked_array_has_gaps_where_it_is_masked(model):
    X = make_low_rank(200, 30).matrix
    hidden = np.random.default_rng(0).random(X.shape) < 0.1
    with pytest.raises(ValueError, match="NaN at row"):
        clone(model).fit(np.ma.array(X, mask=hidden))
    imputing = clone(model).set_params(missing="impute")
    masked = clone(imputing).fit(np.ma.array(X, mask=hidden))
    nan = clone(imputing).fit(np.where(hidden, np.nan, X))
    np.testing.assert_array_equal(masked.components_, nan.components_)
    for method in ("transform", "decompose"):
        one = getattr(masked, method)(np.ma.array(X, mask=hidden))
        np.testing.assert_array_equal(one[0], getattr(nan, method)(np.where(hidden, np.nan, X))[0])


@each_kind
def test_a_column_without_any_value_is_an_error(model):
    X = make_low_rank(100, 20).matrix
    X[:, 4] = np.nan
    with pytest.raises(ValueError, match="no value in column 4"):
        clone(model).set_params(missing="impute").fit(X)


@each_kind
def test_sparse_input_is_refused_with_advice(model):
    X = scipy.sparse.csr_array(make_low_rank(100, 20).matrix)
    with pytest.raises(TypeError, match="toarray"):
        clone(model).fit(X)


@each_kind
@pytest.mark.parametrize("unit", ["datetime64[D]", "timedelta64[s]"])
def test_dates_are_not_taken_for_numbers(model, unit):
    dates = np.arange(200).reshape(20, 10).astype(unit)
    fitted = clone(model).fit(np.random.default_rng(0).normal(size=(200, 10)))
    for call in (clone(model).fit, fitted.transform):
        for given in (dates, pd.DataFrame(dates.astype(f"{unit[:-3]}[s]"))):
            with pytest.raises(ValueError, match="expected numbers"):
                call(given)


@each_kind
def test_a_frame_in_gives_frames_out(model):
    columns = [f"feature{j}" for j in range(20)]
    X = pd.DataFrame(make_low_rank(100, 20).matrix, columns=columns, index=range(5, 105))
    fitted = clone(model).set_output(transform="pandas").fit(X)
    L, _, S = fitted.decompose(X.to_numpy())
    assert isinstance(L, np.ndarray)
    assert scipy.sparse.issparse(S)
    for part in (*fitted.decompose(X), fitted.inverse_transform(fitted.transform(X))):
        assert list(part.columns) == columns
        assert list(part.index) == list(X.index)
    total = sum(part.to_numpy() for part in fitted.decompose(X))
    np.testing.assert_allclose(total, X, atol=1e-10)


@each_kind
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("unit", [1e-25, 1e25])
def test_tiny_and_huge_values(angle, model, dtype, unit):
    X = make_low_rank(200, 20).matrix
    one, other = (
        clone(model).set_params(n_components=3).fit(x) for x in (X, (X * unit).astype(dtype))
    )
    assert angle(one.components_, other.components_) < 0.05
    np.testing.assert_allclose(other.singular_values_ / unit, one.singular_values_, rtol=0.02)
    scores = other.transform((X * unit).astype(dtype)) / unit
    size = np.abs(one.transform(X)).max()
    np.testing.assert_allclose(np.abs(scores), np.abs(one.transform(X)), atol=0.05 * size)


@each_kind
@pytest.mark.parametrize(
    ("unit", "advice"),
    [
        (1e-150, "too small for float64: scale it up"),
        (1e-300, "too small for float64: scale it up"),
        (1e-310, "too small for float64: scale it up"),
        (1e200, "too large for float64: scale it down"),
        (1e306, "too large for float64: scale it down"),
    ],
)
@pytest.mark.parametrize("share_of_zeros", [0, 0.8])
def test_values_whose_squares_are_lost_are_refused(model, unit, advice, share_of_zeros):
    X = make_low_rank(200, 20).matrix
    X[np.random.default_rng(0).random(X.shape) < share_of_zeros] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=advice):
            clone(model).fit(X * unit)


@each_kind
@pytest.mark.parametrize("value", [1e160, 1e200])
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_one_value_whose_square_is_infinite(model, value):
    X = make_low_rank(200, 20).matrix
    X[7, 3] = value
    with pytest.raises(ValueError, match="too large for float64: scale it down"):
        clone(model).fit(X)


def test_one_column_is_too_few_for_a_rank_that_nobody_set():
    X = make_low_rank(200, 20).matrix[:, :1]
    message = "n_features=1, too few for 2 components, the default: pass n_components=1 or less"
    with pytest.raises(ValueError, match=message):
        ExRPCA().fit(X)


@each_kind
def test_half_precision_is_computed_in_single(model):
    X = make_low_rank(200, 20).matrix.astype(np.float16)
    fitted = clone(model).fit(X)
    assert fitted.components_.dtype == np.float32
    assert fitted.transform(X).dtype == np.float32


@each_kind
def test_fitted_attributes_agree(model):
    X = make_low_rank(300, 20).matrix
    fitted = clone(model).set_params(n_components=2).fit(X)
    assert fitted.n_components_ == len(fitted.components_) == 2
    variances = fitted.singular_values_**2 / 299
    np.testing.assert_allclose(variances, fitted.explained_variance_, rtol=1e-6)
    assert 0 <= fitted.noise_variance_ < variances.min()


@each_kind
@pytest.mark.parametrize("rank", ["some", 0, 1.5, -1])
def test_a_bad_rank_is_named(model, rank):
    with pytest.raises((ValueError, TypeError), match="n_components"):
        clone(model).set_params(n_components=rank).fit(make_low_rank(100, 20).matrix)


@pytest.mark.parametrize("model", [ConvexExRPCA(refit=False), RobustPCA()], ids=repr)
def test_a_share_keeps_as_many_components_as_it_takes(model):
    X = make_low_rank(300, 30, n_components=3, outlier_share=0.02).matrix
    whole = clone(model).fit(X)
    held = np.cumsum(whole.singular_values_**2)
    for share in (0.5, 0.9):
        found = clone(model).set_params(n_components=share).fit(X)
        assert found.n_components_ == np.searchsorted(held, share * held[-1]) + 1


def test_auto_finds_the_same_rank_in_all_models():
    random = np.random.default_rng(3)
    left, right = (np.linalg.qr(random.normal(size=(m, 3)))[0] for m in (1000, 100))
    X = 1.5 * (np.sqrt(1000) + 10) * left @ right.T + random.normal(size=(1000, 100))
    X += 30 * (random.random(X.shape) < 0.05)
    for model in (ExRPCA("auto"), RobustPCA("auto"), ConvexExRPCA("auto", noise_scale=0.5)):
        assert model.fit(X).n_components_ == 3


@pytest.mark.parametrize(
    "model",
    [
        ExRPCA(3),
        ConvexExRPCA(),
        ConvexExRPCA(3, refit=False),
        RobustPCA(3),
    ],
    ids=repr,
)
def test_rows_that_do_not_fit_are_told_from_those_that_do(model):
    X = make_low_rank(2000, 40).matrix
    random = np.random.default_rng(0)
    model = clone(model).fit(X)
    assert np.mean(model.predict(X) == 1) > 0.9
    off = X[:50] + 5 * random.normal(size=40)  # away from the subspace
    within = X[:50] + 100 * model.components_[0]  # far out in it
    assert (model.predict(off) == -1).all()
    assert (model.predict(within) == -1).all()
    rows = model.row_distances(within)
    assert (rows["score_distance"] > model.score_cutoff_).all()
    assert rows["orthogonal_distance"].median() < model.orthogonal_cutoff_


@all_estimators
def test_rows_can_be_judged_whatever_the_parameters(model):
    # without n_components, pursuit takes noise for outliers
    noise = 0 if isinstance(model, RobustPCA) else 0.1
    X = make_low_rank(300, 20, n_components=2, noise=noise, outlier_share=0.02).matrix
    X[0] += 50 * np.random.default_rng(0).normal(size=20)
    found = clone(model).fit(X).predict(X)
    assert found[0] == -1
    assert np.mean(found == 1) > 0.8

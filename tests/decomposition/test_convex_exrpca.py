import numpy as np
import pytest
from sklearn.datasets import load_digits

from exrpca.decomposition import ConvexExRPCA, RobustFitWarning, make_low_rank

WEIGHTS = [(0.2, 0.3), (0.5, 0.2), (1.0, 0.1), (5.0, 0.2)]


def objective(L, E, S, lambda1, lambda2):
    nuclear = np.linalg.norm(L, "nuc")
    return nuclear + lambda1 * (E**2).sum() + lambda2 * np.abs(S.toarray()).sum()


@pytest.mark.parametrize(("lambda1", "lambda2"), WEIGHTS)
def test_both_solvers_reach_the_optimum(small, optimum, lambda1, lambda2):
    best = optimum(small, lambda1, lambda2)
    for solver in ("fista", "ialm"):
        model = ConvexExRPCA(
            lambda1=lambda1, lambda2=lambda2, solver=solver, center=False, tol=1e-7
        ).fit(small)
        assert model.objective_ == pytest.approx(best, rel=1e-6)
        L, E, S = model.decompose(small)
        assert objective(L, E, S, lambda1, lambda2) == pytest.approx(best, rel=1e-6)


def test_default_weights_find_the_rank_and_the_noise():
    parts = make_low_rank(2000, 60, n_components=4)
    model = ConvexExRPCA().fit(parts.matrix)
    assert model.rank_ == 4
    assert model.noise_scale_ == pytest.approx(0.1, rel=0.15)
    outlying, true = model.sparse_.toarray() != 0, parts.sparse != 0
    assert (outlying & true).sum() / outlying.sum() > 0.8
    assert (outlying & true).sum() / true.sum() > 0.92


def test_centering_makes_the_fit_independent_of_the_mean(angle):
    X = make_low_rank(500, 20).matrix
    a, b = ConvexExRPCA(tol=1e-6).fit(X), ConvexExRPCA(tol=1e-6).fit(X + 50)
    assert a.rank_ == b.rank_
    assert angle(a.components_, b.components_) < 1e-4
    np.testing.assert_allclose(b.mean_ - a.mean_, 50, atol=1e-3)


def test_n_components_cuts_the_components():
    X = make_low_rank(500, 20).matrix
    whole, cut = ConvexExRPCA().fit(X), ConvexExRPCA(n_components=2).fit(X)
    np.testing.assert_allclose(cut.components_, whole.components_[:2])
    assert cut.transform(X).shape == (500, 2)
    assert cut.explained_variance_.shape == cut.explained_variance_ratio_.shape == (2,)


def test_a_refit_takes_the_shrinkage_away():
    parts = make_low_rank(2000, 60, n_components=4)
    shrunk, refitted = (ConvexExRPCA(refit=r).fit(parts.matrix) for r in (False, True))
    assert refitted.rank_ == 4
    errors = [
        np.linalg.norm(m.decompose(parts.matrix)[0] - parts.low_rank) for m in (shrunk, refitted)
    ]
    assert errors[1] < 0.6 * errors[0]
    L, E, S = refitted.decompose(parts.matrix)
    np.testing.assert_allclose(L + E + S, parts.matrix, atol=1e-12)


def test_weights_that_are_given_are_not_followed_by_a_refit():
    X = make_low_rank(500, 20).matrix
    given = ConvexExRPCA(lambda1=0.5, lambda2=0.2).fit(X)
    solved = ConvexExRPCA(lambda1=0.5, lambda2=0.2, refit=False).fit(X)
    np.testing.assert_array_equal(given.components_, solved.components_)
    chosen, refitted = ConvexExRPCA().fit(X), ConvexExRPCA(refit=True).fit(X)
    np.testing.assert_array_equal(chosen.components_, refitted.components_)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (ConvexExRPCA(solver="other"), "solver='other'"),
        (ConvexExRPCA(lambda1=-1.0), "lambda1=-1.0"),
        (ConvexExRPCA(lambda2=0.0), "lambda2=0.0"),
        (ConvexExRPCA(n_components=50), "too few for 50 components: pass"),
        (ConvexExRPCA(max_iter=0), "max_iter == 0"),
        (ConvexExRPCA(refit="no"), "refit='no'"),
    ],
    ids=repr,
)
def test_bad_parameters_are_named(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(make_low_rank(100, 20).matrix)


def test_a_real_table_has_neither_full_rank_nor_none():
    X = load_digits().data[:600]
    assert 1 <= ConvexExRPCA().fit(X).rank_ <= 32


@pytest.mark.parametrize(
    ("noise_scale", "message"), [(1e-6, "the full rank 20"), (1e6, "no component")]
)
def test_a_rank_that_says_nothing_is_a_warning(noise_scale, message):
    X = make_low_rank(300, 20).matrix
    with pytest.warns(RobustFitWarning, match=message):
        ConvexExRPCA(noise_scale=noise_scale, refit=False).fit(X)


def test_a_refit_has_as_many_components_as_were_asked_for():
    X = make_low_rank(200, 20, n_components=3).matrix
    model = ConvexExRPCA(3, noise_scale=1e6).fit(X)
    assert model.rank_ == len(model.components_) == 3
    with pytest.warns(RobustFitWarning, match="no component"):
        assert len(ConvexExRPCA(3, noise_scale=1e6, refit=False).fit(X).components_) == 0
    with pytest.warns(RobustFitWarning, match="rank 3 instead of 5"):
        assert len(ConvexExRPCA(5, refit=False).fit(X).components_) == 3

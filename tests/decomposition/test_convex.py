import warnings

import cvxpy
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from exrpca.decomposition import ConvexExRPCA, RobustPCA

WEIGHTS = [(0.2, 0.3), (0.5, 0.2), (1.0, 0.1), (5.0, 0.2)]


def objective(L, E, S, lambda1, lambda2):
    nuclear = np.linalg.norm(L, "nuc")
    return nuclear + lambda1 * (E**2).sum() + lambda2 * np.abs(S.toarray()).sum()


@pytest.fixture(scope="module")
def small(planted):
    return planted(20, 60, rank=3).matrix


def optimum(X, lambda1, lambda2):
    L, S = cvxpy.Variable(X.shape), cvxpy.Variable(X.shape)
    if np.isinf(lambda1):
        cost = cvxpy.normNuc(L) + lambda2 * cvxpy.sum(cvxpy.abs(X - L))
    else:
        noise = lambda1 * cvxpy.sum_squares(X - L - S)
        cost = cvxpy.normNuc(L) + noise + lambda2 * cvxpy.sum(cvxpy.abs(S))
    problem = cvxpy.Problem(cvxpy.Minimize(cost))
    problem.solve(solver="SCS", eps=1e-8, max_iters=100_000)
    return problem.value


@pytest.mark.parametrize(("lambda1", "lambda2"), WEIGHTS)
def test_both_solvers_reach_the_optimum(small, lambda1, lambda2):
    best = optimum(small, lambda1, lambda2)
    for solver in ("fista", "ialm"):
        model = ConvexExRPCA(
            lambda1=lambda1, lambda2=lambda2, solver=solver, center=False, tol=1e-7
        ).fit(small)
        assert model.objective_ == pytest.approx(best, rel=1e-6)
        L, E, S = model.decompose(small)
        assert objective(L, E, S, lambda1, lambda2) == pytest.approx(best, rel=1e-6)


def test_pursuit_reaches_the_optimum(small):
    weight = 1 / np.sqrt(60)
    model = RobustPCA(center=False, tol=1e-7, max_iter=2000).fit(small)
    assert model.objective_ == pytest.approx(optimum(small, np.inf, weight), rel=1e-6)


def test_pursuit_recovers_exact_parts(planted):
    parts = planted(400, 60, rank=3, noise=0)
    model = RobustPCA(center=False, tol=1e-6).fit(parts.matrix)
    assert model.rank_ == 3
    np.testing.assert_allclose(model.sparse_.toarray(), parts.sparse, atol=1e-3)
    L, _, S = model.decompose(parts.matrix)
    np.testing.assert_allclose(L, parts.low_rank, atol=1e-3)
    np.testing.assert_allclose(S.toarray(), parts.sparse, atol=1e-3)


MODELS = [
    ConvexExRPCA(),
    ConvexExRPCA(refit=False),
    ConvexExRPCA(solver="ialm", refit=False),
    RobustPCA(),
]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_the_objective_returned_is_the_lowest_seen(planted, model):
    told = []
    model.set_params(callback=told.append).fit(planted(300, 20).matrix)
    assert model.objective_ == min(iteration.objective for iteration in told)


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_parts_sum_to_x(planted, model, dtype):
    X = planted(300, 20, dtype=dtype).matrix
    L, E, S = model.set_params(callback=None).fit(X).decompose(X)
    assert L.dtype == E.dtype == S.dtype == dtype
    np.testing.assert_allclose(L + E + S, X, atol=30 * np.finfo(dtype).eps * np.abs(X).max())


def test_default_weights_find_the_rank_and_the_noise(planted):
    parts = planted(2000, 60, rank=4)
    model = ConvexExRPCA().fit(parts.matrix)
    assert model.rank_ == 4
    assert model.noise_scale_ == pytest.approx(0.1, rel=0.15)
    aside, true = model.sparse_.toarray() != 0, parts.sparse != 0
    assert (aside & true).sum() / aside.sum() > 0.8
    assert (aside & true).sum() / true.sum() > 0.92


@pytest.mark.parametrize(
    ("model", "atol"),
    [
        (ConvexExRPCA(tol=1e-7, refit=False), 1e-4),
        # the fit itself is this far from standing still
        (RobustPCA(tol=1e-6, max_iter=3000, center=False), 1e-3),
        (RobustPCA(tol=1e-6, max_iter=3000), 1e-3),
    ],
    ids=repr,
)
def test_decompose_repeats_the_fit(planted, model, atol):
    X = planted(500, 30).matrix
    L, _, S = model.fit(X).decompose(X)
    np.testing.assert_allclose(S.toarray(), model.sparse_.toarray(), atol=atol)
    alone, _, _ = model.decompose(X[:1])
    np.testing.assert_allclose(alone, L[:1], atol=1e-4)


def test_pursuit_decomposes_at_the_objective_of_the_fit(planted):
    X = planted(500, 30).matrix
    model = RobustPCA(center=False).fit(X)
    L, _, _ = model.decompose(X)
    reached = np.linalg.norm(L, "nuc") + np.abs(X - L).sum() / np.sqrt(500)
    assert reached == pytest.approx(model.objective_, rel=1e-3)


@pytest.mark.parametrize("name", ["fista", "ialm", "pcp"])
def test_half_and_full_difference_matrices_agree(planted, angle, name):
    """The half matrix with √2 times the weights has the full one's solution."""
    half = planted(150, 20).matrix
    full = np.concatenate([half, -half])
    root = np.sqrt(2)

    def fitted(X, factor):
        if name == "pcp":
            model = RobustPCA(lambda_=0.06 * factor, center=False, tol=1e-7, max_iter=3000)
        else:
            weights = {"lambda1": 0.1 * factor, "lambda2": 0.06 * factor}
            model = ConvexExRPCA(**weights, solver=name, center=False, tol=1e-8)
        return model.fit(X)

    a, b = fitted(half, root), fitted(full, 1.0)
    assert a.rank_ == b.rank_
    assert b.objective_ == pytest.approx(root * a.objective_, rel=1e-6)
    assert angle(a.components_[:2], b.components_[:2]) < 1e-4
    np.testing.assert_allclose(b.sparse_[:150].toarray(), a.sparse_.toarray(), atol=1e-3)


def test_centring_makes_the_fit_independent_of_the_mean(planted, angle):
    X = planted(500, 20).matrix
    a, b = ConvexExRPCA(tol=1e-6).fit(X), ConvexExRPCA(tol=1e-6).fit(X + 50)
    assert a.rank_ == b.rank_
    assert angle(a.components_, b.components_) < 1e-4
    np.testing.assert_allclose(b.mean_ - a.mean_, 50, atol=1e-3)


def test_n_components_cuts_the_components(planted):
    X = planted(500, 20).matrix
    whole, cut = ConvexExRPCA().fit(X), ConvexExRPCA(n_components=2).fit(X)
    np.testing.assert_allclose(cut.components_, whole.components_[:2])
    assert cut.transform(X).shape == (500, 2)
    assert cut.explained_variance_.shape == cut.explained_variance_ratio_.shape == (2,)


def test_a_refit_takes_the_shrinkage_away(planted):
    parts = planted(2000, 60, rank=4)
    shrunk, refitted = (ConvexExRPCA(refit=r).fit(parts.matrix) for r in (False, True))
    assert refitted.rank_ == 4
    errors = [
        np.linalg.norm(m.decompose(parts.matrix)[0] - parts.low_rank) for m in (shrunk, refitted)
    ]
    assert errors[1] < 0.6 * errors[0]
    L, E, S = refitted.decompose(parts.matrix)
    np.testing.assert_allclose(L + E + S, parts.matrix, atol=1e-12)


def test_weights_that_are_given_are_not_followed_by_a_refit(planted):
    X = planted(500, 20).matrix
    given = ConvexExRPCA(lambda1=0.5, lambda2=0.2).fit(X)
    optimum = ConvexExRPCA(lambda1=0.5, lambda2=0.2, refit=False).fit(X)
    np.testing.assert_array_equal(given.components_, optimum.components_)
    chosen, refitted = ConvexExRPCA().fit(X), ConvexExRPCA(refit=True).fit(X)
    np.testing.assert_array_equal(chosen.components_, refitted.components_)


@pytest.mark.parametrize("model", [ConvexExRPCA(), RobustPCA()], ids=repr)
def test_nan_is_refused_with_its_position(planted, model):
    X = planted(300, 20).matrix
    X[123, 7] = np.nan
    with pytest.raises(ValueError, match="NaN at row 123, column 7"):
        model.set_params(callback=None).fit(X)


@pytest.mark.parametrize("model", [ConvexExRPCA(max_iter=2), RobustPCA(max_iter=2)], ids=repr)
def test_stopping_early_warns(planted, model):
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        model.fit(planted(300, 20).matrix)
    assert not model.converged_


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (ConvexExRPCA(solver="other"), "solver='other'"),
        (ConvexExRPCA(lambda1=-1.0), "lambda1=-1.0"),
        (ConvexExRPCA(lambda2=0.0), "lambda2=0.0"),
        (ConvexExRPCA(n_components=50), "n_components == 50"),
        (ConvexExRPCA(max_iter=0), "max_iter == 0"),
        (RobustPCA(max_iter=0), "max_iter == 0"),
        (ConvexExRPCA(refit="no"), "refit='no'"),
        (RobustPCA(lambda_=0.0), "lambda_=0.0"),
    ],
    ids=repr,
)
def test_bad_parameters_are_named(planted, model, message):
    with pytest.raises(ValueError, match=message), warnings.catch_warnings():
        model.fit(planted(100, 20).matrix)

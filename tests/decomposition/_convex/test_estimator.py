"""What holds for both estimators of the convex problem."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from exrpca.decomposition import ConvexExRPCA, RobustPCA, make_low_rank

MODELS = [
    ConvexExRPCA(),
    ConvexExRPCA(refit=False),
    ConvexExRPCA(solver="ialm", refit=False),
    RobustPCA(),
]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_the_objective_returned_is_the_lowest_seen(model):
    told = []
    model.set_params(callback=told.append).fit(make_low_rank(300, 20).matrix)
    assert model.objective_ == min(iteration.objective for iteration in told)


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_parts_sum_to_x(model, dtype):
    X = make_low_rank(300, 20, dtype=dtype).matrix
    L, E, S = model.set_params(callback=None).fit(X).decompose(X)
    assert L.dtype == E.dtype == S.dtype == dtype
    np.testing.assert_allclose(L + E + S, X, atol=30 * np.finfo(dtype).eps * np.abs(X).max())


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
def test_decompose_repeats_the_fit(model, atol):
    X = make_low_rank(500, 30).matrix
    L, _, S = model.fit(X).decompose(X)
    np.testing.assert_allclose(S.toarray(), model.sparse_.toarray(), atol=atol)
    alone, _, _ = model.decompose(X[:1])
    np.testing.assert_allclose(alone, L[:1], atol=1e-4)


@pytest.mark.parametrize("name", ["fista", "ialm", "pcp"])
def test_half_and_full_difference_matrices_agree(angle, name):
    """The half matrix with √2 times the weights has the full one's solution."""
    half = make_low_rank(150, 20).matrix
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


@pytest.mark.parametrize("model", [ConvexExRPCA(), RobustPCA()], ids=repr)
def test_nan_is_refused_with_its_position(model):
    X = make_low_rank(300, 20).matrix
    X[123, 7] = np.nan
    with pytest.raises(ValueError, match="NaN at row 123, column 7"):
        model.set_params(callback=None).fit(X)


@pytest.mark.parametrize("model", [ConvexExRPCA(max_iter=2), RobustPCA(max_iter=2)], ids=repr)
def test_stopping_early_warns(model):
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        model.fit(make_low_rank(300, 20).matrix)
    assert not model.converged_

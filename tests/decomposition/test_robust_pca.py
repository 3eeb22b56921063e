import warnings

import numpy as np
import pytest

from exrpca.decomposition import RobustFitWarning, RobustPCA, make_low_rank


def test_pursuit_reaches_the_optimum(small, optimum):
    weight = 1 / np.sqrt(60)
    model = RobustPCA(center=False, tol=1e-7, max_iter=2000).fit(small)
    assert model.objective_ == pytest.approx(optimum(small, np.inf, weight), rel=1e-6)


def test_pursuit_recovers_exact_parts():
    parts = make_low_rank(400, 60, n_components=3, noise=0)
    model = RobustPCA(center=False, tol=1e-6).fit(parts.matrix)
    assert model.rank_ == 3
    np.testing.assert_allclose(model.sparse_.toarray(), parts.sparse, atol=1e-3)
    L, _, S = model.decompose(parts.matrix)
    np.testing.assert_allclose(L, parts.low_rank, atol=1e-3)
    np.testing.assert_allclose(S.toarray(), parts.sparse, atol=1e-3)


def test_pursuit_decomposes_at_the_objective_of_the_fit():
    X = make_low_rank(500, 30).matrix
    model = RobustPCA(center=False).fit(X)
    L, _, _ = model.decompose(X)
    reached = np.linalg.norm(L, "nuc") + np.abs(X - L).sum() / np.sqrt(500)
    assert reached == pytest.approx(model.objective_, rel=1e-3)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RobustPCA(max_iter=0), "max_iter == 0"),
        (RobustPCA(lambda_=0.0), "lambda_=0.0"),
    ],
    ids=repr,
)
def test_bad_parameters_are_named(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(make_low_rank(100, 20).matrix)


def test_noise_in_s_is_a_warning():
    X = make_low_rank(300, 30, noise=0.1).matrix
    with pytest.warns(RobustFitWarning, match="of the elements are in S"):
        RobustPCA().fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RobustFitWarning)
        RobustPCA(3).fit(X)
        RobustPCA().fit(make_low_rank(300, 30, noise=0).matrix)

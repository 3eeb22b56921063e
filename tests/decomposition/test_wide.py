"""Wide matrices, whose rows are placed by a sample of the columns."""

import numpy as np
import pytest

from exrpca.decomposition import ExRPCA, make_low_rank

N, D, RANK = 80, 15_000, 3


@pytest.mark.parametrize("missing", ["error", "impute"])
def test_a_fit_is_that_of_the_matrix_without_outliers(missing):
    planted = make_low_rank(N, D, n_components=RANK, noise=0.1, outlier_share=0.1, dtype=np.float32)
    X = planted.matrix
    if missing == "impute":
        X[np.random.default_rng(0).random(X.shape) < 0.05] = np.nan
    model = ExRPCA(RANK, missing=missing).fit(X)
    clean = ExRPCA(RANK).fit(planted.low_rank + planted.noise)
    turn = model.components_ @ clean.components_.T
    assert np.linalg.svd(turn, compute_uv=False).min() > 0.99
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(RANK), atol=1e-4)
    large = np.abs(planted.sparse) > 1
    found = model.sparse_.toarray() != 0
    assert (found & large)[~np.isnan(X)].sum() > 0.98 * large[~np.isnan(X)].sum()
    assert found.mean() < 0.12

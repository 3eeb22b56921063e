import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exrpca.decomposition._rounds.small_systems import solve


@given(k=st.integers(1, 6), n=st.integers(1, 5), seed=st.integers(0, 10**6))
def test_every_column_is_the_solution_of_its_system(k, n, seed):
    random = np.random.default_rng(seed)
    roots = random.normal(size=(n, k, k + 2))
    matrices = roots @ roots.transpose(0, 2, 1)
    precision, right = random.uniform(0.1, 1, k), random.normal(size=(k, n))
    triangles = np.ascontiguousarray(matrices[(slice(None), *np.tril_indices(k))].T)
    found = right.copy()
    solve(triangles, precision, found)
    for i in range(n):
        expected = np.linalg.solve(matrices[i] + np.diag(precision), right[:, i])
        np.testing.assert_allclose(found[:, i], expected, rtol=1e-6, atol=1e-9)

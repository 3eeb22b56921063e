import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exrpca.decomposition._matrix.sparse_rows import SparseRows
from exrpca.decomposition._rounds.alternation import gram_change


@given(n=st.integers(1, 20), d=st.integers(1, 12), seed=st.integers(0, 10**6))
def test_the_changed_gram_matrix_is_that_of_the_new_rows(n, d, seed):
    random = np.random.default_rng(seed)
    x, shift = random.normal(size=(n, d)), random.normal(size=d)
    old, new = (np.where(random.random((n, d)) < 0.3, random.normal(size=(n, d)), 0) for _ in "ab")
    half, sums, squares = gram_change(x, shift, SparseRows.of(old), SparseRows.of(new))
    before, after = x - shift - old, x - shift - new
    np.testing.assert_allclose(
        before.T @ before - half - half.T, after.T @ after, atol=1e-12 * n * d
    )
    np.testing.assert_allclose(before.sum(axis=0) + sums, after.sum(axis=0), atol=1e-12 * n)
    np.testing.assert_allclose(squares, ((new - old) ** 2).sum(), atol=1e-12)

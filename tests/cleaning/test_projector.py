import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca.cleaning import Projector


@st.composite
def orthonormal_rows(draw):
    dim = draw(st.integers(2, 12))
    k = draw(st.integers(1, dim - 1))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return np.linalg.qr(random.normal(size=(dim, dim)))[0][:, :k].T


@given(orthonormal_rows())
def test_is_the_orthogonal_projector_that_kills_the_components(U):
    T = Projector(U)
    matrix = T.matrix()
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)
    np.testing.assert_allclose(matrix @ matrix, matrix, atol=1e-12)
    np.testing.assert_allclose(T.apply(U), 0, atol=1e-12)
    orthogonal = np.linalg.svd(U)[2][len(U) :]
    np.testing.assert_allclose(T.apply(orthogonal), orthogonal, atol=1e-12)


@given(orthonormal_rows())
def test_apply_is_the_matrix(U):
    T = Projector(U)
    vectors = np.random.default_rng(0).normal(size=(5, T.dim))
    np.testing.assert_allclose(T.apply(vectors), vectors @ T.matrix(), atol=1e-12)
    np.testing.assert_allclose(T.apply(vectors[0]), T.apply(vectors)[0], atol=1e-12)


def test_float32_stays_float32_and_the_input_as_it_was():
    vectors = np.ones((4, 3), dtype=np.float32)
    assert Projector(np.eye(3)[:1]).apply(vectors).dtype == np.float32
    assert (vectors == 1).all()


def test_refuses_rows_that_are_not_orthonormal():
    with pytest.raises(ValueError, match="orthonormal"):
        Projector([[1.0, 1.0]])

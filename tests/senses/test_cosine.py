import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from exrpca.senses import SenseVectors
from exrpca.senses.cosine import unit_vectors

# from the smallest length whose square is not 0 in 32 bits
numbers = st.floats(-1000, 1000, width=32).filter(lambda number: number == 0 or abs(number) > 1e-15)
vectors = array_shapes(min_dims=2, max_dims=3).flatmap(
    lambda shape: arrays(np.float32, shape, elements=numbers)
)


@given(vectors)
def test_unit_vectors_have_length_1_and_their_direction_or_are_0(given_vectors):
    unit = unit_vectors(given_vectors)
    lengths = np.linalg.norm(given_vectors, axis=-1)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=-1), lengths > 0, atol=1e-5)
    np.testing.assert_allclose(unit * lengths[..., None], given_vectors, rtol=1e-5, atol=1e-30)


@given(arrays(np.float32, (5, 3), elements=numbers))
def test_cosines_are_products_of_unit_vectors(given_vectors):
    senses = SenseVectors(list("abcde"), given_vectors, [1] * 5)
    unit = unit_vectors(given_vectors)
    np.testing.assert_allclose(senses.cosines(given_vectors[0]), unit @ unit[0], atol=1e-5)

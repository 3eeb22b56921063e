import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from exrpca.senses.context import RULES, sense_probabilities


@pytest.mark.parametrize("rule", RULES)
@given(cosine=hnp.arrays(float, (3, 4), elements=st.floats(-1, 1)))
def test_probabilities_sum_to_one_and_follow_the_cosine(rule, cosine):
    probability = sense_probabilities(cosine, rule)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    order = np.argsort(cosine, axis=1)
    assert (np.diff(np.take_along_axis(probability, order, axis=1), axis=1) >= -1e-12).all()


def test_a_sense_that_does_not_exist_has_probability_zero():
    assert sense_probabilities(np.array([0.3, np.nan]))[1] == 0

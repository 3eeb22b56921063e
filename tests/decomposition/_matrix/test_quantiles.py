import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca.decomposition._matrix.quantiles import column_quantiles


@given(n=st.integers(1, 30), seed=st.integers(0, 10**6), share=st.sampled_from([0, 0.5, 0.75, 1]))
def test_it_is_numpys_quantile_of_what_is_observed(n, seed, share):
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, 4))
    x[random.random(x.shape) < 0.3] = np.nan
    x[0] = 1.0
    np.testing.assert_allclose(column_quantiles(x, share), np.nanquantile(x, share, axis=0))


def test_a_column_without_any_value_has_quantile_0():
    assert column_quantiles(np.full((3, 1), np.nan), 0.5) == pytest.approx(0)

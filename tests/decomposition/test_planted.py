import numpy as np
import pytest

from exrpca.decomposition import make_low_rank


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_parts_are_what_was_asked_for(dtype):
    parts = make_low_rank(
        3000, 50, n_components=4, noise=0.2, outlier_share=0.1, dtype=dtype, seed=3
    )
    assert np.linalg.matrix_rank(parts.low_rank) == 4
    assert parts.low_rank.std() == pytest.approx(1, rel=0.15)
    assert parts.noise.std() == pytest.approx(0.2, rel=0.02)
    assert (parts.sparse != 0).mean() == pytest.approx(0.1, rel=0.05)
    assert 9.9 < np.abs(parts.sparse).max() <= 10
    assert parts.matrix.dtype == dtype
    np.testing.assert_array_equal(parts.matrix, parts.low_rank + parts.noise + parts.sparse)


def test_the_seed_decides():
    first, again, other = (make_low_rank(50, 10, seed=seed).matrix for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)

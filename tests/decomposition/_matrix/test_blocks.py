import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exrpca.decomposition._matrix.blocks import LocalBlocks, Strips


@given(n=st.integers(1, 5000), wanted=st.integers(1, 500), cut=st.integers(0, 5000))
def test_a_sample_does_not_depend_on_the_blocks(n, wanted, cut):
    strips = Strips.about(wanted, of=n)
    if strips is None:
        return
    cut = min(cut, n)
    rows = np.arange(n)
    whole = np.concatenate([rows[a:b] for a, b in strips.within(0, n)])
    parts = strips.within(0, cut) + strips.within(cut, n)
    np.testing.assert_array_equal(np.concatenate([rows[a:b] for a, b in parts]), whole)
    assert wanted / 2 <= len(whole) <= 2 * wanted + 16


def test_blocks_cover_every_row_once():
    X = np.arange(3_000_000, dtype=np.float64).reshape(-1, 3)
    (total, count), _ = LocalBlocks(X).run(lambda x, _: ((x.sum(axis=0), len(x)), None), None)
    np.testing.assert_allclose(total, X.sum(axis=0))
    assert count == len(X)

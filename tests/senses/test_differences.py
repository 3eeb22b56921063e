import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from exrpca import DifferenceMatrix, InputError, SenseVectors, make_senses


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12).filter(lambda k: max(k) > 1))
def test_each_pair_stands_once_in_order(n_senses):
    words = [f"w{i}" for i in range(len(n_senses))]
    vectors = np.random.default_rng(0).normal(size=(sum(n_senses), 3)).astype(np.float32)
    senses = SenseVectors(words, vectors, n_senses)
    X = DifferenceMatrix(senses)
    expected = [
        (w, a, b)
        for w, k in zip(words, n_senses, strict=True)
        for a in range(k)
        for b in range(a + 1, k)
    ]
    assert list(X.pairs.itertuples(index=False, name=None)) == expected
    assert X.shape == (len(expected), 3)
    for row, (word, a, b) in zip(np.asarray(X), expected, strict=True):
        np.testing.assert_array_equal(row, senses[word, a] - senses[word, b])


def test_blocks_and_slices_are_the_matrix():
    X = DifferenceMatrix(make_senses(n_words=50, dim=7).senses)
    whole = np.asarray(X)
    np.testing.assert_array_equal(np.vstack(list(X.blocks(8))), whole)
    np.testing.assert_array_equal(X[3:9], whole[3:9])
    assert whole.dtype == X.dtype == np.float32


def test_half_and_full_matrix_have_the_same_pca():
    X = DifferenceMatrix(make_senses(n_words=200, dim=15, seed=2).senses)
    full = X.full()
    assert len(full) == 2 * len(X)
    np.testing.assert_allclose(full.mean(axis=0), 0, atol=1e-6)
    whole = PCA(4).fit(full)
    half = np.asarray(X, dtype=np.float64)
    values, vectors = np.linalg.eigh(half.T @ half)
    ratios = values[::-1] / values.sum()
    np.testing.assert_allclose(whole.explained_variance_ratio_, ratios[:4], rtol=1e-4)
    cosines = np.abs((whole.components_ * vectors[:, ::-1].T[:4]).sum(axis=1))
    np.testing.assert_allclose(cosines, 1, atol=1e-4)  # up to sign


def test_select_gives_the_rows_of_words():
    senses = make_senses(n_words=30, dim=4).senses
    X = DifferenceMatrix(senses)
    words = [senses.words[5], senses.words[3], senses.words[2]]
    assert X.pairs.iloc[X.select(words)]["word"].tolist() == [words[0]] * 3 + [words[2]] * 3
    assert len(X.select([])) == 0


def test_one_sense_a_word_has_no_differences():
    with pytest.raises(InputError, match="only one sense"):
        DifferenceMatrix(SenseVectors(["a", "b"], [[1], [2]], [1, 1]))

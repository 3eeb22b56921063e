import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca import clean
from exrpca.cleaning import SenseDecomposition
from exrpca.explorer.neighbors import CleanedGeometry, NeighborSearch, names_of
from exrpca.senses import SenseVectors


def listed(senses, near):
    return [
        (*name, pytest.approx(c, abs=1e-4))
        for name, c in zip(names_of(senses, near.rows), near.cosines, strict=True)
    ]


def expected(senses, word, sense, n):
    table = senses.neighbors(word, sense, n)
    return list(zip(table["neighbor"], table["its_sense"], table["cosine"], strict=True))


@pytest.mark.parametrize("word", ["bank", "money", "<b>bold</b>"])
def test_same_as_those_of_the_vectors(senses, word):
    found = NeighborSearch(senses).of(word, 7)
    assert len(found) == len(senses[word])
    for sense, near in enumerate(found):
        assert expected(senses, word, sense, 7) == listed(senses, near)


@pytest.mark.parametrize("rank", [1, 4])
def test_same_as_those_of_the_cleaned_vectors(senses, rank):
    cleaned = clean(senses, rank=rank)
    geometry = CleanedGeometry(senses, SenseDecomposition.fit(senses, rank=rank).components)
    for sense, near in enumerate(NeighborSearch(senses).of("bank", 5, geometry)):
        assert expected(cleaned, "bank", sense, 5) == listed(senses, near)


def test_zero_vectors_and_few_senses():
    senses = SenseVectors(["a", "b"], [[0, 0], [1, 0]], [1, 1])
    search = NeighborSearch(senses)
    assert search.of("a", 10)[0].cosines.tolist() == [0]
    alone = SenseVectors(["a"], [[1, 0]], [1])
    assert len(NeighborSearch(alone).of("a", 3)[0].rows) == 0


@given(st.integers(1, 2000), st.integers(1, 12), st.integers(0, 9))
def test_nearest_among_many_are_the_nearest(n_words, n, seed):
    vectors = np.random.default_rng(seed).normal(size=(n_words, 3)).round(1)
    senses = SenseVectors([f"w{i}" for i in range(n_words)], vectors, [1] * n_words)
    near = NeighborSearch(senses).of("w0", n)[0]
    cosines = senses.cosines(vectors[0])
    others = np.sort(np.delete(cosines, 0))[::-1][:n]
    np.testing.assert_allclose(near.cosines, others, atol=1e-5)
    np.testing.assert_allclose(cosines[near.rows], near.cosines, atol=1e-5)

import numpy as np
import pytest

from exrpca import InputError, SenseVectors, clean, make_senses
from exrpca.cleaning import DECOMPOSITIONS, SenseDecomposition


@pytest.fixture(scope="module")
def planted():
    return make_senses(n_words=600, dim=30, n_components=2, seed=1)


@pytest.mark.parametrize("method", DECOMPOSITIONS)
def test_removes_the_planted_directions(planted, method):
    cleaned = clean(planted.senses, method=method, rank=2)
    before = np.linalg.norm(planted.senses.vectors @ planted.components.T)
    after = np.linalg.norm(cleaned.vectors @ planted.components.T)
    assert after < 0.1 * before
    assert cleaned.vectors.dtype == np.float32


@pytest.mark.parametrize("method", DECOMPOSITIONS)
def test_half_and_full_matrix_agree(planted, method):
    half = SenseDecomposition.fit(planted.senses, method=method, rank=2)
    full = DECOMPOSITIONS[method](2).fit(half.differences.full()).components_
    angles = np.linalg.svd(half.components @ full.T)[1]
    np.testing.assert_allclose(angles, 1, atol=1e-4)


def test_leaves_everything_else_as_it_was(planted):
    cleaned = clean(planted.senses, method="pca", rank=1)
    assert cleaned.words == planted.senses.words
    for name in ("centers", "globals", "counts"):
        np.testing.assert_array_equal(getattr(cleaned, name), getattr(planted.senses, name))
    assert cleaned.metadata["cleaned"] == {"method": "pca", "rank": 1}


@pytest.mark.parametrize("rank", [0, 30, -1])
def test_rank_outside_the_dimensions_is_refused(planted, rank):
    with pytest.raises(InputError, match=f"rank={rank} must be between 1 and 29"):
        clean(planted.senses, rank=rank)


def test_rank_above_the_number_of_pairs_is_refused():
    senses = SenseVectors(["a"], [[1, 2, 3], [3, 2, 1]], [2])
    with pytest.raises(InputError, match="needs at least 2 sense pairs; there are 1"):
        clean(senses, rank=2)


def test_unknown_method_is_refused(planted):
    with pytest.raises(InputError, match="method='ica' must be one of pca, exrpca"):
        clean(planted.senses, method="ica")


def test_one_sense_a_word_has_nothing_to_clean():
    with pytest.raises(InputError, match="only one sense"):
        clean(SenseVectors(["a", "b"], [[1, 2], [3, 4]], [1, 1]), rank=1)


@pytest.mark.parametrize("real_share", [0.05, 0.2])
def test_automatic_rank_removes_what_was_planted_at_any_share_of_real_pairs(real_share):
    planted = make_senses(n_words=1000, dim=30, n_components=2, real_share=real_share, seed=1)
    cleaned = clean(planted.senses)
    assert cleaned.metadata["cleaned"] == {"method": "exrpca", "rank": 2}
    before = np.linalg.norm(planted.senses.vectors @ planted.components.T)
    assert np.linalg.norm(cleaned.vectors @ planted.components.T) < 0.1 * before


def test_automatic_rank_is_0_where_senses_of_a_word_agree():
    rng = np.random.default_rng(0)
    words = rng.normal(size=(300, 1, 10)) * 3
    vectors = (words + rng.normal(size=(300, 2, 10))).reshape(-1, 10)
    senses = SenseVectors(map(str, range(300)), vectors, [2] * 300)
    cleaned = clean(senses)
    assert cleaned.metadata["cleaned"]["rank"] == 0
    np.testing.assert_array_equal(cleaned.vectors, senses.vectors)


def test_few_pairs_are_not_cleaned():
    senses = SenseVectors(["a"], [[1, 2, 3], [3, 2, 1]], [2])
    assert clean(senses).metadata["cleaned"]["rank"] == 0

import pytest
from numpy.testing import assert_allclose

from exrpca.analysis import describe_pairs
from exrpca.cleaning import SenseDecomposition, detect
from exrpca.senses.neighbors import neighbor_words


@pytest.fixture(scope="module")
def detected(planted):
    return detect(SenseDecomposition.fit(planted.senses, rank=2))


def test_pairs_have_outlier_norm_verdict_and_neighbors_of_both_senses(
    planted, detected, decomposition
):
    senses = planted.senses
    three, two = (next(w for w in senses if len(senses[w]) == k) for k in (3, 2))
    table = describe_pairs(senses, detected, [three, two], n_neighbors=3)
    assert table["word"].tolist() == [three] * 3 + [two]
    assert table[["sense_a", "sense_b"]].to_numpy().tolist() == [[0, 1], [0, 2], [1, 2], [0, 1]]
    at = decomposition.differences.select([three, two])
    assert_allclose(table["outlier_norm"], decomposition.outlier_norm[at], rtol=1e-5)
    assert set(table["verdict"]) <= {"real", "pseudo", "undecided"}
    near = table["neighbors_a"][0].split()
    assert len(set(near)) == 3
    assert three not in near
    assert near == neighbor_words(senses, three, 0, 3)


def test_a_word_with_one_sense_has_no_pair_and_a_missing_one_is_an_error(planted, detected):
    single = next(w for w in planted.senses if len(planted.senses[w]) == 1)
    assert describe_pairs(planted.senses, detected, [single]).empty
    with pytest.raises(KeyError, match="no word 'nowhere'"):
        describe_pairs(planted.senses, detected, ["nowhere"])

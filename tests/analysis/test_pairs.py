import pytest
from numpy.testing import assert_allclose

from exrpca.analysis import describe_pairs, noisiest_words
from exrpca.analysis.pairs import neighbor_words


def test_pairs_have_noise_and_neighbours_of_both_senses(planted, decomposed):
    senses = planted.senses
    word = next(w for w in senses if len(senses[w]) == 3)
    table = describe_pairs(decomposed, [word], n_neighbors=3)
    assert table[["sense_a", "sense_b"]].to_numpy().tolist() == [[0, 1], [0, 2], [1, 2]]
    at = decomposed.differences.select([word])
    assert_allclose(table["noise"], decomposed.noise[at])
    near = table["neighbors_a"][0].split()
    assert len(set(near)) == 3
    assert word not in near
    assert near == neighbor_words(senses, word, 0, 3).split()
    assert table["percentile"].between(0, 100).all()


def test_real_pairs_have_more_noise_than_pseudo_pairs(planted, decomposed):
    noise = decomposed.noise
    real = planted.pairs["real"].to_numpy()
    assert noise[real].mean() > 3 * noise[~real].mean()


def test_a_word_with_one_sense_has_no_pair_and_a_missing_one_is_an_error(planted, decomposed):
    single = next(w for w in planted.senses if len(planted.senses[w]) == 1)
    assert describe_pairs(decomposed, [single]).empty
    with pytest.raises(KeyError, match="no word 'nowhere'"):
        describe_pairs(decomposed, ["nowhere"])


def test_noisiest_words_come_first(decomposed):
    words = noisiest_words(decomposed, 5)
    assert len(set(words)) == 5
    top = decomposed.differences.pairs["word"][decomposed.noise.argmax()]
    assert words[0] == top

import numpy as np
import pytest
from numpy.testing import assert_allclose

from exrpca.errors import InputError
from exrpca.evaluation import Context, PairSimilarity, WordPairs
from exrpca.senses import SenseVectors, make_senses
from exrpca.text import disambiguate

ROOT_HALF = np.sqrt(0.5)


def test_measures_worked_out_by_hand(three_words, three_pairs):
    pairs = PairSimilarity(three_words, three_pairs, rule="shifted")
    # bank near river: context (0, 1), cosines with the centers 0 and 1, so P = 1/3, 2/3;
    # near cash the reverse. cash and river have one sense. Cosines of the senses:
    # bank-river 0, 1; bank-cash √½, √½; bank-bank 1, 0 / 0, 1.
    expected = {
        "globalSim": [ROOT_HALF, ROOT_HALF, 1],
        "avgSim": [0.5, ROOT_HALF, 0.5],
        "avgSimC": [2 / 3, ROOT_HALF, 2 * (2 / 3) * (1 / 3)],
        "localSim": [1, ROOT_HALF, 0],
        "maxSim": [1, ROOT_HALF, 1],
    }
    scores = pairs.scores()
    assert list(scores) == list(expected)
    for measure, values in expected.items():
        assert_allclose(scores[measure], values, rtol=1e-6, err_msg=measure)


def test_inverse_rule_worked_out_by_hand(three_words):
    # context (1, 1): cosine √½ with both centers; context river: 1/(1−0) against 1/(1−1) → 1e6
    data = WordPairs(
        "one",
        (("bank", "river"), ("bank", "river")),
        np.array([1.0, 2.0]),
        ((Context(("bank",), ()), Context((), ())), (Context(("river",), ()), Context((), ()))),
    )
    bank, river = PairSimilarity(three_words, data).probabilities
    assert_allclose(bank, [[0.5, 0.5], [1 / (1 + 1e6), 1e6 / (1 + 1e6)]], rtol=1e-6)
    assert_allclose(river[:, 0], 1)


def test_probabilities_are_those_of_disambiguate(three_words):
    context = Context(("far", "cash", "x", "x", "x", "x"), ("river", "river", "bank"))
    data = WordPairs("one", (("bank", "cash"),), np.array([1.0]), ((context, context),))
    for rule in ("inverse", "shifted"):
        ours = PairSimilarity(three_words, data, rule=rule).probabilities[0][0]
        text = [*context.left, "bank", *context.right]
        theirs = disambiguate(three_words, "bank", text, rule=rule)["probability"]
        assert_allclose(ours, theirs, rtol=1e-6)


def test_pairs_out_of_vocabulary_are_counted(three_words, three_pairs):
    pairs = PairSimilarity(three_words, three_pairs)
    assert pairs.used.tolist() == [0, 1, 2]
    assert pairs.ratings.tolist() == [2, 6, 4]


def test_word_as_it_stands_comes_before_lower_case():
    senses = SenseVectors(["Polish", "polish"], [[1, 0], [0, 1]], [1, 1])
    data = WordPairs("case", (("Polish", "POLISH"),), np.array([1.0]))
    assert PairSimilarity(senses, data).scores()["avgSim"].tolist() == [0]


def test_measures_need_what_they_are_made_of(three_words, three_pairs):
    plain = three_words.replace(centers=None, globals=None)
    assert PairSimilarity(plain, three_pairs).measures == ("avgSim", "maxSim")
    no_centers = three_words.replace(centers=None)
    assert PairSimilarity(no_centers, three_pairs).measures == ("globalSim", "avgSim", "maxSim")
    alone = WordPairs("alone", three_pairs.words, three_pairs.ratings)
    assert PairSimilarity(three_words, alone).measures == ("globalSim", "avgSim", "maxSim")


def test_no_context_leaves_senses_equally_probable(three_words):
    nothing = Context(("unknown",), ())
    data = WordPairs("empty", (("bank", "cash"),), np.array([1.0]), ((nothing, nothing),))
    assert_allclose(PairSimilarity(three_words, data).probabilities[0], [[0.5, 0.5]])


def test_zero_vectors_have_similarity_zero():
    senses = SenseVectors(["a", "b"], [[0, 0], [1, 0]], [1, 1])
    data = WordPairs("zero", (("a", "b"),), np.array([1.0]))
    assert PairSimilarity(senses, data).scores()["maxSim"].tolist() == [0]


def test_vocabulary_without_any_pair_is_refused(three_words):
    data = WordPairs("strange", (("tree", "bush"),), np.array([1.0]))
    with pytest.raises(InputError, match="none of the 1 pairs of strange"):
        PairSimilarity(three_words, data)


def test_one_sense_a_word_makes_all_sense_measures_equal():
    senses = make_senses(n_words=40, dim=8, seed=1).senses.collapse()
    words = tuple(zip(senses.words[:20], senses.words[20:], strict=True))
    scores = PairSimilarity(senses, WordPairs("p", words, np.arange(20.0))).scores()
    assert_allclose(scores["avgSim"], scores["maxSim"], rtol=1e-6)

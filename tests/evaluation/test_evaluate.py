import numpy as np
import pytest
from numpy.testing import assert_allclose

from exrpca.errors import InputError
from exrpca.evaluation import PairSimilarity, WordPairs, compare_vectors, evaluate, spearman
from exrpca.senses import SenseVectors


def test_evaluate_has_a_row_a_measure(three_words, three_pairs):
    result = evaluate(three_words, three_pairs)
    assert list(result) == ["dataset", "measure", "rho", "low", "high", "used", "total"]
    assert list(result["measure"]) == ["globalSim", "avgSim", "avgSimC", "localSim", "maxSim"]
    assert set(result["used"]) == {3}
    assert set(result["total"]) == {4}
    scores = PairSimilarity(three_words, three_pairs).scores()
    expected = [spearman([2, 6, 4], score) for score in scores.values()]
    assert_allclose(result["rho"], expected)


def test_compare_uses_the_pairs_both_know():
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(60)]
    few = SenseVectors(words[:40], rng.normal(size=(40, 5)), np.ones(40, dtype=int))
    many = SenseVectors(words, rng.normal(size=(60, 5)), np.ones(60, dtype=int))
    pairs = tuple((words[i], words[i + 1]) for i in range(59))
    data = WordPairs("chain", pairs, rng.normal(size=59))
    result = compare_vectors(few, many, data).set_index("measure")
    assert result.loc["avgSim", "used"] == 39
    shared = WordPairs("chain", pairs[:39], data.ratings[:39])
    rho = [evaluate(v, shared).set_index("measure").loc["avgSim", "rho"] for v in (few, many)]
    assert_allclose(result.loc["avgSim", "difference"], rho[0] - rho[1])
    with pytest.raises(InputError, match="0 pairs of chain are in both"):
        compare_vectors(few, many.select(words[40:]), data)


def test_one_pair_in_the_vocabulary_is_too_few(three_words):
    data = WordPairs("short", (("bank", "river"), ("bank", "tree")), np.array([1.0, 2.0]))
    with pytest.raises(InputError, match="1 of the 2 pairs of short"):
        evaluate(three_words, data)

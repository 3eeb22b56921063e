from itertools import pairwise

import numpy as np
from numpy.testing import assert_allclose

from exrpca.analysis import collapsed_scores, spectrum, sweep
from exrpca.cleaning import Projector, SenseDecomposition
from exrpca.evaluation import WordPairs, evaluate
from exrpca.senses import bundled


def test_sweep_equals_projecting_and_scoring_each_rank_anew(decomposition, pairs):
    table = sweep(decomposition, [pairs])
    assert list(table) == ["removed", "dataset", "measure", "rho", "used", "total"]
    senses = decomposition.senses
    _, directions = spectrum(decomposition)
    assert sorted(table["removed"].unique()) == list(range(24))
    for removed in (0, 1, 2, 7, 23):
        vectors = senses.vectors
        if removed:
            vectors = Projector(directions[:removed]).apply(vectors)
        expected = evaluate(senses.replace(vectors=vectors), pairs, n_resamples=1)
        found = table[table["removed"] == removed].set_index("measure")["rho"]
        # float32 projection leaves rounding where nearly all has been removed
        tolerance = 1e-3 if removed < 23 else 0.2
        assert_allclose(found[expected["measure"]], expected["rho"], atol=tolerance)


def test_global_similarity_does_not_change(decomposition, pairs):
    table = sweep(decomposition, [pairs])
    assert table.loc[table["measure"] == "globalSim", "rho"].nunique() == 1


def test_collapsed_score_is_that_of_one_vector_per_word(decomposition, pairs):
    expected = (
        evaluate(decomposition.senses.collapse(), pairs).set_index("measure").loc["avgSim", "rho"]
    )
    assert_allclose(collapsed_scores(decomposition.senses, [pairs])["planted"], expected)
    assert not np.isnan(expected)


def test_sweep_and_evaluate_agree_where_cosines_are_equal():
    # the cosine of a word with itself is 1, but not to the last bit in every way to compute it
    senses = bundled()
    words = list(senses)[1000:1100]
    same = [(word, word) for word in words]
    different = list(pairwise(words))
    ratings = np.random.default_rng(0).permutation(len(same) + len(different))
    pairs = WordPairs("ties", same + different, ratings.astype(float))
    table = sweep(SenseDecomposition.fit(senses), [pairs])
    found = table[table["removed"] == 0].set_index("measure")["rho"]
    expected = evaluate(senses, pairs, n_resamples=1)
    assert found[expected["measure"]].tolist() == expected["rho"].tolist()

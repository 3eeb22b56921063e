import numpy as np
from numpy.testing import assert_allclose

from exrpca.analysis import collapsed_scores, sweep
from exrpca.cleaning import Projector
from exrpca.evaluation import evaluate


def test_sweep_equals_projecting_and_scoring_each_rank_anew(decomposed, pairs):
    table = sweep(decomposed, [pairs])
    assert list(table) == ["removed", "dataset", "measure", "rho", "used", "total"]
    senses = decomposed.senses
    _, directions = decomposed.variances_and_directions()
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


def test_global_similarity_does_not_change(decomposed, pairs):
    table = sweep(decomposed, [pairs])
    assert table.loc[table["measure"] == "globalSim", "rho"].nunique() == 1


def test_collapsed_score_is_that_of_one_vector_a_word(decomposed, pairs):
    expected = (
        evaluate(decomposed.senses.collapse(), pairs).set_index("measure").loc["avgSim", "rho"]
    )
    assert_allclose(collapsed_scores(decomposed.senses, [pairs])["planted"], expected)
    assert not np.isnan(expected)

import numpy as np
import pytest
from numpy.testing import assert_allclose

from exrpca.cleaning import clean
from exrpca.errors import InputError
from exrpca.evaluation import WordPairs, compare_vectors, evaluate
from exrpca.evaluation.methods import compare_methods, n_variants, variants
from exrpca.evaluation.tables import coverage, wide_scores
from exrpca.senses import make_senses


@pytest.fixture(scope="module")
def senses():
    return make_senses(n_words=200, dim=12, n_components=2, seed=5).senses


@pytest.fixture(scope="module")
def data(senses):
    rng = np.random.default_rng(0)
    words = tuple(tuple(pair) for pair in rng.choice(senses.words, size=(50, 2)))
    return WordPairs("pairs", (*words, ("absent", "also absent")), rng.normal(size=51))


@pytest.fixture(scope="module")
def scores(senses, data):
    methods = ["none", "collapsed", "abtt", "pca", "exrpca", "neighbors"]
    return compare_methods(senses, [data], methods=methods, ranks=[1, 3])


def test_a_row_for_each_method_rank_and_measure(scores):
    assert list(scores) == [
        *("method", "rank", "dataset", "measure", "rho", "low", "high"),
        *("gain", "gain_low", "gain_high", "used", "total"),
    ]
    variants = scores[["method", "rank"]].drop_duplicates()
    assert len(variants) == n_variants(["none", "collapsed", "abtt", "pca", "exrpca"], [1, 3]) + 1
    assert set(scores.loc[scores["measure"] == "globalSim", "method"]) == {"none"}
    assert set(scores["used"]) == {50}
    assert set(scores["total"]) == {51}


@pytest.mark.parametrize(("method", "rank"), [("pca", 1), ("pca", 3), ("exrpca", 3)])
def test_scores_and_gains_are_those_of_cleaned_vectors(senses, data, scores, method, rank):
    cleaned = clean(senses, method=method, rank=rank)
    found = scores[(scores["method"] == method) & (scores["rank"] == rank)].set_index("measure")
    alone = evaluate(cleaned, data).set_index("measure")
    gain = compare_vectors(cleaned, senses, data).set_index("measure")
    for measure in ("avgSim", "maxSim"):
        assert_allclose(found.loc[measure, "rho"], alone.loc[measure, "rho"], atol=1e-3)
        assert_allclose(found.loc[measure, "gain"], gain.loc[measure, "difference"], atol=1e-3)
        assert_allclose(found.loc[measure, "gain_low"], gain.loc[measure, "low"], atol=5e-3)


def test_every_way_of_removing_components_keeps_the_layout(senses):
    for variant in variants(senses, ["none", "abtt", "pca"], [2]):
        assert variant.senses.words == senses.words
        assert (variant.senses.n_senses == senses.n_senses).all()
    collapsed = next(variants(senses, ["collapsed"], []))
    assert collapsed.senses.n_senses.max() == 1
    assert collapsed.rank is None


def test_unknown_method_is_refused(senses, data):
    with pytest.raises(InputError, match="method 'magic' must be one of none, collapsed"):
        compare_methods(senses, [data], methods=["none", "magic"])
    with pytest.raises(InputError, match="no baseline 'neighbors': there are no global vectors"):
        compare_methods(senses.replace(globals=None), [data], methods=["neighbors"])


def test_wide_table_has_a_row_a_variant_in_the_order_they_came(scores):
    table = wide_scores(scores)
    assert list(table)[:2] == ["method", "rank"]
    assert table["method"].tolist()[:3] == ["none", "collapsed", "abtt"]
    row = scores.query("method == 'none' and measure == 'avgSim'").iloc[0]
    half = (row["high"] - row["low"]) / 2
    assert table["pairs avgSim"][0] == f"{100 * row['rho']:.1f} ±{100 * half:.1f}"
    assert table["pairs globalSim"].tolist()[1:] == [""] * (len(table) - 1)
    assert wide_scores(scores, value="gain")["pairs avgSim"][0] == "+0.0 ±0.0"
    assert coverage(scores) == "pairs (50 of 51 pairs)"

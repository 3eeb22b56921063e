import numpy as np
import pandas as pd
import pytest

from exrpca import bundled, disambiguate
from exrpca.errors import InputError
from exrpca.evaluation import (
    WSI_MEASURES,
    WsiData,
    evaluate_wsi,
    read_wsi,
    score_clusterings,
    sense_clusters,
    word_measures,
)
from exrpca.senses import SenseVectors


@pytest.fixture
def senses():
    """`bank` with a sense near money and one near rivers."""
    return SenseVectors(
        ["bank", "river", "money"],
        [[1, 0], [0, 1], [1, 1], [1, 1]],
        [2, 1, 1],
        centers=[[1, 0], [0, 1], [1, 1], [1, 1]],
        globals=[[1, 1], [0, 1], [1, 0]],
    )


@pytest.fixture
def banks():
    """Occurrences of bank in several forms, and of a word that is unknown."""
    return WsiData(
        "banks",
        pd.DataFrame(
            [
                ("bank.n", "bank", "The RIVER:", "banks", "", "shore"),
                ("bank.n", "bank", "", "Bank", "(money)", "money"),
                ("bank.n", "bank", "river", "bank", "a b c d e money", "shore"),
                ("tree.n", "tree", "river", "trees", "", "plant"),
                ("tree.n", "tree", "money", "tree", "", "graph"),
            ],
            columns=["word", "lemma", "left", "target", "right", "gold"],
        ),
    )


def test_targets_are_found_by_their_lemma_and_unknown_words_have_one_cluster(senses, banks):
    assert list(sense_clusters(senses, banks)) == [1, 0, 1, -1, -1]
    measured = word_measures(banks, sense_clusters(senses, banks))
    assert measured.loc["tree.n", "clusters"] == 1


def test_the_window_counts_tokens(senses, banks):
    # money is the sixth token to the right; then both are equally near, and the first sense wins
    assert sense_clusters(senses, banks, window=5)[2] == 1
    assert sense_clusters(senses, banks, window=6)[2] == 0
    with pytest.raises(InputError, match="window=0 must be at least 1"):
        sense_clusters(senses, banks, window=0)


def test_all_words_unknown(senses, banks):
    only_trees = WsiData("trees", banks.table.query("lemma == 'tree'"))
    assert list(sense_clusters(senses, only_trees)) == [-1, -1]


def test_vectors_without_centers(banks):
    senses = SenseVectors(["bank", "money"], [[1, 0], [0, 1], [1, 0]], [2, 1])
    assert len(evaluate_wsi(senses, banks))


def test_a_merged_sense_keeps_the_centers_of_its_parts(banks):
    several = SenseVectors(
        ["bank", "river", "money"],
        [[1, 0], [0, 1], [1, 1], [1, 1]],
        [2, 1, 1],
        centers=[[0, 1], [-1, 0], [1, 0], [1, 1], [1, 1]],
        n_centers=[2, 1, 1, 1],
        globals=[[1, 1], [0, 1], [1, 0]],
    )
    assert list(sense_clusters(several, banks)[:3]) == [0, 1, 0]


def test_baselines_are_always_beside(senses, banks):
    scores = evaluate_wsi(senses, banks)
    assert list(scores["clustering"].unique()) == ["senses", "one cluster", "one per occurrence"]
    assert set(scores["measure"]) == set(WSI_MEASURES)
    wide = scores.pivot(index="clustering", columns="measure", values="value")
    assert wide.loc["one cluster", "b3_recall"] == 1
    assert wide.loc["one cluster", "ari"] == 0
    assert wide.loc["one per occurrence", "b3_precision"] == 1
    assert wide.loc["one per occurrence", "clusters"] == 2.5


def many_words(n_words=60, seed=0):
    """Return a data set of random labels and a clustering that often agrees."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(3, size=10 * n_words)
    table = pd.DataFrame({"word": np.repeat([f"w{i}" for i in range(n_words)], 10)})
    table = table.assign(lemma=table["word"], left="", target="x", right="", gold=gold.astype(str))
    clusters = np.where(rng.random(len(gold)) < 0.7, gold, rng.integers(3, size=len(gold)))
    return WsiData("random", table), clusters


def test_values_are_means_over_words_inside_their_intervals():
    data, clusters = many_words()
    scores = score_clusterings(data, {"found": clusters})
    measured = word_measures(data, clusters)
    found = scores[(scores["clustering"] == "found") & scores["measure"].isin(measured)]
    assert len(found) == len(WSI_MEASURES) - 2  # two come from means over words
    for row in found.itertuples():
        assert row.value == pytest.approx(measured[row.measure].mean())
        assert row.low < row.value < row.high
        assert row.words == measured[row.measure].notna().sum()
        assert row.difference == row.difference_low == row.difference_high == 0


def test_intervals_are_those_of_the_mean_over_words():
    data, clusters = many_words()
    scores = score_clusterings(data, {"found": clusters}, n_resamples=4000).set_index("measure")
    ari = word_measures(data, clusters)["ari"]
    width = 2 * 1.96 * ari.std() / np.sqrt(len(ari))
    found = scores[scores["clustering"] == "found"].loc["ari"]
    assert found["high"] - found["low"] == pytest.approx(width, rel=0.1)


def test_differences_are_paired():
    data, clusters = many_words()
    worse = np.where(np.arange(len(clusters)) % 10 == 0, 2, clusters)
    scores = score_clusterings(data, {"found": clusters, "worse": worse})
    ari = scores[scores["measure"] == "ari"].set_index("clustering")
    difference = word_measures(data, worse)["ari"] - word_measures(data, clusters)["ari"]
    assert ari.loc["worse", "difference"] == pytest.approx(difference.mean())
    paired = ari.loc["worse", "difference_high"] - ari.loc["worse", "difference_low"]
    assert paired < ari.loc["worse", "high"] - ari.loc["worse", "low"]
    assert ari.loc["one cluster", "difference"] == pytest.approx(-ari.loc["found", "value"])


def test_the_seed_decides_the_intervals():
    data, clusters = many_words()
    first, again, other = (score_clusterings(data, {"x": clusters}, seed=s) for s in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert (first["low"] != other["low"]).any()


def test_no_word_with_several_gold_senses(banks):
    data = WsiData("shores", banks.table[banks.table["gold"] == "shore"])
    scores = score_clusterings(data, {"x": [0, 1]}).set_index(["clustering", "measure"])
    assert np.isnan(scores.loc[("x", "ari"), ["value", "low", "high"]].astype(float)).all()
    assert scores.loc[("x", "ari"), "words"] == 0


def test_bad_settings(banks):
    with pytest.raises(InputError, match="n_resamples=0 must be at least 1"):
        score_clusterings(banks, {}, n_resamples=0)
    with pytest.raises(InputError, match="'one cluster' is the name of a baseline"):
        score_clusterings(banks, {"one cluster": [0] * 5})


def test_the_same_sense_as_disambiguate(real_data):
    senses, data = bundled(), read_wsi(real_data / "semeval-2010")
    clusters = sense_clusters(senses, data)
    for row in data.table.iloc[::211].itertuples():
        context = [*row.left.split()[-10:], *row.right.split()[:10]]
        if row.lemma in senses and row.lemma not in context:
            chosen = disambiguate(senses, row.lemma, context)["probability"].argmax()
            assert clusters[row.Index] == senses.offsets[senses.index(row.lemma)] + chosen


# Measured by another program on the same files.
@pytest.mark.parametrize(
    ("path", "b3"),
    [("semeval-2010", 0.620), ("coarsewsd-20", 0.697), ("semcor-wsi/dev.csv", 0.852)],
)
def test_one_cluster_on_the_published_sets(real_data, path, b3):
    data = read_wsi(real_data / path)
    assert word_measures(data, np.zeros(len(data)))["b3"].mean() == pytest.approx(b3, abs=5e-4)


def test_bundled_vectors_on_semeval(real_data):
    scores = evaluate_wsi(bundled(), read_wsi(real_data / "semeval-2010"))
    value = scores[scores["clustering"] == "senses"].set_index("measure")["value"]
    assert value["ari"] > 0.045
    assert 2 < value["clusters"] < 3.5


def labeled(words, gold):
    columns = {"lemma": "bank", "left": "", "target": "bank", "right": ""}
    return WsiData("made", pd.DataFrame({"word": list(words), "gold": list(gold), **columns}))


def values(data, clusters, **options):
    scores = score_clusterings(data, {"found": clusters}, n_resamples=2, **options)
    return scores[scores["clustering"] == "found"].set_index("measure")["value"]


def test_two_measures_come_from_means_over_words():
    data, clusters = labeled("uuuuvvvv", "aabbaaab"), [0, 0, 1, 1, 0, 1, 1, 1]
    found, means = values(data, clusters), word_measures(data, clusters).mean()
    assert found["avg"] == pytest.approx(np.sqrt(means["v_measure"] * means["paired_f"]))
    precision, recall = means["fuzzy_b3_precision"], means["fuzzy_b3_recall"]
    assert found["fuzzy_b3"] == pytest.approx(2 * precision * recall / (precision + recall))


def test_memberships_change_the_fuzzy_measures_only():
    data, clusters = labeled("uuuu", "aabb"), [0, 0, 1, 1]
    shares = [[1, 0], [1, 0.5], [0, 1], [0, 1]]
    hard, graded = values(data, clusters), values(data, clusters, memberships={"found": shares})
    assert set(hard.index[hard != graded]) == {"fuzzy_b3", "fuzzy_nmi"}
    with pytest.raises(InputError, match="memberships"):
        values(data, clusters, memberships={"found": [1, 0, 0, 1]})

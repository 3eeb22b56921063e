"""Measures per word, against scikit-learn, against values by hand, and what must always hold."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, v_measure_score

from exrpca.errors import InputError
from exrpca.evaluation import WsiData, word_measures

FRACTIONS = ["b3", "b3_precision", "b3_recall", "v_measure", "paired_f"]


def occurrences(words, gold):
    columns = {"lemma": "bank", "left": "", "target": "bank", "right": ""}
    return WsiData("made", pd.DataFrame({"word": words, "gold": gold, **columns}))


def measures(gold, clusters):
    """Return the measures of one word."""
    return word_measures(occurrences("bank", list(gold)), list(clusters)).loc["bank"]


@st.composite
def labeled(draw):
    """Words, gold senses and clusters of some occurrences."""
    row = st.tuples(st.sampled_from("uvw"), st.sampled_from("abcd"), st.integers(0, 4))
    words, gold, clusters = zip(*draw(st.lists(row, min_size=1, max_size=40)), strict=True)
    return list(words), list(gold), np.array(clusters)


def test_b_cubed_by_hand():
    # clusters aab | b: three occurrences at 2/3, 2/3, 1/3 and one at 1; a at 1, b at 1/2
    found = measures("aabb", [0, 0, 0, 1])
    assert found["b3_precision"] == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1) / 4)
    assert found["b3_recall"] == pytest.approx((1 + 1 + 1 / 2 + 1 / 2) / 4)
    assert found["b3"] == pytest.approx(2 * (2 / 3) * (3 / 4) / (2 / 3 + 3 / 4))


def test_paired_f_by_hand():
    # 3 pairs in clusters, 2 in gold senses, 1 in both: precision 1/3, recall 1/2
    assert measures("aabb", [0, 0, 0, 1])["paired_f"] == pytest.approx(2 / 5)
    # aaab | bb: 6 + 1 pairs, gold 3 + 3, both 3 + 1
    assert measures("aaabbb", [0, 0, 0, 0, 1, 1])["paired_f"] == pytest.approx(2 * 4 / (7 + 6))


def test_paired_f_without_pairs():
    assert measures("ab", [0, 1])["paired_f"] == 1  # right: no two are together
    assert measures("aa", [0, 1])["paired_f"] == 0
    assert measures("ab", [0, 0])["paired_f"] == 0


def test_ari_is_left_out_for_words_with_one_gold_sense():
    data = occurrences(list("uuuvv"), list("aaaab"))
    found = word_measures(data, [0, 1, 1, 0, 1])
    assert np.isnan(found.loc["u", "ari"])
    assert found.loc["v", "ari"] == 1
    assert found["ari"].mean() == 1


@given(labeled())
def test_agrees_with_scikit_learn(made):
    words, gold, clusters = made
    found = word_measures(occurrences(words, gold), clusters)
    for word, group in pd.DataFrame({"w": words, "g": gold, "c": clusters}).groupby("w"):
        expected = v_measure_score(group["g"], group["c"])
        assert found.loc[word, "v_measure"] == pytest.approx(expected, abs=1e-9)
        if group["g"].nunique() > 1:
            expected = adjusted_rand_score(group["g"], group["c"])
            assert found.loc[word, "ari"] == pytest.approx(expected, abs=1e-9)
        assert found.loc[word, "occurrences"] == len(group)
        assert found.loc[word, "senses"] == group["g"].nunique()
        assert found.loc[word, "clusters"] == group["c"].nunique()


@given(labeled())
def test_b_cubed_and_paired_f_agree_with_their_definitions(made):
    words, gold, clusters = made
    found = word_measures(occurrences(words, gold), clusters)
    for word, group in pd.DataFrame({"w": words, "g": gold, "c": clusters}).groupby("w"):
        g, c = group["g"].to_numpy(), group["c"].to_numpy()
        same_gold, same_cluster = g[:, None] == g, c[:, None] == c
        both = same_gold & same_cluster
        precision = (both.sum(axis=1) / same_cluster.sum(axis=1)).mean()
        assert found.loc[word, "b3_precision"] == pytest.approx(precision)
        assert found.loc[word, "b3_recall"] == pytest.approx(
            (both.sum(axis=1) / same_gold.sum(axis=1)).mean()
        )
        pairs = np.triu(np.ones_like(both), 1)
        n_both, n_gold, n_cluster = ((pairs & t).sum() for t in (both, same_gold, same_cluster))
        expected = 2 * n_both / (n_gold + n_cluster) if n_gold + n_cluster else 1
        assert found.loc[word, "paired_f"] == pytest.approx(expected)


@given(labeled(), st.permutations(range(5)), st.permutations("abcd"), st.randoms())
def test_names_and_order_do_not_count(made, numbers, letters, random):
    words, gold, clusters = made
    found = word_measures(occurrences(words, gold), clusters)
    renamed = [letters["abcd".index(sense)] for sense in gold]
    order = list(range(len(words)))
    random.shuffle(order)
    again = word_measures(
        occurrences([words[i] for i in order], [renamed[i] for i in order]),
        [f"cluster {numbers[clusters[i]]}" for i in order],
    )
    pd.testing.assert_frame_equal(found, again)


@given(labeled())
def test_bounds(made):
    words, gold, clusters = made
    found = word_measures(occurrences(words, gold), clusters)
    assert (found[FRACTIONS] >= 0).all(axis=None)
    assert (found[FRACTIONS] <= 1 + 1e-12).all(axis=None)
    assert not (found["ari"] > 1 + 1e-12).any()
    fuzzy = found[["fuzzy_b3_precision", "fuzzy_b3_recall"]]
    assert fuzzy.stack().between(0, 1 + 1e-12).all()


@given(labeled())
def test_the_gold_senses_themselves_are_perfect(made):
    words, gold, _ = made
    found = word_measures(occurrences(words, gold), gold)
    np.testing.assert_allclose(found[FRACTIONS], 1)
    np.testing.assert_allclose(found["ari"].dropna(), 1)
    assert (found["clusters"] == found["senses"]).all()


@given(labeled())
def test_the_two_baselines(made):
    words, gold, _ = made
    data = occurrences(words, gold)
    one = word_measures(data, np.zeros(len(data)))
    np.testing.assert_allclose(one["b3_recall"], 1)
    np.testing.assert_allclose(one["ari"].dropna(), 0, atol=1e-12)
    assert (one["clusters"] == 1).all()
    each = word_measures(data, np.arange(len(data)))
    np.testing.assert_allclose(each["b3_precision"], 1)
    assert (each["clusters"] == each["occurrences"]).all()


def test_clusters_that_do_not_fit():
    data = occurrences("bank", list("aab"))
    with pytest.raises(InputError, match="expected one for each of the 3 occurrences of made"):
        word_measures(data, [0, 1])
    with pytest.raises(InputError, match="occurrence 1 of made has no cluster"):
        word_measures(data, [0, np.nan, 1])
    with pytest.raises(InputError, match="occurrence 2 of made has no cluster"):
        word_measures(data, ["x", "y", None])

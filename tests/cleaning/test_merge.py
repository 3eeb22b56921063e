"""Merging: who joins whom, what becomes of vectors, centers, counts and globals."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca import InputError, SenseVectors, make_senses
from exrpca.cleaning.merge import merge


def all_pairs(senses: SenseVectors, verdicts: list[str]) -> pd.DataFrame:
    rows = [
        (word, a, b)
        for word, n in zip(senses.words, senses.n_senses, strict=True)
        for a, b in itertools.combinations(range(n), 2)
    ]
    frame = pd.DataFrame(rows, columns=["word", "sense_a", "sense_b"])
    return frame.assign(verdict=verdicts)


@pytest.fixture
def bank() -> SenseVectors:
    return SenseVectors(
        ["bank", "river"],
        [[1, 0], [0, 1], [0, 3], [2, 2]],
        [3, 1],
        counts=[5, 3, 1, 7],
        centers=[[1, 1], [2, 0], [6, 0], [0, 1]],
        globals=[[1, 2], [3, 4]],
    )


def test_vectors_and_centers_are_weighted_by_counts_and_globals_stay(bank: SenseVectors) -> None:
    merged, mapping = merge(bank, all_pairs(bank, ["real", "real", "pseudo"]))
    assert merged.words == bank.words
    np.testing.assert_allclose(merged["bank"], [[1, 0], [0, 1.5]])
    np.testing.assert_allclose(merged.centers, [[1, 1], [3, 0], [0, 1]])
    np.testing.assert_array_equal(merged.counts, [5, 4, 7])
    np.testing.assert_array_equal(merged.globals, bank.globals)
    assert mapping["new_sense"].tolist() == [0, 1, 1, 0]


def test_without_counts_senses_weigh_the_same() -> None:
    senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2])
    merged, _ = merge(senses, all_pairs(senses, ["pseudo"]))
    np.testing.assert_allclose(merged["bank"], [[0.5, 0.5]])
    assert merged.counts is None
    assert merged.centers is None


def test_senses_that_trained_on_nothing_do_not_divide_by_zero() -> None:
    senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2], counts=[0, 0])
    merged, _ = merge(senses, all_pairs(senses, ["pseudo"]))
    np.testing.assert_allclose(merged["bank"], [[0.5, 0.5]])


def test_groups_join_when_pairs_between_them_are_pseudo_on_average() -> None:
    # 0 and 1 are one; 2 is pseudo to 1 but real to 0 by a wider margin: it stays apart
    senses = SenseVectors(["bank"], np.eye(3), [3])
    pairs = all_pairs(senses, ["pseudo", "real", "pseudo"]).assign(probability=[0.0, 1.0, 0.4])
    _, mapping = merge(senses, pairs)
    assert mapping["new_sense"].tolist() == [0, 0, 1]


@pytest.mark.parametrize("verdict", ["real", "pseudo"])
def test_word_of_two_senses_follows_the_verdict_whatever_the_probability(verdict: str) -> None:
    senses = SenseVectors(["bank"], np.eye(2), [2])
    pairs = all_pairs(senses, [verdict])
    for probability in (0.01, 0.99):
        merged, _ = merge(senses, pairs.assign(probability=probability))
        assert len(merged["bank"]) == (2 if verdict == "real" else 1)


def test_all_pseudo_is_collapse() -> None:
    senses = make_senses(n_words=60, dim=8, max_senses=5).senses
    n_pairs = int((senses.n_senses * (senses.n_senses - 1) // 2).sum())
    merged, mapping = merge(senses, all_pairs(senses, ["pseudo"] * n_pairs))
    collapsed = senses.collapse()
    np.testing.assert_allclose(merged.vectors, collapsed.vectors, atol=1e-6)
    np.testing.assert_allclose(merged.centers, collapsed.centers, atol=1e-6)
    np.testing.assert_array_equal(merged.counts, collapsed.counts)
    assert set(mapping["new_sense"]) == {0}


@given(st.data())
def test_map_and_vectors_agree(data: st.DataObject) -> None:
    senses = make_senses(n_words=6, dim=4, max_senses=4, seed=data.draw(st.integers(0, 99))).senses
    n_pairs = int((senses.n_senses * (senses.n_senses - 1) // 2).sum())
    verdicts = data.draw(
        st.lists(st.sampled_from(["real", "pseudo"]), min_size=n_pairs, max_size=n_pairs)
    )
    pairs = all_pairs(senses, verdicts).sample(frac=1, random_state=data.draw(st.integers(0, 99)))
    merged, mapping = merge(senses, pairs)
    assert merged.counts.sum() == senses.counts.sum()
    for word, rows in mapping.groupby("word", sort=False):
        new = rows["new_sense"].to_numpy()
        assert sorted(set(new)) == list(range(len(merged[word])))
        assert (np.diff(pd.unique(new)) == 1).all()  # in the order of their first old sense
        counts = senses.counts[senses.rows(word)]
        for sense in set(new):
            expected = np.average(senses[word][new == sense], axis=0, weights=counts[new == sense])
            np.testing.assert_allclose(merged[word, int(sense)], expected, atol=1e-5)


def test_words_without_pairs_stay(bank: SenseVectors) -> None:
    merged, mapping = merge(bank, all_pairs(bank, ["real", "real", "pseudo"]).iloc[:0])
    assert merged == bank
    assert mapping["new_sense"].tolist() == mapping["old_sense"].tolist() == [0, 1, 2, 0]


def test_word_with_a_hundred_senses() -> None:
    vectors = np.repeat(np.eye(4), 25, axis=0)
    senses = SenseVectors(["set"], vectors, [100])
    same = [a // 25 == b // 25 for a, b in itertools.combinations(range(100), 2)]
    merged, _ = merge(senses, all_pairs(senses, ["pseudo" if s else "real" for s in same]))
    np.testing.assert_allclose(merged["set"], np.eye(4), rtol=1e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda pairs: pairs.drop(columns="verdict"), "no column verdict"),
        (lambda pairs: pairs.assign(verdict="maybe"), "'maybe' must be real or pseudo"),
        (lambda pairs: pairs.iloc[:2], "2 pairs of 'bank', expected all 3"),
        (lambda pairs: pairs.iloc[[0, 0, 1]], "appears twice"),
        (lambda pairs: pairs.assign(sense_b=9), "has no pair of senses 0 and 9"),
        (lambda pairs: pairs.assign(word="rivers"), "no word 'rivers'"),
        (lambda pairs: pairs.assign(probability=[0.9, np.nan, 0.1]), "probability nan must be"),
        (lambda pairs: pairs.assign(probability=[0.9, 1.5, 0.1]), "probability 1.5 must be"),
        (lambda pairs: pairs.assign(probability="0.9"), "expected numbers"),
    ],
)
def test_bad_pairs_are_named(bank: SenseVectors, change, message: str) -> None:
    pairs = all_pairs(bank, ["real", "real", "pseudo"])
    with pytest.raises(InputError, match=message):
        merge(bank, change(pairs))

"""Merging: who joins whom, what becomes of vectors, centers, counts and globals."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca import InputError, SenseVectors, make_senses
from exrpca.cleaning.merge import merge
from exrpca.text import disambiguate

VERDICTS = ["real", "pseudo", "undecided"]

# Most tests merge words to one sense, of which merge warns.
pytestmark = pytest.mark.filterwarnings("ignore:.* have one left")


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


def test_vectors_are_weighted_by_counts_and_centers_and_globals_stay(bank: SenseVectors) -> None:
    merged, mapping = merge(bank, all_pairs(bank, ["real", "real", "pseudo"]))
    assert merged.words == bank.words
    np.testing.assert_allclose(merged["bank"], [[1, 0], [0, 1.5]])
    np.testing.assert_array_equal(merged.centers, bank.centers)
    np.testing.assert_array_equal(merged.n_centers, [1, 2, 1])
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


@pytest.mark.parametrize("verdict", ["real", "undecided"])
def test_groups_join_only_if_all_pairs_between_them_are_pseudo(verdict: str) -> None:
    # 0 is nearer to 1 than 1 is to 2, and 0 and 2 are not pseudo: 2 stays apart
    senses = SenseVectors(["bank"], np.eye(3), [3])
    pairs = all_pairs(senses, ["pseudo", verdict, "pseudo"])
    _, mapping = merge(senses, pairs.assign(probability=[0.0, 1.0, 0.4]))
    assert mapping["new_sense"].tolist() == [0, 0, 1]
    _, mapping = merge(senses, pairs.assign(probability=0.1, cosine=[0.2, 0.1, 0.3]))
    assert mapping["new_sense"].tolist() == [0, 1, 1]


@pytest.mark.parametrize("verdict", ["real", "pseudo", "undecided"])
def test_word_of_two_senses_follows_the_verdict_whatever_the_probability(verdict: str) -> None:
    senses = SenseVectors(["bank", "river"], np.eye(4), [2, 2])
    pairs = all_pairs(senses, [verdict, "real"])
    for probability in (0.01, 0.99, np.nan):
        merged, _ = merge(senses, pairs.assign(probability=probability))
        assert len(merged["bank"]) == (1 if verdict == "pseudo" else 2)


def test_text_gets_the_senses_it_had_joined() -> None:
    senses = make_senses(n_words=100, dim=8, max_senses=4).senses
    rng = np.random.default_rng(0)
    n_pairs = int((senses.n_senses * (senses.n_senses - 1) // 2).sum())
    pairs = all_pairs(senses, rng.choice(["real", "pseudo"], n_pairs).tolist())
    merged, mapping = merge(senses, pairs)
    assert len(merged.vectors) < len(senses.vectors)
    of_word = mapping.groupby("word")["new_sense"].agg(list)
    for _ in range(200):
        word = senses.words[rng.integers(len(senses))]
        text = " ".join(rng.choice(senses.words, 5))
        before = disambiguate(senses, word, text)["sense"].iloc[0]
        after = disambiguate(merged, word, text)["sense"].iloc[0]
        assert after == of_word[word][before]


def test_labels_that_agree_and_all_examples_stay() -> None:
    examples = [[("a", "bank", "b")], [("c", "bank", "d")], []]
    senses = SenseVectors(
        ["bank"], np.eye(3), [3], labels=["NOUN", "NOUN", "VERB"], examples=examples
    )
    merged, _ = merge(senses, all_pairs(senses, ["pseudo", "real", "real"]))
    assert merged.labels == ("NOUN", "VERB")
    assert [len(own) for own in merged.examples] == [2, 0]
    merged, _ = merge(senses, all_pairs(senses, ["real", "pseudo", "real"]))
    assert merged.labels == ("", "NOUN")


def test_merging_most_words_to_one_sense_warns() -> None:
    senses = SenseVectors(["a", "b", "c", "d"], np.eye(7), [2, 2, 2, 1])
    with pytest.warns(UserWarning, match="2 of the 3 words with several senses have one left"):
        merge(senses, all_pairs(senses, ["pseudo", "pseudo", "real"]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        merge(senses, all_pairs(senses, ["pseudo", "real", "real"]))


def test_all_pseudo_is_collapse() -> None:
    senses = make_senses(n_words=60, dim=8, max_senses=5).senses
    n_pairs = int((senses.n_senses * (senses.n_senses - 1) // 2).sum())
    merged, mapping = merge(senses, all_pairs(senses, ["pseudo"] * n_pairs))
    collapsed = senses.collapse()
    np.testing.assert_allclose(merged.vectors, collapsed.vectors, atol=1e-6)
    np.testing.assert_array_equal(merged.centers, senses.centers)
    np.testing.assert_array_equal(merged.counts, collapsed.counts)
    assert set(mapping["new_sense"]) == {0}


@given(st.data())
def test_map_and_vectors_agree(data: st.DataObject) -> None:
    senses = make_senses(n_words=6, dim=4, max_senses=4, seed=data.draw(st.integers(0, 99))).senses
    n_pairs = int((senses.n_senses * (senses.n_senses - 1) // 2).sum())
    verdicts = data.draw(
        st.lists(
            st.sampled_from(["real", "pseudo", "undecided"]), min_size=n_pairs, max_size=n_pairs
        )
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
        (lambda pairs: pairs.assign(verdict="maybe"), "'maybe' must be real, pseudo or undecided"),
        (lambda pairs: pairs.iloc[:2], "2 pairs of 'bank', expected all 3"),
        (lambda pairs: pairs.iloc[[0, 0, 1]], "appears twice"),
        (lambda pairs: pairs.assign(sense_b=9), "has no pair of senses 0 and 9"),
        (lambda pairs: pairs.assign(word="rivers"), "no word 'rivers'"),
        (lambda pairs: pairs.assign(probability="0.9"), "expected numbers"),
    ],
)
def test_bad_pairs_are_named(bank: SenseVectors, change, message: str) -> None:
    pairs = all_pairs(bank, ["real", "real", "pseudo"])
    with pytest.raises(InputError, match=message):
        merge(bank, change(pairs))

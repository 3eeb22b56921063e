"""Pseudowords: how they are made, and how senses and pairs are labeled by them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca import InputError, SenseVectors
from exrpca.evaluation.pseudowords import (
    Pseudowords,
    balanced_weights,
    label_senses,
    labeled_pairs,
    make_pseudowords,
)

COUNTS = {f"w{i:03d}": 10 + i * i for i in range(100)}


def test_same_seed_same_pseudowords_other_seed_others() -> None:
    made = [make_pseudowords(COUNTS, 20, lowest=20, highest=9000, seed=s) for s in (3, 3, 4)]
    assert made[0] == made[1]
    assert made[0] != made[2]


@given(st.integers(0, 1000))
def test_words_of_a_pseudoword_are_in_the_band_alike_and_unrelated(seed: int) -> None:
    made = make_pseudowords(
        COUNTS, 30, lowest=20, highest=9000, related=lambda a, b: a[-1] == b[-1], seed=seed
    )
    words = [word for pair in made.originals for word in pair]
    assert len(set(words)) == 60
    assert all(20 <= COUNTS[word] <= 9000 for word in words)
    assert all(a[-1] != b[-1] for a, b in made.originals)
    ratios = [max(COUNTS[a], COUNTS[b]) / min(COUNTS[a], COUNTS[b]) for a, b in made.originals]
    assert np.median(ratios) < 1.5


def test_candidates_alone_are_joined_and_too_few_words_are_an_error() -> None:
    made = make_pseudowords(COUNTS, 1, lowest=0, highest=9999, candidates=["w001", "w002", "x"])
    assert set(made.originals[0]) == {"w001", "w002"}
    with pytest.raises(InputError, match="100 words occur 0 to 99999 times in the text; 51 pse"):
        make_pseudowords(COUNTS, 51, lowest=0, highest=99999)
    with pytest.raises(InputError, match="0 unrelated pairs"):
        make_pseudowords(COUNTS, 5, lowest=0, highest=9999, related=lambda a, b: True)


def test_word_cannot_be_in_two_pseudowords() -> None:
    with pytest.raises(InputError, match="two pseudowords"):
        Pseudowords((("a", "b"), ("b", "c")))


@pytest.fixture
def fruit_or_house():
    """Return senses of banana+door: two of door, one of banana; `the` has two senses as well."""
    senses = SenseVectors(
        ["banana+door", "yellow", "open", "close", "the"],
        np.ones((8, 3)),
        [3, 1, 1, 1, 2],
        centers=[*np.eye(3), *np.eye(3), [1, 0, 0], [0, 1, 0]],
        globals=[[0, 0, 0], *np.eye(3), [0, 0, 0]],
    )
    text = [["yellow", "banana"]] * 3 + [["open", "door"]] * 4 + [["close", "door"]] * 2
    text += [["open", "banana"], ["yellow", "the"], ["open", "the"]]
    return senses, text, Pseudowords((("banana", "door"),))


def test_senses_are_labeled_by_the_original_of_most_of_their_tokens(fruit_or_house) -> None:
    labels = label_senses(*fruit_or_house)
    pseudoword = labels[labels["word"] == "banana+door"]
    assert pseudoword["original"].tolist() == ["banana", "door", "door"]
    assert pseudoword["tokens"].tolist() == [3, 5, 2]
    np.testing.assert_allclose(pseudoword["purity"], [1, 0.8, 1])
    the = labels[labels["word"] == "the"]
    assert the["original"].tolist() == ["the", "the"]
    assert the["tokens"].tolist() == [1, 1]


def test_pairs_of_different_originals_are_real(fruit_or_house) -> None:
    senses, *_ = fruit_or_house
    labels = label_senses(*fruit_or_house)
    pairs = labeled_pairs(senses, labels, min_tokens=2, min_purity=0.7)
    assert pairs["real"].tolist() == [True, True, False]
    assert pairs["rarer"].tolist() == [3, 2, 2]
    assert pairs["commoner"].tolist() == [5, 3, 5]
    pure = labeled_pairs(senses, labels, min_tokens=1, min_purity=0.9)
    assert pure[["word", "sense_a", "sense_b"]].to_numpy().tolist() == [
        ["banana+door", 0, 2],
        ["the", 0, 1],
    ]
    assert pure.index.tolist() == [1, 3]  # rows of the difference matrix


def test_balanced_weights_are_equal_for_both_kinds_at_each_frequency() -> None:
    rng = np.random.default_rng(0)
    n = 2000
    real = rng.random(n) < 0.3
    rarer = rng.integers(50, 2000, n) * np.where(real, 2, 1)
    pairs = pd.DataFrame({"real": real, "rarer": rarer, "commoner": 3 * rarer})
    weights = balanced_weights(pairs)
    bins = [np.log2(pairs[name]).astype(int) for name in ("rarer", "commoner")]
    totals = pd.Series(weights).groupby([*bins, real]).sum().unstack(fill_value=0)
    np.testing.assert_allclose(totals[True], totals[False])
    counts = pairs.groupby([*bins, "real"]).size().unstack(fill_value=0)
    assert weights.sum() == pytest.approx(2 * counts.min(axis=1).sum())
    assert ((weights >= 0) & (weights <= 1)).all()

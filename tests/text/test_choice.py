"""Choosing senses for whole texts, and how cosines become probabilities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from exrpca import InputError, SenseVectors, disambiguate, make_senses
from exrpca.text import choice
from exrpca.text.choice import RULES, SenseCosines, choose_senses, how_chosen, sense_cosines
from exrpca.text.context import ContextSettings
from exrpca.text.lookup import NO_WORD


def test_choosing_for_all_tokens_is_choosing_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    senses = make_senses(n_words=50, dim=10).senses
    rng = np.random.default_rng(0)
    lines = [rng.permutation(50)[: rng.integers(1, 20)] for _ in range(30)]
    tokens = np.concatenate(lines)
    starts = np.cumsum([0] + [len(line) for line in lines])
    monkeypatch.setattr(choice, "_CHUNK", 7)
    chosen = choose_senses(senses, tokens, starts, ContextSettings(3))
    for start, line in zip(starts, lines, strict=False):
        text = [senses.words[i] for i in line]
        for at, word in enumerate(text):
            if len(text) > 1:
                expected = disambiguate(senses, word, text, window=3)["probability"].argmax()
                assert chosen[start + at] == expected


def test_cosines_are_those_of_numpy() -> None:
    senses = make_senses(n_words=30, dim=10).senses
    tokens = np.random.default_rng(1).integers(30, size=9)
    at = np.array([4, 0])
    found = sense_cosines(senses, tokens, np.array([0, 9]), at, ContextSettings(3))
    for i, near in enumerate(([1, 2, 3, 5, 6, 7], [1, 2, 3])):
        context = senses.globals[tokens[near]].astype(float).mean(axis=0)
        centers = senses.centers[senses.rows(senses.words[tokens[at[i]]])].astype(float)
        lengths = np.linalg.norm(centers, axis=1) * np.linalg.norm(context)
        ours = found.values[found.offsets[i] : found.offsets[i + 1]]
        np.testing.assert_allclose(ours, centers @ context / lengths, atol=1e-5)


def test_the_nearest_of_several_centers_counts() -> None:
    planted = make_senses(n_words=40, dim=10).senses
    rng = np.random.default_rng(2)
    # each sense becomes as many senses as it has centers; the best of them must be the sense's
    n_centers = rng.integers(1, 4, size=len(planted.vectors))
    centers = rng.normal(size=(n_centers.sum(), 10))
    merged = planted.replace(centers=centers, n_centers=n_centers)
    sense_of_center = np.repeat(np.arange(len(n_centers)), n_centers)
    split = SenseVectors(
        planted.words,
        centers,
        np.add.reduceat(n_centers, planted.offsets[:-1]),
        centers=centers,
        globals=planted.globals,
    )
    tokens, starts = rng.integers(40, size=60), np.array([0, 25, 60])
    at = np.arange(60)
    parts = sense_cosines(split, tokens, starts, at, ContextSettings(4))
    whole = sense_cosines(merged, tokens, starts, at, ContextSettings(4))
    for i, word in enumerate(tokens):
        first = split.offsets[word] - parts.offsets[i]
        best = int(parts.best()[i]) + split.offsets[word]
        assert sense_of_center[best] - merged.offsets[word] == whole.best()[i]
        ours = whole.values[whole.offsets[i] : whole.offsets[i + 1]]
        assert len(ours) == merged.n_senses[word]
        assert ours.max() == parts.values[best - first]
    # in an average, a sense weighs as much as its parts do
    for rule in RULES:
        first_parts = np.cumsum(
            [0, *(n for w in tokens for n in n_centers[slice(*merged.offsets[[w, w + 1]])])]
        )
        added = np.add.reduceat(parts.probabilities(rule), first_parts[:-1])
        np.testing.assert_allclose(whole.added_probabilities(rule), added)


def test_unknown_tokens_count_as_places_but_not_as_context() -> None:
    senses = SenseVectors(
        ["bank", "river", "money"],
        np.ones((4, 2)),
        [2, 1, 1],
        centers=[[1, 0], [0, 1], [1, 1], [1, 1]],
        globals=[[0, 0], [1, 0], [0, 1]],
    )

    def chosen(*tokens: int) -> list[int]:
        starts = np.array([0, len(tokens)])
        return choose_senses(senses, np.array(tokens), starts, ContextSettings(2)).tolist()

    # money is three places off, river two; then the reverse
    assert chosen(2, NO_WORD, NO_WORD, 0, NO_WORD, 1) == [0, -1, -1, 0, -1, 0]
    assert chosen(2, NO_WORD, 0, NO_WORD, NO_WORD, 1) == [0, -1, 1, -1, -1, 0]
    # no context at all: the first sense
    assert chosen(0) == [0]


def test_an_empty_text_has_no_senses() -> None:
    senses = make_senses(n_words=5, dim=4).senses
    nothing = np.array([], dtype=np.int64)
    assert len(choose_senses(senses, nothing, np.array([0]), ContextSettings())) == 0


def test_zero_vectors_have_cosine_zero() -> None:
    senses = SenseVectors(["a"], [[1.0], [2.0]], [2], centers=[[0.0], [1.0]], globals=[[1.0]])
    tokens, starts, at = np.array([0, 0]), np.array([0, 2]), np.array([0])
    found = sense_cosines(senses, tokens, starts, at, ContextSettings())
    assert found.values.tolist() == [0, pytest.approx(1, abs=1e-5)]


BANKS = {
    "words": ["bank", "river", "money"],
    "vectors": [[2.0, 0.0], [0.0, 2.0], [3.0, 0.1], [0.1, 3.0]],
    "n_senses": [2, 1, 1],
}
RIVER_BANK = np.array([1, 0]), np.array([0, 2]), np.array([1])


@pytest.mark.parametrize("globals_", [None, [[1, 1], [1, 0], [0, 1]]])
def test_without_centers_sense_vectors_are_compared(globals_) -> None:
    senses = SenseVectors(**BANKS, globals=globals_)
    found = sense_cosines(senses, *RIVER_BANK, ContextSettings())
    assert found.best().tolist() == [0]
    assert found.values.round(2).tolist() == ([1, 0] if globals_ else [1, 0.03])
    assert choose_senses(senses, np.array([2, 0]), np.array([0, 2]), ContextSettings())[1] == 1
    assert how_chosen(senses).startswith("sense vectors, compared with the ")


def test_centers_without_globals_are_not_compared() -> None:
    # centers are sums of global vectors: sense vectors do not lie in the same space
    centers = [[0, 1], [1, 0], [1, 1], [1, 1]]
    senses = SenseVectors(**BANKS, centers=centers)
    assert sense_cosines(senses, *RIVER_BANK, ContextSettings()).best().tolist() == [0]


def test_counts_are_priors_without_centers() -> None:
    nothing_known = np.array([NO_WORD, 0]), np.array([0, 2]), np.array([1])
    senses = SenseVectors(**BANKS, counts=[19, 79, 5, 5])
    found = sense_cosines(senses, *nothing_known, ContextSettings())
    assert found.probabilities().round(2).tolist() == [0.2, 0.8]
    assert found.best().tolist() == [1]
    assert "; counts are priors" in how_chosen(senses)
    # a clear context decides against them
    assert sense_cosines(senses, *RIVER_BANK, ContextSettings()).best().tolist() == [0]


def test_counts_are_no_priors_with_centers() -> None:
    centers = [[1, 0], [0, 1], [1, 1], [1, 1]]
    globals_ = [[1, 1], [1, 0], [0, 1]]
    senses = SenseVectors(**BANKS, counts=[1, 999, 5, 5], centers=centers, globals=globals_)
    found = sense_cosines(senses, *RIVER_BANK, ContextSettings())
    assert found.priors is None
    assert how_chosen(senses).startswith("centers")


@pytest.mark.parametrize("rule", RULES)
@given(cosine=hnp.arrays(float, (3, 4), elements=st.floats(-1 + 1e-6, 1 - 1e-6)))
def test_probabilities_sum_to_one_and_follow_the_cosine(rule, cosine) -> None:
    cosines = SenseCosines(cosine.ravel(), np.arange(0, 13, 4))
    probability = cosines.probabilities(rule).reshape(3, 4)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    order = np.argsort(cosine, axis=1)
    assert (np.diff(np.take_along_axis(probability, order, axis=1), axis=1) >= -1e-12).all()
    np.testing.assert_array_equal(cosines.best(), cosine.argmax(axis=1))


def test_a_sense_that_does_not_exist_has_probability_zero() -> None:
    cosines = SenseCosines(np.array([0.3, 0.1, 0.2]), np.array([0, 1, 3]))
    assert cosines.as_rows(cosines.probabilities())[0].tolist() == [1, 0]


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(InputError, match="rule='soft' must be one of inverse, shifted"):
        SenseCosines(np.array([0.3]), np.array([0, 1])).probabilities("soft")

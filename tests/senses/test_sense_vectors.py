import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca import InputError, SenseVectors, make_senses


@pytest.fixture
def senses():
    """Two senses of bank, one of river and of money; contexts in two dimensions."""
    return SenseVectors(
        ["bank", "river", "money"],
        [[1, 0], [0, 1], [0.2, 2], [3, 0.1]],
        [2, 1, 1],
        counts=[30, 10, 5, 0],
        centers=[[1, 0], [0, 1], [0, 1], [1, 0]],
        globals=[[1, 1], [0, 1], [1, 0]],
        metadata={"origin": "by hand"},
    )


def test_is_a_mapping(senses):
    assert list(senses) == ["bank", "river", "money"]
    assert len(senses) == 3
    assert senses["bank"].shape == (2, 2)
    np.testing.assert_array_equal(senses["river", 0], np.float32([0.2, 2]))
    assert "bank" in senses
    assert ("bank", 1) in senses
    assert ("bank", 2) not in senses
    assert "banks" not in senses
    assert dict(senses)["money"].tolist() == [[3, np.float32(0.1)]]


def test_missing_word_names_close_matches(senses):
    with pytest.raises(KeyError, match="no word 'rivr'; close matches: river"):
        senses["rivr"]
    with pytest.raises(KeyError, match=r"no word 'zzz'$"):
        senses["zzz"]
    with pytest.raises(KeyError, match="'bank' has no sense 2; its senses are 0 to 1"):
        senses["bank", 2]
    with pytest.raises(KeyError, match="no sense -1"):
        senses["bank", -1]


def test_is_immutable(senses):
    for name in ("vectors", "counts", "centers", "globals", "offsets"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(senses, name)[0] = 9
    with pytest.raises(TypeError):
        senses.metadata["origin"] = "elsewhere"


def test_does_not_change_the_caller_s_array():
    array = np.ones((1, 2), dtype=np.float32)
    SenseVectors(["a"], array, [1])
    array[0, 0] = 5  # still the caller's to write to


@pytest.mark.parametrize(
    ("words", "vectors", "n_senses", "extra", "message"),
    [
        ([], np.empty((0, 2)), [], {}, "no words"),
        (["a", "a"], [[1], [2]], [1, 1], {}, "'a' stands twice"),
        (["a", "b"], [[1], [2]], [2, 0], {}, "'b' has no sense"),
        (["a", "b"], [[1], [2]], [2], {}, "1 values for 2 words"),
        (["a"], [[1], [2]], [1], {}, r"shape \(2, 1\), expected \(1, dim\)"),
        (["a"], [[1, 2]], [1], {"counts": [1, 2]}, r"counts has shape \(2,\), expected \(1,\)"),
        (["a"], [[1, 2]], [1], {"centers": [[1]]}, "centers has shape"),
        (["a"], [[1, 2]], [1], {"globals": [[1, 2], [3, 4]]}, "globals has shape"),
    ],
)
def test_refuses_what_does_not_fit_together(words, vectors, n_senses, extra, message):
    with pytest.raises(InputError, match=message):
        SenseVectors(words, vectors, n_senses, **extra)


def test_neighbors_are_exact_and_mark_the_same_word():
    senses = make_senses(n_words=80, dim=12, seed=3).senses
    word = senses.words[2]
    table = senses.neighbors(word, 1, n=len(senses.vectors))
    unit = senses.vectors / np.linalg.norm(senses.vectors, axis=1, keepdims=True)
    own = senses.row(word, 1)
    expected = np.delete(unit @ unit[own], own)
    assert len(table) == len(expected)
    np.testing.assert_allclose(table["cosine"], np.sort(expected)[::-1], atol=1e-6)
    assert table["same_word"].sum() == len(senses[word]) - 1
    assert set(table.loc[table["same_word"], "word"]) == {word}
    rows = [senses.row(w, s) for w, s in zip(table["word"], table["sense"], strict=True)]
    np.testing.assert_allclose(unit[rows] @ unit[own], table["cosine"], atol=1e-6)


def test_neighbors_of_a_zero_vector_are_at_cosine_zero():
    senses = SenseVectors(["a", "b"], [[0, 0], [1, 2]], [1, 1])
    assert senses.neighbors("a")["cosine"].tolist() == [0.0]


def test_neighbors_needs_a_positive_number(senses):
    with pytest.raises(InputError, match="n=0"):
        senses.neighbors("bank", 0, n=0)


def test_collapse_weighs_by_counts(senses):
    collapsed = senses.collapse()
    assert collapsed.n_senses.tolist() == [1, 1, 1]
    np.testing.assert_allclose(collapsed["bank"], [[0.75, 0.25]])
    np.testing.assert_allclose(collapsed["money"], senses["money"])  # its count is 0
    np.testing.assert_allclose(collapsed.centers[0], [0.75, 0.25])
    assert collapsed.counts.tolist() == [40, 5, 0]
    assert collapsed.globals is not None
    np.testing.assert_array_equal(collapsed.globals, senses.globals)


def test_collapse_without_counts_weighs_all_the_same(senses):
    np.testing.assert_allclose(senses.replace(counts=None).collapse()["bank"], [[0.5, 0.5]])


def test_replace_and_equality(senses):
    assert senses.replace() == senses
    assert senses.replace(vectors=senses.vectors + 1) != senses
    assert senses.replace(counts=None) != senses
    with pytest.raises(TypeError, match="cannot change words"):
        senses.replace(words=["x"])


@given(st.permutations(range(12)), st.integers(1, 12))
def test_select_keeps_each_word_s_rows(order, n):
    senses = make_senses(n_words=12, dim=4).senses
    chosen = [senses.words[i] for i in order[:n]]
    part = senses.select(chosen)
    assert list(part) == chosen
    for word in chosen:
        np.testing.assert_array_equal(part[word], senses[word])
        np.testing.assert_array_equal(
            part.centers[part.rows(word)], senses.centers[senses.rows(word)]
        )
        np.testing.assert_array_equal(
            part.globals[part.index(word)], senses.globals[senses.index(word)]
        )

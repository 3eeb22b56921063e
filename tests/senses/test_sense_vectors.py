import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca import InputError, SenseVectors, make_senses
from exrpca.errors import UnknownWordError
from exrpca.senses import Example


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


@pytest.fixture
def labeled(senses):
    """The same with labels, examples, and two centers for the first sense of bank."""
    return senses.replace(
        centers=[[1, 0], [3, 0], [0, 1], [0, 1], [1, 0]],
        n_centers=[2, 1, 1, 1],
        labels=["money", "water", "NOUN", ""],
        examples=[[("a ", "bank", " lends")], [("the ", "Bank", ""), ("", "banks", "")], [], []],
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
    with pytest.raises(KeyError, match=r"'bank' has no sense 'NOUN'; its senses are 0 to 1$"):
        senses["bank", "NOUN"]
    with pytest.raises(KeyError, match=r"no sense 0\.5"):
        senses["bank", 0.5]
    assert ("bank", "NOUN") not in senses
    assert ("bank", None) not in senses


def test_a_sense_is_found_by_its_label(labeled):
    assert labeled.row("bank", "water") == 1
    np.testing.assert_array_equal(labeled["bank", "water"], labeled["bank", 1])
    assert ("bank", "water") in labeled
    assert ("river", "water") not in labeled
    assert ("money", "") not in labeled
    pd.testing.assert_frame_equal(labeled.neighbors("bank", "water"), labeled.neighbors("bank", 1))
    with pytest.raises(UnknownWordError, match=r"no sense 'NOUN'; .* labeled money, water$"):
        labeled["bank", "NOUN"]
    with pytest.raises(UnknownWordError, match=r"'money' has no sense ''; its senses are 0 to 0$"):
        labeled["money", ""]


def test_a_label_of_two_senses_names_neither(labeled):
    twice = labeled.replace(labels=["NOUN", "NOUN", "", ""])
    assert ("bank", "NOUN") not in twice
    with pytest.raises(UnknownWordError, match="several senses 'NOUN': use their numbers, 0 and 1"):
        twice["bank", "NOUN"]


def test_one_center_each_by_default(senses):
    assert senses.n_centers.tolist() == [1, 1, 1, 1]
    assert not senses.has_several_centers
    assert senses.mean_centers is senses.centers
    without = senses.replace(centers=None)
    assert without.n_centers is without.center_offsets is None
    assert without.mean_centers is None
    assert without.replace(centers=senses.centers) == senses


def test_several_centers_of_a_sense(labeled):
    assert labeled.center_offsets.tolist() == [0, 2, 3, 4, 5]
    assert labeled.n_centers.tolist() == [2, 1, 1, 1]
    assert labeled.has_several_centers
    assert labeled.mean_centers.tolist() == [[2, 0], [0, 1], [0, 1], [1, 0]]
    assert labeled.mean_centers.dtype == np.float32
    assert labeled.collapse().centers[0].tolist() == [1.5, 0.25]


def test_examples_are_triples_of_text(labeled):
    assert labeled.examples[0] == (Example("a ", "bank", " lends"),)
    assert labeled.examples[0][0].target == "bank"
    collapsed = labeled.collapse()
    assert [len(examples) for examples in collapsed.examples] == [3, 0, 0]
    assert collapsed.labels is None


def test_select_keeps_what_belongs_to_each_sense(labeled):
    part = labeled.select(["money", "bank"])
    assert part.labels == ("", "money", "water")
    assert part.n_centers.tolist() == [1, 2, 1]
    assert part.centers.tolist() == [[1, 0], [1, 0], [3, 0], [0, 1]]
    assert part.examples == (labeled.examples[3], *labeled.examples[:2])
    assert labeled.select(labeled.words) == labeled


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda senses: pickle.loads(pickle.dumps(senses))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copies_are_equal_and_read_only(copied, senses, labeled):
    for original in (senses, labeled):
        other = copied(original)
        assert other == original
        assert other.metadata == original.metadata
        assert other.index("money") == 2
        with pytest.raises(ValueError, match="read-only"):
            other.vectors[0] = 9
        with pytest.raises(TypeError):
            other.metadata["origin"] = "elsewhere"


def test_a_deep_copy_shares_no_settings(senses):
    nested = senses.replace(metadata={"training": {"dim": 2}})
    copy.deepcopy(nested).metadata["training"]["dim"] = 3
    assert nested.metadata["training"]["dim"] == 2


def test_there_is_no_hash(senses):
    with pytest.raises(TypeError, match="unhashable"):
        hash(senses)


def test_notebooks_show_sizes_and_the_first_words(labeled):
    html = labeled._repr_html_()
    assert "3 words, 4 senses, 2 dimensions, counts, centers, globals, labels, examples" in html
    assert html.count("<tr") == 4
    assert "money, water" in html
    assert "30, 10" in html
    assert "and 295 more words" in make_senses(n_words=300).senses._repr_html_()
    odd = SenseVectors(["<script>", "&"], [[1], [2]], [1, 1], labels=["<b>", ""])._repr_html_()
    assert "<script>" not in odd
    assert "<b>" not in odd
    assert "&lt;script&gt;" in odd


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
        (["a", "a"], [[1], [2]], [1, 1], {}, "'a' appears twice"),
        (["a", "b"], [[1], [2]], [2, 0], {}, "'b' has no sense"),
        (["a", "b"], [[1], [2]], [2], {}, "1 values for 2 words"),
        (["a"], [[1], [2]], [1], {}, r"shape \(2, 1\), expected \(1, dim\)"),
        (["a"], [[1, 2]], [1], {"counts": [1, 2]}, r"counts has shape \(2,\), expected \(1,\)"),
        (["a"], [[1, 2]], [1], {"centers": [[1]]}, "centers has shape"),
        (["a"], [[1, 2]], [1], {"globals": [[1, 2], [3, 4]]}, "globals has shape"),
        (["a"], [[1, 2]], [1], {"labels": ["x", "y"]}, "labels has 2 values for 1 senses"),
        (["a"], [[1, 2]], [1], {"labels": [3]}, "labels must be strings"),
        (["a"], [[1, 2]], [1], {"examples": []}, "examples has 0 values for 1 senses"),
        (["a"], [[1, 2]], [1], {"n_centers": [1]}, "n_centers is given without centers"),
        (["a"], [[1, 2]], [1], {"centers": [[1, 2]], "n_centers": [2]}, r"expected \(2, 2\)"),
        (["a"], [[1, 2]], [1], {"centers": [[1, 2]], "n_centers": [1, 0]}, "2 values for 1"),
        (["a"], [[1, 2]], [1], {"centers": [[1, 2]], "n_centers": [0]}, "is 0 for row 0"),
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
    assert set(table.loc[table["same_word"], "neighbor"]) == {word}
    rows = [senses.row(w, s) for w, s in zip(table["neighbor"], table["its_sense"], strict=True)]
    np.testing.assert_allclose(unit[rows] @ unit[own], table["cosine"], atol=1e-6)


def test_neighbors_of_all_senses_are_those_of_each(labeled):
    table = labeled.neighbors("bank", n=2)
    assert table["sense"].tolist() == [0, 0, 1, 1]
    assert table["label"].tolist() == ["money", "money", "water", "water"]
    for sense in (0, 1):
        one = labeled.neighbors("bank", sense, n=2)
        pd.testing.assert_frame_equal(table[table["sense"] == sense].reset_index(drop=True), one)


def test_pairs_of_a_word(labeled):
    pairs = labeled.pairs("bank")
    assert pairs[["sense_a", "sense_b", "label_a", "label_b"]].values.tolist() == [
        [0, 1, "money", "water"]
    ]
    [same] = labeled.neighbors("bank", 0).query("same_word")["cosine"]
    assert pairs["cosine"].tolist() == pytest.approx([same], abs=1e-6)
    assert len(labeled.pairs("money")) == 0


@pytest.mark.parametrize("key", [0, slice(0, 2), None, ("bank", 0, 1)])
def test_what_is_no_word_says_what_to_do(key, senses):
    with pytest.raises((UnknownWordError, TypeError)) as caught:
        senses[key]
    if not isinstance(key, tuple):
        assert "use senses['bank'] for the senses of a word" in str(caught.value)


def test_metadata_fits_a_screen():
    senses = SenseVectors(["a"], [[1]], [1], metadata={"word_counts": list(range(10_000))})
    assert len(repr(senses.metadata)) < 200
    assert senses.metadata == {"word_counts": list(range(10_000))}


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
    assert senses.replace(labels=["", "", "", "x"]) != senses
    assert senses.replace(labels=[""] * 4) != senses.replace(labels=["x"] * 4)
    assert senses.replace(examples=[[]] * 4) != senses
    five = np.ones((5, 2))
    assert senses.replace(centers=five, n_centers=[2, 1, 1, 1]) != senses.replace(
        centers=five, n_centers=[1, 2, 1, 1]
    )
    with pytest.raises(InputError, match=r"centers has shape \(5, 2\), expected \(4, 2\)"):
        senses.replace(centers=five)
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

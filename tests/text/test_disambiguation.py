"""Which sense of a word a text calls for, worked out by hand."""

import pytest

from exrpca import InputError, SenseVectors, disambiguate
from exrpca.errors import UnknownWordError
from exrpca.text import context_words


@pytest.fixture
def senses():
    return SenseVectors(
        ["bank", "river", "money", "Polish", "polish"],
        [[1, 0], [0, 1], [0, 2], [3, 0], [1, 1], [1, 1]],
        [2, 1, 1, 1, 1],
        centers=[[1, 0], [0, 1], [0, 1], [1, 0], [1, 1], [1, 1]],
        globals=[[1, 1], [0, 1], [1, 0], [1, 0], [0, 1]],
    )


def test_cosines_and_probabilities(senses):
    # the context is river alone: (0, 1), at cosine 0 and 1 with the centers of bank
    table = disambiguate(senses, "bank", "river bank unheard")
    assert table["cosine"].tolist() == pytest.approx([0, 1], abs=1e-5)
    assert table["probability"][1] > 0.99
    shifted = disambiguate(senses, "bank", ["river"], rule="shifted")
    assert shifted["probability"].tolist() == pytest.approx([1 / 3, 2 / 3])


def test_the_window_around_the_word_counts(senses):
    text = "money " + "x " * 5 + "bank river"
    assert disambiguate(senses, "bank", text, window=5)["cosine"][0] == pytest.approx(0)
    assert disambiguate(senses, "bank", text, window=6)["cosine"][0] > 0.5


@pytest.mark.parametrize("word", ["bank", "Bank", "BANK"])
@pytest.mark.parametrize("text", ["x, the Bank: (River!)", "BANK river", "river - 'bank'"])
def test_the_word_is_found_with_capitals_and_punctuation(senses, word, text):
    assert context_words(senses, word, text, window=1) == ["river"]
    assert disambiguate(senses, word, text)["probability"].argmax() == 1


def test_the_first_place_of_the_word_counts(senses):
    assert context_words(senses, "bank", "Bank river x bank money", window=1) == ["river"]
    assert context_words(senses, "bank", "river bank bank money", window=1) == ["river", "bank"]


def test_without_the_word_the_whole_text_counts(senses):
    text = "river " + "x " * 20 + "money"
    assert context_words(senses, "bank", text) == ["river", "money"]


def test_a_form_in_the_vocabulary_is_a_word_of_its_own(senses):
    text = "river polish Polish money"
    assert context_words(senses, "Polish", text, window=1) == ["polish", "money"]


def test_tokens_are_taken_as_they_are(senses):
    assert context_words(senses, "bank", ["river,", "money", "Bank"]) == ["money"]
    assert context_words(senses, "bank", "river, money bank", tokenizer="whitespace") == ["money"]


@pytest.mark.parametrize("text", ["nothing known", "", "bank"])
def test_no_known_context_leaves_senses_equally_probable(senses, text):
    assert disambiguate(senses, "bank", text)["probability"].tolist() == [0.5, 0.5]


def test_what_is_missing_or_wrong_is_named(senses):
    with pytest.raises(InputError, match="rule='soft' must be one of inverse, shifted"):
        disambiguate(senses, "bank", "river", rule="soft")
    with pytest.raises(InputError, match="window=0 must be at least 1"):
        disambiguate(senses, "bank", "river", window=0)
    with pytest.raises(UnknownWordError, match="no word 'rivers'; close matches: river"):
        disambiguate(senses, "rivers", "bank")

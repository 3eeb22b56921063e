"""Which word a token is."""

import pytest

from exrpca import SenseVectors
from exrpca.errors import UnknownWordError
from exrpca.text import lookup as module
from exrpca.text.lookup import NO_WORD, Lookup, find_word


def lookup(*words):
    return Lookup(SenseVectors(words, [[1.0]] * len(words), [1] * len(words)))


def test_the_exact_form_comes_first():
    both = lookup("polish", "Polish")
    assert [both[token] for token in ("polish", "Polish", "POLISH", "PoLish")] == [0, 1, 0, 0]


def test_a_capital_of_the_vocabulary_is_not_made_up():
    assert lookup("Paris")["paris"] == NO_WORD
    assert not lookup("Paris").knows("paris")


@pytest.mark.parametrize("token", ["Don't", "don’t", "DON’T", "donʼt"])
def test_apostrophes_of_all_kinds(token):
    assert lookup("don't")[token] == 0
    assert lookup("don't", token)[token] == 1  # the exact form comes first


def test_accents_in_two_parts():
    assert lookup("na\u00efve")["Nai\u0308ve"] == 0


def test_other_forms_count_as_their_word():
    senses = SenseVectors(["bank", "saw"], [[1.0]] * 2, [1] * 2)
    found = Lookup(senses, {"banks": "bank", "saw": "bank", "cells": "cell"})
    assert [found[token] for token in ("Banks", "BANK", "cells")] == [0, 0, NO_WORD]
    assert found["Saw"] == 1  # a word is a form of itself before it is one of another


def test_memory_is_bounded_and_answers_are_not(monkeypatch):
    monkeypatch.setattr(module, "_REMEMBERED", 1)
    bounded = lookup("a", "b")
    assert [bounded[token] for token in ("A", "B", "B", "c")] == [0, 1, 1, NO_WORD]
    assert len(bounded) == 1


def test_a_word_is_found_regardless_of_case_where_one_is_meant():
    words = ["Paris", "polish", "Polish", "NATO", "Nato"]
    senses = SenseVectors(words, [[1.0]] * 5, [1] * 5)
    assert find_word(senses, "paris") == "Paris"
    assert find_word(senses, "POLISH") == "polish"  # as in a text
    with pytest.raises(UnknownWordError, match="no word 'nato'; did you mean NATO or Nato"):
        find_word(senses, "nato")
    with pytest.raises(UnknownWordError, match="no word 'pari'; close matches: "):
        find_word(SenseVectors(["paris"], [[1.0]], [1]), "pari")

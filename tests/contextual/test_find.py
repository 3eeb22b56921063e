"""Which words are looked for, and which of their occurrences are kept."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca import InputError
from exrpca.contextual.find import Drawn, find_occurrences
from exrpca.contextual.targets import Targets, find_targets, read_words
from exrpca.text import Corpus, Tokenizer
from exrpca.text.lemmas import Lemmas
from exrpca.text.lookup import NO_WORD, words_of_forms


def drawn_of(count, most):
    drawn = Drawn(most)
    for number in range(count):
        if drawn.wants_next():
            drawn.keep(number)
        assert len(drawn._items) <= 2 * most
    return drawn.items()


@given(st.integers(0, 500), st.integers(1, 20))
def test_occurrences_are_drawn_evenly(count, most):
    items = drawn_of(count, most)
    assert len(items) == min(count, most)
    assert items == sorted(set(items))
    # no gap between neighbors is more than four times what perfect spacing would leave
    ends = [-1, *items, count]
    assert all(b - a <= 4 * (count / most + 1) for a, b in pairwise(ends))


def test_forms_belong_to_the_words_that_are_wanted():
    forms = {"banks": "bank", "saw": "see", "cells": "cell"}
    targets = Targets(["bank", "saw", "see", "bank"], forms)
    assert targets.words == ["bank", "saw", "see"]
    tokens = ["bank", "saw", "see", "banks", "Banks", "cells"]
    found = [targets.lookup[token] for token in tokens]
    # a word is a form of itself before it is one of another
    assert found == [0, 1, 2, 0, 0, NO_WORD]
    assert targets.form("Banks", 0) == "banks"


def test_lemmas_are_found_by_language():
    english = Targets(["bank", "mouse", "saw"], Lemmas("en"))
    tokens = ["Banks", "mice", "saw", "sawing", "see"]
    assert [english.lookup[token] for token in tokens] == [0, 1, 2, 2, NO_WORD]
    german = Targets(["Bank", "Schloss"], Lemmas("de"))
    tokens = ["Banken", "Bänke", "Schlösser", "Schloss", "Schule"]
    assert [german.lookup[token] for token in tokens] == [0, 0, 1, 1, NO_WORD]
    assert german.form("Banken", 0) == "Banken"
    with pytest.raises(InputError, match="language='xx' is no language"):
        Lemmas("xx")
    with pytest.raises(InputError, match="language='zh' is written without spaces"):
        Lemmas("zh")


def found_in(lines, words, *, names=True, forms=None):
    targets = Targets(words, forms)
    found = find_occurrences(
        Corpus([line.split() for line in lines]),
        targets,
        tokenizer=Tokenizer(),
        per_word=None,
        window=5,
        names=names,
        report=lambda done, text: None,
    )
    return {word: dict(each.forms) for word, each in zip(targets.words, found, strict=True)}


def test_each_form_is_counted():
    lines = ["The bank and the Banks", "banks"]
    assert found_in(lines, ["bank"], forms={"banks": "bank"}) == {"bank": {"bank": 1, "banks": 2}}


def test_names_can_be_left_out():
    lines = ["Bank of the West Bank", "A BANK . Bank it", "in march and in March", "Polish polish"]
    words = ["bank", "march", "Polish"]
    kept, all_of_them = (found_in(lines, words, names=names) for names in (False, True))
    # at the beginning of a sentence and in capitals a word need not be a name
    assert kept == {"bank": {"bank": 3}, "march": {"march": 1}, "Polish": {"Polish": 1}}
    assert all_of_them == {"bank": {"bank": 4}, "march": {"march": 2}, "Polish": {"Polish": 1}}


TEXT = [["The", "bank", "the", "banks"], ["1", "1", "1", "1", "the", ",", "bank"]]


def targets_of(words, forms=None, text=TEXT, tokenizer="words"):
    return find_targets(words, forms, Corpus(text), Tokenizer(tokenizer))


def test_the_most_frequent_words(tmp_path):
    assert targets_of(2).words == ["the", "bank"]
    assert targets_of(1, {"banks": "the"}).words == ["the"]
    assert targets_of(9, {"banks": "bank"}).words == ["the", "bank"]
    with pytest.raises(InputError, match="text that can be read twice"):
        targets_of(2, text=iter(TEXT))
    with pytest.raises(InputError, match="text that can be read twice"):
        targets_of(2, text="-")
    with pytest.raises(InputError, match="words=0 must be at least 1"):
        targets_of(0)


def test_words_come_from_a_file(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("\ufeffbank\n\n cell \nbank\n", encoding="utf-8")
    assert targets_of(path).words == ["bank", "cell"]
    path.write_text("\n")
    with pytest.raises(InputError, match="has no words"):
        read_words(path)
    path.write_bytes(b"caf\xe9\n")
    with pytest.raises(InputError, match="is not UTF-8"):
        read_words(path)
    with pytest.raises(InputError, match="no such file"):
        targets_of("bank")


def test_words_that_can_never_be_found_are_refused():
    assert targets_of(["x-ray", "don't", "İstanbul", "詞"]).words[0] == "x-ray"
    for word in ("new york", "bank.", ""):
        with pytest.raises(InputError, match="is never one token"):
            targets_of(["bank", word])
    assert targets_of(["bank."], tokenizer="whitespace").words == ["bank."]
    with pytest.raises(InputError, match="no words to look for"):
        targets_of([])


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_forms_come_from_a_table(tmp_path, delimiter):
    path = tmp_path / "forms.csv"
    rows = [("word", "form"), ("bank", "banks"), ("bench", "banks"), ("cell", "cells")]
    path.write_text("".join(delimiter.join(row) + "\n" for row in rows))
    assert words_of_forms(path) == {"banks": "bank", "cells": "cell"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no column form, word"),
        ("form,lemma\na,b\n", "no column word among form, lemma"),
        ("form,word\na\n", "forms.csv, line 2: 1 fields, expected 2"),
        ('form,word\n"a"b,c\n', "is not a CSV file"),
    ],
)
def test_a_bad_table_of_forms_is_one_clear_line(tmp_path, content, message):
    path = tmp_path / "forms.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        words_of_forms(path)

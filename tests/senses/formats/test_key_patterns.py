import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca.errors import InputError
from exrpca.senses.formats.key_patterns import (
    KEY_PATTERNS,
    key_pattern_named,
    pattern_of_regex,
    split_keys,
)
from exrpca.senses.formats.key_reading import detect_key_pattern, likely_separator
from exrpca.senses.formats.key_writing import sense_keys

# signs and digits often: keys within keys
odd_words = st.lists(
    st.text(st.sampled_from("a#_s:|01 \n\u0660é"), min_size=1, max_size=6),
    min_size=1,
    max_size=6,
    unique=True,
)
with_sign = pytest.mark.parametrize(
    "pattern", [name for name, pattern in KEY_PATTERNS.items() if pattern.is_numbered]
)


@with_sign
@given(words=odd_words, data=st.data())
def test_keys_of_any_words_split_into_the_same_words_and_tell_their_pattern(pattern, words, data):
    n_senses = [data.draw(st.integers(1, 12)) for _ in words]
    keys = sense_keys(words, n_senses, pattern)

    assert len(set(keys)) == len(keys)
    assert detect_key_pattern(keys) == pattern
    parts = split_keys(keys, KEY_PATTERNS[pattern])
    assert [word for word, _ in parts] == [
        word for word, n in zip(words, n_senses, strict=True) for _ in range(n)
    ]
    assert [sense for _, sense in parts] == [str(s) for n in n_senses for s in range(n)]


@pytest.mark.parametrize(
    ("keys", "pattern"),
    [
        (["bank_0", "bank_1"], "word_0"),
        (["bank#1", "bank#2", "river#1"], "word#0"),  # counted from 1
        (["bank#0", "bank#2"], "word#0"),  # a gap, but every key follows
        (["bank:0", "bank:1", "river", "c#"], "word:0"),  # words with one sense left plain
        (["virus", "covid_19"], "word"),
        (["windows", "windows_7", "windows_8"], "word"),
        (["type", "type_0", "type_1"], "word"),  # "type" itself is a key
        (["page", "chapter_1"], "word"),  # nothing has two senses
        (["a", "a_007"], "word"),
        (["#1", "#2"], "word"),  # no word before the sign
        (["a_٠", "a_١"], "word"),  # digits, but not ours
    ],
)
def test_detects_the_pattern_of_files_made_by_others(keys, pattern):
    assert detect_key_pattern(keys) == pattern


def test_a_key_without_number_is_a_word_alone():
    assert split_keys(["river", "bank_s1"], KEY_PATTERNS["word_s0"]) == [
        ("river", ""),
        ("bank", "1"),
    ]
    assert split_keys(["bank#1"], KEY_PATTERNS["word"]) == [("bank#1", "")]


LABELED = {
    "word%1:00:00::": [("bank%1:14:00::", "bank"), ("good%5:00:00:expert:00", "good")],
    "word.n.01": [("bank.n.01", "bank"), ("st._paul.n.12", "st._paul")],
    "word-n-0": [("bank-n-0", "bank"), ("x-ray-v-1", "x-ray")],
    "word_bn:00000000n": [("bank_bn:00008363n", "bank"), ("new_york_bn:00041611n", "new_york")],
    "bn:00000000n__word": [("bn:00008363n__Bank", "Bank"), ("bn:00008364n__A__b", "A__b")],
    "word|NOUN": [("bank|NOUN", "bank"), ("new_york|GPE", "new_york"), ("1|2|X", "1|2")],
}


@pytest.mark.parametrize("pattern", LABELED)
def test_labels_of_known_projects_are_found_and_written_back(pattern):
    keys, words = map(list, zip(*LABELED[pattern], strict=True))
    assert detect_key_pattern(keys) == pattern
    parts = split_keys(keys, KEY_PATTERNS[pattern])
    assert [part.word for part in parts] == words
    labels = [part.sense for part in parts]
    assert sense_keys(words, [1] * len(words), pattern, labels) == keys


def test_some_plain_words_beside_labeled_ones():
    assert detect_key_pattern(["bank|NOUN", "bank|VERB", "the"]) == "word|NOUN"
    assert detect_key_pattern(["a|b", "bank", "river", "money"]) == "word"
    assert detect_key_pattern(["bank|NOUN", "bank|VERB", "bank"]) == "word"
    assert sense_keys(["bank", "the"], [1, 1], "word|NOUN", ["NOUN", ""]) == ["bank|NOUN", "the"]


@given(words=odd_words, data=st.data())
def test_any_labels_are_written_so_that_they_are_read_again_or_refused(words, data):
    labels = [data.draw(st.text(st.sampled_from("aN|0 #"), max_size=3)) for _ in words]
    try:
        keys = sense_keys(words, [1] * len(words), "word|NOUN", labels)
    except InputError:
        return
    parts = split_keys(keys, KEY_PATTERNS["word|NOUN"])
    assert parts == list(zip(words, labels, strict=True))


def test_labels_that_a_pattern_has_no_room_for_are_refused():
    with pytest.raises(InputError, match=r"sense 1 of 'bank' has the label '', which"):
        sense_keys(["bank"], [2], "word|NOUN", ["NOUN", ""])
    with pytest.raises(InputError, match="sense 0 of 'bank' has the label ''"):
        sense_keys(["bank"], [2], "word|NOUN")
    with pytest.raises(InputError, match=r"two senses have the key 'bank\|NOUN'"):
        sense_keys(["bank"], [2], "word|NOUN", ["NOUN", "NOUN"])


def test_labels_that_are_numbers_are_the_numbers_of_keys():
    assert sense_keys(["bank"], [3], "word#0", ["3", "7", "12"]) == ["bank#3", "bank#7", "bank#12"]
    # in this order they would be read in another
    assert sense_keys(["bank"], [2], "word#0", ["7", "3"]) == ["bank#0", "bank#1"]


def test_a_regular_expression_names_word_and_sense():
    pattern = pattern_of_regex(r"(?P<word>.+)/(?P<sense>[a-z]+)")
    assert split_keys(["and/or/money", "bank/1"], pattern) == [("and/or", "money"), ("bank/1", "")]
    with pytest.raises(InputError, match=r"must have the groups .*word.* and .*sense"):
        pattern_of_regex("(.+)/(.+)")
    with pytest.raises(InputError, match="is not a regular expression: missing"):
        pattern_of_regex("(?P<word>.+")


@pytest.mark.parametrize(
    ("keys", "separator"),
    [
        (["bank/money", "bank/river", "plant/tree", "plant/factory"], "/"),
        (["bank@1a", "bank@2b", "river@1a"], "@"),
        (["bank", "river", "well-known"], None),
        ([f"/c/en/{word}" for word in "abcdefghijklmnopqrstuvwxyz"], None),  # one "word"
        (["new_york", "los_angeles", "san_diego", "bank"], None),
    ],
)
def test_keys_that_look_like_senses_of_no_known_pattern(keys, separator):
    assert likely_separator(keys) == separator


def test_words_alone_have_room_for_one_sense():
    assert sense_keys(["a", "b"], [1, 1], "word") == ["a", "b"]
    with pytest.raises(InputError, match="one sense per word: collapse"):
        sense_keys(["a"], [2], "word")


def test_an_unknown_pattern_names_those_there_are():
    with pytest.raises(InputError, match=r"key_pattern='word-0' must be one of word#0, word_s0"):
        key_pattern_named("word-0")

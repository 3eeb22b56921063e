import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca.errors import InputError
from exrpca.senses.formats.key_patterns import (
    KEY_PATTERNS,
    detect_key_pattern,
    sense_keys,
    sign_of,
    split_keys,
)

# signs and digits often: keys within keys
odd_words = st.lists(
    st.text(st.sampled_from("a#_s:|01 \n\u0660é"), min_size=1, max_size=6),
    min_size=1,
    max_size=6,
    unique=True,
)
with_sign = pytest.mark.parametrize(
    "pattern", [name for name, sign in KEY_PATTERNS.items() if sign]
)


@with_sign
@given(words=odd_words, data=st.data())
def test_keys_of_any_words_split_into_the_same_words_and_tell_their_pattern(pattern, words, data):
    n_senses = [data.draw(st.integers(1, 12)) for _ in words]
    keys = sense_keys(words, n_senses, pattern)

    assert len(set(keys)) == len(keys)
    assert detect_key_pattern(keys) == pattern
    split, numbers = split_keys(keys, pattern)
    assert split == [word for word, n in zip(words, n_senses, strict=True) for _ in range(n)]
    assert numbers == [sense for n in n_senses for sense in range(n)]


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


def test_a_key_without_number_is_sense_0():
    assert split_keys(["river", "bank_s1"], "word_s0") == (["river", "bank"], [0, 1])
    assert split_keys(["bank#1"], "word") == (["bank#1"], [0])


def test_words_alone_have_room_for_one_sense():
    assert sense_keys(["a", "b"], [1, 1], "word") == ["a", "b"]
    with pytest.raises(InputError, match="one sense per word: collapse"):
        sense_keys(["a"], [2], "word")


def test_an_unknown_pattern_names_those_there_are():
    with pytest.raises(InputError, match=r"key_pattern='word-0' must be one of word#0, word_s0"):
        sign_of("word-0")

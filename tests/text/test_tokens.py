"""What a token is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca import InputError
from exrpca.text.tokens import TOKENIZERS, Tokenizer


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The Plant, a Factory.", ["The", "Plant", "a", "Factory"]),
        ("don't rock'n'roll it’s", ["don't", "rock'n'roll", "it’s"]),
        ("'tis the dogs' ‘own’", ["tis", "the", "dogs", "own"]),
        ("well-known and/or —so—", ["well", "known", "and", "or", "so"]),
        ("1,000.5 in 1990s", ["1", "000", "5", "in", "1990s"]),
        ("new_york _this_", ["new_york", "this"]),
        ("na\u00efve nai\u0308ve Ωmega", ["na\u00efve", "nai\u0308ve", "Ωmega"]),
        ("हिन्दी में.", ["हिन्दी", "में"]),
        ("می\u200cشود", ["می\u200cشود"]),
        ("... !", []),
        ("", []),
    ],
)
def test_words_are_found_among_punctuation(text, tokens):
    assert Tokenizer().tokens(text) == tokens


@pytest.mark.parametrize("word", ["x-ray", "and/or", "AT&T", "3.5"])
def test_joined_words_are_one_token_if_known(word):
    text = f"(an {word}, in well-known {word})"
    joined = Tokenizer().tokens(text, {word}.__contains__)
    assert joined == ["an", word, "in", "well", "known", word]
    assert Tokenizer().tokens(text, {"unrelated"}.__contains__) == Tokenizer().tokens(text)


@pytest.mark.parametrize("name", TOKENIZERS)
@given(text=st.text())
def test_a_text_can_be_written_back(name, text):
    for known in (None, lambda token: len(token) % 2 == 0):
        tokens = Tokenizer(name).tokens(text, known)
        assert tokens.text_with(tokens) == text
        assert all(tokens)


@given(text=st.text())
def test_whitespace_is_that_of_split(text):
    assert Tokenizer("whitespace").tokens(text) == text.split()


@given(st.lists(st.sampled_from(["a", "don't", "été", "x_1", "42"])), st.data())
def test_punctuation_around_words_changes_nothing(words, data):
    signs = st.sampled_from(["", "(", '"', ".", ", ", "...", " — ", "»"])
    text = " ".join(data.draw(signs) + word + data.draw(signs) for word in words)
    assert Tokenizer().tokens(text) == words


@pytest.mark.parametrize("sign", ["#", "_s", ":", "|", "_"])
def test_tagged_words_are_one_token(sign):
    text = f"(the bank{sign}1, well{sign}0-known{sign}12.)"
    expected = ["the", f"bank{sign}1", f"well{sign}0", f"known{sign}12"]
    assert Tokenizer(sign=sign).tokens(text) == expected


def test_an_unknown_tokenizer_is_refused():
    with pytest.raises(InputError, match="tokenizer='spacy' must be one of words, whitespace"):
        Tokenizer("spacy")


@given(st.text(), st.sampled_from(TOKENIZERS))
def test_the_text_around_a_token_is_the_text(text, name):
    tokens = Tokenizer(name).tokens(text)
    for place, token in enumerate(tokens):
        left, target, right = tokens.around(place, len(tokens))
        assert (left + target + right, target) == (text, token)
        near_left, _, near_right = tokens.around(place, 1)
        assert left.endswith(near_left)
        assert right.startswith(near_right)

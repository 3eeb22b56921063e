from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca.errors import InputError
from exrpca.text import Corpus
from exrpca.training.kernel import LINE_END
from exrpca.training.vocabulary import number_tokens, numbered_tokens

LINES = st.lists(st.lists(st.sampled_from("abcdef")), min_size=1)


def number(lines, folder, min_count):
    return number_tokens(Corpus(lines), folder, min_count=min_count, report=lambda done, text: None)


@given(lines=LINES, min_count=st.integers(1, 4))
def test_numbers_stand_for_the_frequent_tokens_of_the_text(tmp_path_factory, lines, min_count):
    counts = Counter(token for line in lines for token in line)
    frequent = {token: n for token, n in counts.items() if n >= min_count}
    folder = tmp_path_factory.mktemp("run")
    if len(frequent) < 2:
        with pytest.raises(InputError):
            number(lines, folder, min_count)
        return
    vocabulary, tokens = number(lines, folder, min_count)
    assert dict(zip(vocabulary.words, vocabulary.counts.tolist(), strict=True)) == frequent
    assert sorted(vocabulary.counts, reverse=True) == vocabulary.counts.tolist()
    back = [vocabulary.words[t] if t != LINE_END else "\n" for t in tokens]
    assert back == [t for line in lines for t in [*filter(frequent.get, line), "\n"]]
    again, same_tokens = numbered_tokens(folder)
    assert again.words == vocabulary.words
    assert same_tokens.tolist() == tokens.tolist()


def test_an_empty_corpus_says_so(tmp_path):
    with pytest.raises(InputError, match="the corpus is empty"):
        number([[], []], tmp_path, 1)


def test_too_few_frequent_words_say_what_to_do(tmp_path):
    with pytest.raises(InputError, match=r"only 1 of the 2 different tokens.*lower min_count"):
        number([["a", "a", "b"]], tmp_path, 2)

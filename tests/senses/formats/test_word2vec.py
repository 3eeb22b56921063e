import warnings
from fractions import Fraction

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st

from exrpca.errors import InputError, InputWarning
from exrpca.senses import SenseVectors, load, save
from exrpca.senses.formats import KEY_PATTERNS, to_gensim


@pytest.mark.parametrize("binary", [False, True])
def test_gensim_reads_what_we_write_and_we_what_gensim_writes(binary, many, tmp_path):
    path = tmp_path / ("a.bin" if binary else "a.vec")
    save(many, path, key_pattern="word_s0")
    theirs = KeyedVectors.load_word2vec_format(str(path), binary=binary)
    assert theirs.index_to_key[:1] == ["word0_s0"]
    np.testing.assert_array_equal(theirs.vectors, many.vectors)

    theirs.save_word2vec_format(str(path), binary=binary)
    read = load(path)
    assert read.words == many.words
    np.testing.assert_allclose(read.vectors, many.vectors, rtol=0, atol=0 if binary else 1e-6)
    assert read == load(theirs)  # the counts gensim makes up are no counts


def test_senses_in_any_order_and_counted_from_1(tmp_path):
    (tmp_path / "a.vec").write_text("4 1\nbank#2 1\nriver#1 2\nbank#10 3\nbank#1 4\n")
    senses = load(tmp_path / "a.vec")
    assert dict(senses)["bank"].tolist() == [[4], [1], [3]]
    assert senses.words == ("bank", "river")


def test_plain_words_have_one_sense_and_stay_plain(tmp_path):
    text = "4 1\n</s> 1\ncovid_19 2\nc# 3\n10:30 4\n"
    (tmp_path / "a.vec").write_text(text)
    senses = load(tmp_path / "a.vec")
    assert senses.words == ("</s>", "covid_19", "c#", "10:30")
    assert senses.n_senses.tolist() == [1, 1, 1, 1]
    save(senses, tmp_path / "b.vec")
    assert (tmp_path / "b.vec").read_text() == text


def test_plain_words_that_look_like_senses_are_written_with_numbers(tmp_path):
    (tmp_path / "a.vec").write_text("2 1\na_0 1\na_1 2\n")
    senses = load(tmp_path / "a.vec", key_pattern="word")
    assert senses.words == ("a_0", "a_1")
    save(senses, tmp_path / "b.vec")
    assert load(tmp_path / "b.vec") == senses


def test_words_with_one_sense_left_plain(tmp_path):
    (tmp_path / "a.vec").write_text("3 1\nbank|0 1\nbank|1 2\nriver 3\n")
    senses = load(tmp_path / "a.vec")
    assert {word: rows.tolist() for word, rows in senses.items()} == {
        "bank": [[1], [2]],
        "river": [[3]],
    }


def test_the_pattern_can_be_forced(tmp_path):
    (tmp_path / "a.vec").write_text("2 1\na_1 1\nb 2\n")
    assert load(tmp_path / "a.vec").words == ("a_1", "b")
    assert load(tmp_path / "a.vec", key_pattern="word_0").words == ("a", "b")


def test_encoding(tmp_path):
    (tmp_path / "a.vec").write_bytes("1 1\ncafé#0 1\n".encode("iso-8859-15"))
    assert load(tmp_path / "a.vec", encoding="iso-8859-15").words == ("café",)


def test_lines_longer_than_a_block(tmp_path):
    senses = SenseVectors(["a", "b"], np.random.default_rng(0).normal(size=(2, 900_000)), [1, 1])
    save(senses, tmp_path / "a.vec")
    assert load(tmp_path / "a.vec") == senses


def test_collapsed_vectors_as_plain_words(many, tmp_path):
    save(many.collapse(), tmp_path / "a.bin", key_pattern="word")
    plain = KeyedVectors.load_word2vec_format(str(tmp_path / "a.bin"), binary=True)
    assert plain.index_to_key == list(many.words)


@pytest.mark.parametrize("pattern", [n for n, p in KEY_PATTERNS.items() if p.is_numbered])
def test_keyed_vectors_keep_counts(pattern, senses):
    read = load(to_gensim(senses, key_pattern=pattern))
    assert read.counts.tolist() == senses.counts.tolist()
    assert read.metadata == {"key_pattern": pattern, "format": "gensim"}


def test_missing_bytes_without_line_ends_leave_an_odd_key(tmp_path):
    """gensim writes no line ends: bytes that are missing are taken from the next key."""
    vectors = np.ones((40, 5), dtype="<f4")
    content = b"40 5\n" + b"".join(
        b"w%d#%d " % (row // 2, row % 2) + vector.tobytes() for row, vector in enumerate(vectors)
    )
    (tmp_path / "whole.bin").write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(load(tmp_path / "whole.bin")) == 20
    (tmp_path / "cut.bin").write_bytes(content[:200] + content[203:])
    with pytest.warns(InputWarning, match=r"cut\.bin: the key .* is not like word#0"):
        load(tmp_path / "cut.bin")


decimals = st.from_regex(
    r"[+-]?([0-9]{1,25}(\.[0-9]{0,25})?|\.[0-9]{1,25})([eE][+-]?[0-9]{1,2})?", fullmatch=True
)
HARD = (
    *("16777217", "16777219"),  # in the middle of two float32
    *("1.00000005960464477540", "1.00000005960464477539"),
    *("7.006492321624085e-46", "7.006492321624086e-46"),  # half the least float32
    *("1e-99", "000000000000000000000000000001", "0.0000000000000000000000000000000000001e38"),
)


def nearest_float32(token):
    """Return the float32 nearest to a decimal by exact fractions; ties to even; inf beyond."""
    exact = Fraction(token.decode())
    guess = np.float32(float(exact)) if abs(exact) < 2**128 else np.float32(np.sign(exact) * np.inf)
    if not np.isfinite(guess):
        # the greatest float32 reaches up to half a step beyond itself
        greatest = np.finfo(np.float32).max
        limit = Fraction(float(greatest)) + Fraction(2) ** 103
        return np.float32(np.sign(float(exact)) * (greatest if abs(exact) < limit else np.inf))
    around = [
        np.nextafter(guess, np.float32(-np.inf)),
        guess,
        np.nextafter(guess, np.float32(np.inf)),
    ]
    around = [value for value in around if np.isfinite(value)]
    return min(
        around,
        key=lambda value: (abs(Fraction(float(value)) - exact), int(value.view(np.int32)) & 1),
    )


@given(numbers=st.lists(decimals, max_size=50))
@settings(max_examples=50)
def test_every_decimal_becomes_the_nearest_float32(numbers, tmp_path_factory):
    numbers = [n for n in (*HARD, *numbers) if np.isfinite(nearest_float32(n.encode()))]
    path = tmp_path_factory.getbasetemp() / "numbers.vec"
    path.write_text(f"1 {len(numbers)}\nbank#0 {' '.join(numbers)}\n")
    expected = [nearest_float32(number.encode()) for number in numbers]
    assert load(path)["bank"][0].tolist() == expected


@pytest.mark.parametrize(
    "token",
    ["nan", "inf", "-inf", "1e39", "1e999999999999", "abc", "1.2.3", "1e", "1e+", "-", ".", "1_000",
     "0x10", "1,5", "--1", "1e5.0", "\u00a01", "1d5"],
)  # fmt: skip
def test_what_is_no_finite_number_is_refused(token, tmp_path):
    (tmp_path / "a.vec").write_text(f"1 2\nbank#0 1 {token}\n")
    with pytest.raises(InputError, match=r"line 2: found .* expected a (finite )?number"):
        load(tmp_path / "a.vec", reader="word2vec")


def test_lines_that_end_as_on_windows_leave_no_trace(tmp_path):
    rows = "bank#0 1 0\nbank#1 0 1\n"
    table = "word,sense,label,v0,v1\nbank,0,x,1,0\nbank,1,y,0,1\n"
    for name, text in {"a.vec": "2 2\n" + rows, "a.txt": rows, "a.csv": table}.items():
        (tmp_path / name).write_bytes(text.replace("\n", "\r\n").encode())
        senses = load(tmp_path / name)
        assert senses.words == ("bank",)
        assert senses.labels in (None, ("x", "y"))
        assert senses.vectors.tolist() == [[1, 0], [0, 1]]


def test_gensim_gets_the_keys_of_the_file(tmp_path):
    text = "3 1\nthe|DET 1\nbank|NOUN 2\nbank|VERB 3\n"
    (tmp_path / "a.vec").write_text(text)
    assert to_gensim(load(tmp_path / "a.vec")).index_to_key == ["the|DET", "bank|NOUN", "bank|VERB"]

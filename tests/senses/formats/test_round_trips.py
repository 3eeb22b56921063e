"""What is written is read again, in every format, whatever the words are."""

import re
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_np

from exrpca.errors import InputError
from exrpca.senses import SenseVectors, load, save
from exrpca.senses.formats import (
    KEY_PATTERNS,
    WRITERS,
    byte_reader,
    plan_output,
    text_files,
    to_gensim,
)

FILE_NAMES = {
    "parquet": "senses.parquet",
    "mssg": "senses.mssg",
    "word2vec": "senses.vec",
    "word2vec-binary": "senses.bin",
    "three-files": "senses_local.vec",
}

NUMBERED = [name for name, pattern in KEY_PATTERNS.items() if pattern.is_numbered]

# The signs of key patterns, digits, and what some programs take for whitespace or line ends.
_odd = st.sampled_from([*"#_s:|0123</>.-", "\u00a0", "\u0085", "\u2028", "\x0b", "\x1c", "é", "𝔸"])
_letters = st.characters(exclude_categories=["Cs"])
_text = st.text(_letters, max_size=3)
anything = st.text(_odd | _letters, max_size=5)
without_spaces = st.text(
    _odd | st.characters(exclude_categories=["Cs"], exclude_characters=" \t\r\n"),
    min_size=1,
    max_size=5,
)


@st.composite
def sense_vectors(draw, words):
    words = draw(st.lists(words, min_size=1, max_size=6, unique=True))
    n_senses = [draw(st.integers(1, 3)) for _ in words]
    dim = draw(st.integers(1, 4))

    def floats(n_rows):
        finite = st.floats(width=32, allow_nan=False, allow_infinity=False)
        return draw(st_np.arrays(np.float32, (n_rows, dim), elements=finite))

    def texts(element):
        return draw(st.none() | st.lists(element, min_size=total, max_size=total))

    total = sum(n_senses)
    n_centers = draw(st.lists(st.integers(1, 3), min_size=total, max_size=total))
    centers = draw(st.sampled_from([None, total, sum(n_centers)]))
    return SenseVectors(
        words,
        floats(total),
        n_senses,
        counts=draw(st.none() | st.lists(st.integers(0, 2**62), min_size=total, max_size=total)),
        centers=None if centers is None else floats(centers),
        n_centers=None if centers in (None, total) else n_centers,
        globals=draw(st.none() | st.just(floats(len(words)))),
        labels=texts(_text),
        examples=texts(st.lists(st.tuples(_text, _text, _text), max_size=2)),
    )


CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def saved_and_loaded(senses, writer, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / FILE_NAMES[writer]
        save(senses, path, **options)
        # a handful of random bytes may look like text: here content is not asked
        return load(path, reader=writer)


def with_mean_centers(senses):
    """Return what is left of centers in a format that has room for one per sense."""
    return senses.replace(
        centers=senses.mean_centers,
        n_centers=None if senses.centers is None else [1] * len(senses.vectors),
    )


def bits(array):
    return None if array is None else array.tobytes()


def assert_bit_equal(senses, expected, *names):
    assert senses.words == expected.words
    assert senses.n_senses.tolist() == expected.n_senses.tolist()
    for name in ("vectors", *names):
        assert bits(getattr(senses, name)) == bits(getattr(expected, name)), name


@settings(max_examples=25)
@given(sense_vectors(anything))
def test_parquet_keeps_everything(senses):
    read = saved_and_loaded(senses, "parquet")
    assert_bit_equal(read, senses, "counts", "centers", "globals")
    assert read == senses
    assert read.labels == senses.labels
    assert read.examples == senses.examples


@settings(max_examples=25)
@given(sense_vectors(without_spaces))
def test_mssg_text_keeps_all_arrays(senses):
    read = saved_and_loaded(senses, "mssg")
    senses = with_mean_centers(senses)
    if senses.globals is not None and not senses.globals.any():
        senses = senses.replace(globals=None)
    assert_bit_equal(read, senses, "counts", "centers", "globals")


@pytest.mark.parametrize("writer", ["word2vec", "word2vec-binary"])
@settings(max_examples=25)
@given(senses=sense_vectors(without_spaces), pattern=st.sampled_from(NUMBERED))
def test_word2vec_keeps_words_senses_and_vectors(writer, senses, pattern):
    if writer == "word2vec-binary" and any(map(CONTROL.search, senses.words)):
        with pytest.raises(InputError, match="has a control character"):
            saved_and_loaded(senses, writer, key_pattern=pattern)
        return
    read = saved_and_loaded(senses, writer, key_pattern=pattern)
    assert_bit_equal(read, senses)
    assert read.metadata["key_pattern"] == pattern


@settings(max_examples=25)
@given(senses=sense_vectors(without_spaces), pattern=st.sampled_from(NUMBERED))
def test_three_files_keep_all_vectors(senses, pattern):
    senses = with_mean_centers(senses)
    senses = senses.replace(
        centers=senses.vectors if senses.centers is None else senses.centers,
        globals=senses.vectors[senses.offsets[:-1]] if senses.globals is None else senses.globals,
    )
    read = saved_and_loaded(senses, "three-files", key_pattern=pattern)
    assert_bit_equal(read, senses, "centers", "globals")


@settings(max_examples=25)
@given(senses=sense_vectors(anything.filter(bool)), pattern=st.sampled_from(NUMBERED))
def test_gensim_keeps_words_senses_and_vectors(senses, pattern):
    assert_bit_equal(load(to_gensim(senses, key_pattern=pattern), key_pattern=pattern), senses)


@pytest.mark.parametrize("n_bytes", [1, 7, 50])
@pytest.mark.parametrize("name", FILE_NAMES.values())
def test_files_are_read_in_blocks_of_any_size(name, n_bytes, senses, tmp_path, monkeypatch):
    for module in (text_files, byte_reader):
        monkeypatch.setattr(module, "_BLOCK_BYTES", n_bytes)
    save(senses, tmp_path / name)
    assert_bit_equal(load(tmp_path / name), senses)


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("writer", WRITERS)
def test_content_tells_the_format_of_large_files(writer, ending, many, tmp_path):
    ending = "" if writer == "parquet" else ending
    path = tmp_path / (FILE_NAMES[writer] + ending)
    save(many, path)
    unnamed = path if writer == "three-files" else path.rename(tmp_path / "unnamed")
    read = load(unnamed)
    assert read.metadata["format"] == writer
    assert_bit_equal(read, many)
    assert (unnamed.read_bytes()[:2] == b"\x1f\x8b") == bool(ending)


@pytest.mark.parametrize("writer", ["mssg", "word2vec", "three-files"])
def test_a_name_that_tells_nothing_keeps_the_format(writer, senses, tmp_path):
    save(senses, tmp_path / FILE_NAMES[writer], key_pattern="word|0")
    read = load(tmp_path / FILE_NAMES[writer])
    save(read, tmp_path / "same.txt")
    again = load(tmp_path / "same.txt")
    assert again == read
    assert again.metadata == read.metadata


@pytest.mark.parametrize("writer", ["word2vec", "word2vec-binary", "three-files"])
@pytest.mark.parametrize(
    ("pattern", "labels"),
    [
        ("word|NOUN", ["NOUN", "VERB", "X", "ADJ"]),
        ("word.n.01", ["bank.n.01", "bank.v.02", "</s>.n.01", "naïve.a.01"]),
        ("word#0", ["3", "7", "1", "2"]),
    ],
)
def test_labels_are_written_back(writer, pattern, labels, senses, tmp_path):
    labeled = senses.replace(labels=labels)
    plan = plan_output(tmp_path / FILE_NAMES[writer], key_pattern=pattern)
    assert "labels" not in plan.losses_of(labeled)
    plan.save(labeled)
    read = load(tmp_path / FILE_NAMES[writer])
    assert read.labels == tuple(labels)
    assert read.metadata["key_pattern"] == pattern
    save(read, tmp_path / f"again_{FILE_NAMES[writer]}")
    assert load(tmp_path / f"again_{FILE_NAMES[writer]}") == read

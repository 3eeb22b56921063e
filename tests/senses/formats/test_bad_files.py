"""Files and objects that no honest program writes: each is refused in one line, or remarked on."""

import gzip
import os
import subprocess
import sys
import warnings

import gensim.models
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.torture.samples import adagram_file, small_senses
from exrpca import InputError, SenseVectors, load, make_senses, save
from exrpca.errors import InputWarning

LONG = "1" * 5000

TEXTS = {
    "dimensions of 10^12": ("2 1000000000000\na#0 1 2\na#1 1 3\n", "number of vectors and of dim"),
    "dimensions of 10^9": ("2 1000000000\na#0 1 2\na#1 1 3\n", "number of vectors and of dim"),
    "dimensions of 5,000 digits": (f"2 {LONG}\na#0 1 2\n", "not in a known format"),
    "mssg of 10^9 dimensions": ("1 1000000000 3 0\na 1\n1 2\n1 2\n1 2\n", "not in a known format"),
    "words of 5,000 digits": (f"{LONG} 2\na#0 1 2\n", "not in a known format"),
    "senses of 5,000 digits": (f"1 2 3 0\na {LONG}\n1 2\n1 2\n1 2\n", "its number of senses"),
    "count of 5,000 digits": (f"1 2 3 0\na 1 {LONG}\n1 2\n1 2\n1 2\n", "a count for each"),
    "count beyond any exponent": ("1 2 3 0\na 1 1e99999999999999999999\n1 2\n1 2\n1 2\n", "count"),
    "negative count": ("1 2 3 0\na 1 -3\n1 2\n1 2\n1 2\n", "a count for each"),
    "number beyond any exponent": ("1 2\na#0 1e99999999999999999999 2\n", "a finite number"),
    "number of 5,000 digits": (f"1 2\na#0 {LONG} 2\n", "a finite number"),
    "a gap in the columns": ("word,sense,v0,0,v2,v3\na,0,1,2,3,4\n", "but v1 is missing"),
    "a column twice": ("word,sense,v0,v1,v1\na,0,1,2,3\n", "the column v1 appears twice"),
    "the word twice": ("word,word,sense,v0\na,b,0,1\n", "the column word appears twice"),
    "a column of 5,000 digits": (f"word,sense,v{LONG}\na,0,1\n", "no column vector"),
    "a negative sense": ("word,sense,v0\na,-1,1\n", "the sense number -1 is negative"),
    "a negative count in a table": ("word,sense,count,v0\na,0,-1,1\n", "the count -1 is negative"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text(tmp_path, name):
    content, expected = TEXTS[name]
    (tmp_path / "bad").write_text(content)
    refused(tmp_path / "bad", expected)


def refused(source, expected):
    with pytest.raises(InputError) as error:
        load(source)
    message = str(error.value)
    assert expected in message
    assert len(message) < 300 + len(str(source))
    assert "\n" not in message


def frame(**columns):
    return pd.DataFrame({"word": ["a", "a"], "sense": [0, 1], "vector": [[1, 2], [2, 3]]} | columns)


FRAMES = {
    "empty vectors": (frame(vector=[[], []]), "0 values, expected some"),
    "complex vectors": (frame(vector=[[1j, 2], [1, 2]]), "complex"),
    "complex columns": (
        pd.DataFrame({"word": ["a"], "sense": [0], "v0": [1j], "v1": [1]}),
        "complex128",
    ),
    "huge numbers": (frame(vector=[[10**400, 2], [1, 2]]), "too large"),
    "huge senses": (frame(sense=[0, 2**70]), "too large"),
    "dates as senses": (frame(sense=pd.to_datetime(["2020", "2021"])), "expected whole numbers"),
    "bytes that are no text": (frame(word=[b"\xff", b"a"]), "column word"),
    "missing counts": (frame(count=[np.nan, 1]), "no count"),
    "negative counts": (frame(count=[1, -1]), "row 2: the count -1 is negative"),
    "duplicate columns": (
        pd.DataFrame([["a", 0, 1, 2]], columns=["word", "sense", "v0", "v0"]),
        "the column v0 appears twice",
    ),
    "several levels": (
        pd.DataFrame([["a", 0]], columns=pd.MultiIndex.from_tuples([("word", 0), ("sense", 0)])),
        "columns of several levels",
    ),
}


@pytest.mark.parametrize("name", FRAMES)
def test_frames(name):
    refused(*FRAMES[name])


SETTINGS = {
    "not an object": b"[1]",
    "not UTF-8": b"\xff{",
    "nested 100,000 deep": b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "an integer of 5,000 digits": b'{"a":' + LONG.encode() + b"}",
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_a_native_file(tmp_path, name):
    table = pa.table({"word": ["a"], "sense": [0], "vector": [[1.0]]})
    pq.write_table(
        table.replace_schema_metadata({"exrpca": SETTINGS[name]}), tmp_path / "a.parquet"
    )
    refused(tmp_path / "a.parquet", "are not a JSON object")


def keyed_vectors(keys, **changes):
    vectors = gensim.models.KeyedVectors(2)
    vectors.add_vectors(keys, np.ones((len(keys), 2), dtype=np.float32))
    vectors.expandos.update(changes)
    return vectors


def test_keyed_vectors():
    refused(keyed_vectors(["a#0", ("b", 1)]), "row 2: the key is of the type tuple")
    refused(keyed_vectors([b"a#0"]), "the key is of the type bytes, expected a string")
    refused(keyed_vectors([]), "no words")
    for counts in ([np.nan, 1], [0.5, 1], ["x", "y"], [1]):
        refused(keyed_vectors(["a#0", "a#1"], count=np.array(counts)), "not whole numbers")
    refused(keyed_vectors(["a#0", "a#1"], count=np.array([-1, 1])), "the count -1 is negative")
    shapes = keyed_vectors(["a#0", "a#1"])
    for vectors in (shapes.vectors[:1], shapes.vectors * 1j):
        shapes.vectors = vectors
        refused(shapes, "real numbers for each of 2 keys")


def test_sense_vectors_hold_real_numbers_and_whole_counts():
    with pytest.raises(InputError, match="complex"):
        SenseVectors(["a"], [[1j, 2]], [1])
    for counts in ([-1], [0.5], [np.nan], [np.inf]):
        with pytest.raises(InputError, match="counts"):
            SenseVectors(["a"], [[1, 2]], [1], counts=counts)


def test_a_text_that_may_be_cut_in_its_last_number(tmp_path):
    path = tmp_path / "cut.vec"
    path.write_text("2 2\na#0 1.25 2.75\na#1 1.5 3.2")
    with pytest.warns(InputWarning, match="it may be cut short"):
        load(path)
    path.write_text(path.read_text() + "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load(path)


@pytest.mark.parametrize("name", ["cut.csv", "cut.csv.gz"])
def test_a_table_that_may_be_cut_in_its_last_number(name, tmp_path):
    path = tmp_path / name
    pack = gzip.compress if name.endswith("gz") else bytes
    path.write_bytes(pack(b"word,v0,v1\nbank,1.25,2.75\nbank,1.5,3.2"))
    with pytest.warns(InputWarning, match="the last line has no line end"):
        load(path)
    path.write_bytes(pack(b"word,v0,v1\nbank,1.25,2.75\nbank,1.5,3.2\r\n"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load(path)


def test_damaged_adagram_files(tmp_path):
    """Whatever is lost or added shifts what follows, which is checked to be what it should be."""
    path = tmp_path / "a.adagram"
    content = adagram_file(small_senses(dim=5))
    path.write_bytes(content)
    good = load(path)
    random = np.random.default_rng(0)
    n_changed = 0
    for at in random.integers(len(content), size=300):
        n_lost = int(random.integers(1, 10))
        path.write_bytes(content[:at] + content[at + n_lost :])
        try:
            n_changed += not np.array_equal(load(path).vectors, good.vectors)
        except InputError:
            continue
    assert n_changed == 0  # only words may lack a letter
    path.write_bytes(content + b"bank\n")
    refused(path, "no end of the file")


NAMES = ["größe.parquet", os.fsdecode(b"\xff.parquet"), "größe.vec", os.fsdecode(b"\xff.csv")]


@pytest.mark.skipif(os.name != "posix", reason="file names of bytes")
@pytest.mark.parametrize("language", ["C", "C.UTF-8"])
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_names_of_files_in_any_encoding(name, language, tmp_path):
    """Also where Python takes all names for ASCII."""
    senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2])
    path = tmp_path / name
    if name.endswith("csv"):
        path.write_text("word,v0,v1\nbank,1,0\nbank,0,1\n")
    else:
        save(senses, path)
    code = (
        "import sys; from exrpca import load, save; senses = load(sys.argv[1]);"
        "name = sys.argv[1] + '.copy.parquet'; save(senses, name); assert load(name) == senses"
    )
    ascii_only = {"LC_ALL": language, "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    subprocess.run(
        [sys.executable, "-c", code, os.fsencode(path)], env=os.environ | ascii_only, check=True
    )
    assert load(os.fsdecode(os.fsencode(path) + b".copy.parquet")) == senses


def test_keys_that_break_their_pattern_are_remarked_on(tmp_path):
    path = tmp_path / "gap.vec"
    path.write_text("5 1\na#0 1\na#1 1\nb#0 1\nb#2 1\nplain 1\n")
    with pytest.warns(InputWarning, match="look like word#0, but have gaps"):
        assert len(load(path)) == 5
    assert len(load(path, key_pattern="word#0")) == 3


def test_a_binary_file_with_lost_bytes(tmp_path):
    senses = make_senses(n_words=30, dim=5, n_components=1, seed=0).senses
    save(senses, tmp_path / "whole.bin")
    whole = (tmp_path / "whole.bin").read_bytes()
    random = np.random.default_rng(0)
    for vector in senses.vectors[:-1]:
        at = whole.index(vector.tobytes()) + int(random.integers(0, 10))
        n_lost = int(random.integers(1, 10))
        (tmp_path / "cut.bin").write_bytes(whole[:at] + whole[at + n_lost :])
        with pytest.raises(InputError):
            load(tmp_path / "cut.bin", reader="word2vec-binary")


def test_a_missing_file_of_three(tmp_path):
    senses = make_senses(n_words=30, dim=5, n_components=1, seed=0).senses
    whole = senses.replace(centers=senses.vectors, globals=senses.collapse().vectors)
    save(whole, tmp_path / "x_local.vec")
    (tmp_path / "x_global.vec").unlink()
    for name in ("x", "x_local.vec", "x_context.vec"):
        with pytest.raises(InputError, match=r"x_global\.vec: no such file, although others"):
            load(tmp_path / name)
    assert len(load(tmp_path / "x_local.vec", reader="word2vec")) == 30

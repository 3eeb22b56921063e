"""Occurrences from any table, and back from a file exactly as they were."""

import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca import InputError, SenseVectors, load, save
from exrpca.contextual import Occurrences

TEXTS = pa.table(
    {
        "form": ["bank", "Banks", "cell"],
        "left": ["the ", "", "a "],
        "target": ["bank", "Banks", "cell"],
        "right": [" closed", " of rivers\nand 詞", ""],
        "source": ["a.txt:1", "a.txt:2", "b.txt:1"],
    }
)


@pytest.fixture
def occurrences():
    vectors = np.array([[1, 0.1], [0, 2], [3, -1]], dtype=np.float16)
    return Occurrences(
        ("bank", "cell"), np.array([0, 0, 1]), vectors, TEXTS, np.array([0, -1, 2]), {"window": 20}
    )


def same(one, other):
    assert one.words == other.words
    assert one.metadata == other.metadata
    assert one.vectors.dtype == other.vectors.dtype
    for name in ("word_of", "vectors", "labels"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert one.texts == other.texts


def test_a_file_gives_back_exactly_what_was_saved(occurrences, tmp_path):
    occurrences.save(tmp_path / "o.parquet")
    same(Occurrences.load(tmp_path / "o.parquet"), occurrences)
    same(Occurrences.from_table(tmp_path / "o.parquet"), occurrences)
    same(pickle.loads(pickle.dumps(occurrences)), occurrences)
    assert [path.name for path in tmp_path.iterdir()] == ["o.parquet"]


@given(
    words=st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=3), min_size=1),
    dim=st.integers(1, 3),
    half=st.booleans(),
    data=st.data(),
)
def test_any_occurrences_survive_a_file(words, dim, half, data, tmp_path_factory):
    numbers = st.floats(-65504, 65504, width=16)
    size = len(words) * dim
    values = data.draw(st.lists(numbers, min_size=size, max_size=size))
    vectors = np.array(values, dtype=np.float16 if half else np.float32).reshape(-1, dim)
    path = tmp_path_factory.mktemp("occurrences") / "o.parquet"
    occurrences = Occurrences.from_arrays(words, vectors)
    occurrences.save(path)
    same(Occurrences.load(path), occurrences)
    rows = {word: rows.tolist() for word, rows in occurrences.by_word()}
    assert rows == {word: [i for i, w in enumerate(words) if w == word] for word in words}


def test_many_rows_are_written_in_groups(tmp_path):
    vectors = np.arange(20_000, dtype=np.float32).reshape(10_000, 2)
    words = [f"word{i % 7}" for i in range(10_000)]
    Occurrences.from_arrays(words, vectors).save(tmp_path / "o.parquet")
    loaded = Occurrences.load(tmp_path / "o.parquet")
    np.testing.assert_array_equal(loaded.vectors, vectors)
    assert [loaded.words[i] for i in loaded.word_of] == words


@pytest.mark.parametrize("suffix", ["csv", "parquet", "npz", "npy", "frame", "numbered"])
def test_tables_from_elsewhere(suffix, tmp_path):
    frame = pd.DataFrame(
        {
            "word": ["bank", "cell", "bank"],
            "vector": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
            "left": ["a ", "", "c, "],
            "label": [0, -1, 1],
        }
    )
    path = tmp_path / f"table.{suffix}"
    columns = {"word": frame.word.to_numpy(str), "vector": np.array(frame.vector.tolist())}
    columns |= {"left": frame.left.to_numpy(str), "label": frame.label.to_numpy()}
    match suffix:
        case "csv":
            frame.to_csv(path, index=False)
        case "parquet":
            frame.to_parquet(path)
        case "npz":
            np.savez(path, **columns)
        case "npy":
            kinds = [("word", "U4"), ("vector", "f4", 2), ("left", "U4"), ("label", "i8")]
            rows = zip(*columns.values(), strict=True)
            np.save(path, np.array([(w, v, t, n) for w, v, t, n in rows], dtype=kinds))
        case "frame":
            path = frame
        case "numbered":
            vectors = pd.DataFrame(frame.vector.tolist(), columns=["v0", "v1"])
            path = pd.concat([frame.drop(columns="vector"), vectors], axis=1)
    found = Occurrences.from_table(path)
    assert found.words == ("bank", "cell")
    assert found.word_of.tolist() == [0, 1, 0]
    assert found.vectors.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert found.labels.tolist() == [0, -1, 1]
    assert found.texts.column("left").to_pylist() == ["a ", "", "c, "]


def test_a_matrix_is_the_word_it_is_named_after(tmp_path):
    np.save(tmp_path / "bank.npy", np.eye(3))
    found = Occurrences.load(tmp_path / "bank.npy")
    assert (found.words, len(found), found.labels) == (("bank",), 3, None)


def test_a_missing_label_is_none():
    frame = pd.DataFrame({"word": ["a", "a"], "vector": [[1.0], [2.0]], "label": [3, None]})
    assert Occurrences.from_table(frame).labels.tolist() == [3, -1]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"word": ["a"]}, "no column vector among word"),
        ({"vector": [[1.0]]}, "no column word among vector"),
        ({"word": ["a", "b"], "vector": [[1.0], [1.0, 2.0]]}, "row 2: 2 values, expected 1"),
        ({"word": ["a", None], "vector": [[1.0], [1.0]]}, "row 2: no word"),
        ({"word": ["a", "b"], "vector": [[1.0], None]}, "row 2: no vector"),
        ({"word": ["a", "b"], "vector": [[1.0], [float("nan")]]}, "row 2 of the vectors has"),
        ({"word": ["a"], "vector": [["x"]]}, "expected numbers"),
        ({"word": ["a"], "vector": [[1.0]], "label": ["x"]}, "column label"),
        ({"word": ["a"], "vector": [[1.0]], "label": [0.5]}, "column label"),
        ({"word": [], "vector": []}, "no rows"),
    ],
)
def test_a_bad_table_is_one_clear_line(columns, message):
    with pytest.raises(InputError, match=message) as raised:
        Occurrences.from_table(pd.DataFrame(columns))
    assert "\n" not in str(raised.value)


def test_a_damaged_file_says_so(occurrences, tmp_path):
    path = tmp_path / "o.parquet"
    occurrences.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(InputError, match=r"o\.parquet: is damaged"):
        Occurrences.load(path)
    for name in ("bad.npz", "bad.npy"):
        (tmp_path / name).write_bytes(b"PK\x03\x04 no" if "npz" in name else b"\x93NUMPY no")
        with pytest.raises(InputError, match="cannot be read"):
            Occurrences.load(tmp_path / name)
    with pytest.raises(InputError, match="no such file"):
        Occurrences.load(tmp_path / "none.parquet")


@pytest.mark.parametrize("name", ["o.csv", "o.npz", "o", "o.parquet.gz"])
def test_another_name_than_parquet_is_refused(name, occurrences, tmp_path):
    with pytest.raises(InputError, match=r"written as Parquet: use a name such as o.*\.parquet"):
        occurrences.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_senses_are_no_occurrences(tmp_path):
    senses = SenseVectors(["bank"], np.eye(2), [2])
    save(senses, tmp_path / "senses.parquet")
    with pytest.raises(InputError, match="vectors of senses, not of occurrences"):
        Occurrences.load(tmp_path / "senses.parquet")
    Occurrences.from_arrays(["bank"], np.eye(1)).save(tmp_path / "o.parquet")
    with pytest.raises(InputError, match="exrpca induce finds their senses"):
        load(tmp_path / "o.parquet")


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="labels has 1 rows, vectors has 2"):
        Occurrences.from_arrays(["a", "b"], np.eye(2), labels=[0])
    with pytest.raises(InputError, match="rows of different lengths"):
        Occurrences.from_arrays(["a", "b"], [[1.0, 2.0], [1.0]])
    with pytest.raises(InputError, match="row 2 has no word"):
        Occurrences.from_arrays(["a", None], np.eye(2))
    with pytest.raises(InputError, match="outside 0 to 0"):
        Occurrences(("a",), np.array([1]), np.ones((1, 2)))
    with pytest.raises(InputError, match="texts has a column 'sense', which says something else"):
        Occurrences(("a",), np.array([0]), np.ones((1, 2)), pa.table({"sense": ["x"]}))


def test_what_is_known_about_occurrences_is_kept(tmp_path):
    frame = pd.DataFrame({"word": ["a", "b"], "year": [1811, 1961], "v0": [1.0, 2.0]})
    frame["author"], frame["left"], frame["tags"] = ["Austen", None], "the ", [["x"], ["y"]]
    found = Occurrences.from_table(frame)
    assert found.texts.column_names == ["left", "year", "author"]
    for ending in ("parquet", "csv"):
        path = tmp_path / f"o.{ending}"
        found.save(path) if ending == "parquet" else frame.to_csv(path, index=False)
        again = Occurrences.load(path).texts
        assert again.column("year").to_pylist() == ["1811", "1961"]
        assert again.column("author").to_pylist() == ["Austen", ""]


def test_nobody_can_change_them(occurrences):
    with pytest.raises(ValueError, match="read-only"):
        occurrences.vectors[0] = 0
    with pytest.raises(AttributeError):
        occurrences.words = ()


def test_examples_are_sentences_in_three_parts(occurrences):
    assert occurrences.examples(np.array([1])) == (("", "Banks", " of rivers\nand 詞"),)
    assert Occurrences.from_arrays(["a"], np.eye(1)).examples(np.array([0])) == ()

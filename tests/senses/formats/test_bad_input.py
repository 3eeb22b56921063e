"""Bad files: one line with the file, the line, what was found and what was expected."""

import gzip
import pickle

import numpy as np
import pytest

from exrpca.errors import InputError
from exrpca.senses import SenseVectors, load, save

GOOD = {
    "mssg": b"2 2 2 0\nbank 2 7 1\n1 1\n1 0 \n2 0\n0 1\n0 2\nriver 1 4\n2 2\n3 3\n4 4\n",
    "word2vec": b"3 2\nbank#0 1 0\nbank#1 0 1 \nriver#0 3 3\n",
}

BAD_LINES = [
    # format, what is replaced, by what, line, message
    ("mssg", b"0 1\n", b"0\n", 6, "1 values, expected 2"),
    ("mssg", b"0 1\n", b"0 1 5\n", 6, "3 values, expected 2"),
    ("mssg", b"0 1\n", b"0 nan\n", 6, "found 'nan', expected a finite number"),
    ("mssg", b"0 1\n", b"-Inf 1\n", 6, "found '-Inf', expected a finite number"),
    ("mssg", b"0 1\n", b"0 1e39\n", 6, "found '1e39', expected a finite number"),
    ("mssg", b"0 1\n", b"0 340282356779733661637539395458142568448\n", 6, "expected a finite"),
    ("mssg", b"0 1\n", b"0 one\n", 6, "found 'one', expected a number"),
    ("mssg", b"0 1\n", b"\n", 6, "0 values, expected 2"),
    ("mssg", b"river 1 4", b"river 0", 8, "the word 'river' has 0 senses, expected at least one"),
    ("mssg", b"river 1 4", b"bank 1 4", 8, "the word 'bank' appears twice"),
    ("mssg", b"river 1 4", b"river 1", 8, "found 'river 1', expected counts as for other words"),
    ("mssg", b"river 1 4", b"river 1 4 5", 8, "expected a word, its number of senses and"),
    ("mssg", b"river 1 4", b"river 1 4.5", 8, "expected a word, its number of senses and"),
    ("mssg", b"river 1 4", b"river 1 nan", 8, "expected a word, its number of senses and"),
    ("mssg", b"bank 2 7 1", b"bank 1 7", 6, "found '0 1', expected counts as"),
    ("mssg", b"river 1 4", b"", 8, "found '', expected a word"),
    ("mssg", b"2 2 2 0", b"3 2 2 0", 11, "the file ends after 2 of 3 words"),
    ("mssg", b"2 2 2 0", b"1 2 2 0", 8, "more than the 1 words of the header"),
    ("mssg", b"2 2 2 0", b"2 2 2 7", 1, "found '2 2 2 7', expected the header"),
    ("mssg", b"2 2 2 0", b"2 0 2 0", 1, "expected the header"),
    ("mssg", b"4 4\n", b"", 11, "the file ends, expected 2 values"),
    ("word2vec", b"0 1 \n", b"0\n", 3, "1 values, expected 2"),
    ("word2vec", b"0 1 \n", b"0 1 2\n", 3, "3 values, expected 2"),
    ("word2vec", b"0 1 \n", b"0 NaN\n", 3, "found 'NaN', expected a finite number"),
    ("word2vec", b"0 1 \n", b"0 x\n", 3, "found 'x', expected a number"),
    ("word2vec", b"bank#1 ", b" ", 3, "the line begins with a space, expected a word"),
    ("word2vec", b"bank#1", b"bank#0", 3, "sense 0 of the word 'bank' appears twice"),
    ("word2vec", b"bank#1", b"b\xe4nk#1", 3, "is not in utf-8: give the encoding"),
    ("word2vec", b"bank#1 0 1 ", b"", 3, "expected a word"),
    ("word2vec", b"3 2", b"4 2", 4, "the file ends after 3 of 4 vectors"),
    ("word2vec", b"3 2", b"2 2", 4, "more than the 2 vectors of the header"),
    ("word2vec", b"3 2", b"3 0", 1, "expected the number of vectors and of dimensions"),
]  # fmt: skip


@pytest.mark.parametrize(("reader", "good", "bad", "line", "message"), BAD_LINES)
def test_a_bad_line_is_named(reader, good, bad, line, message, tmp_path):
    assert GOOD[reader].count(good) == 1
    text = GOOD[reader].replace(good, bad)
    path = tmp_path / "vectors"
    path.write_bytes(text)
    with pytest.raises(InputError) as caught:
        load(path, reader=reader)
    assert str(caught.value).startswith(f"{path}, line {line}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("reader", GOOD)
def test_the_good_files_are_good(reader, tmp_path):
    (tmp_path / "vectors").write_bytes(GOOD[reader])
    senses = load(tmp_path / "vectors")
    assert senses.metadata["format"] == reader
    assert senses["bank"].tolist() == [[1, 0], [0, 1]]
    assert senses["river"].tolist() == [[3, 3]]


@pytest.mark.parametrize("reader", GOOD)
def test_blank_lines_at_the_end_and_no_line_end_are_fine(reader, tmp_path):
    (tmp_path / "a").write_bytes(GOOD[reader].rstrip())
    (tmp_path / "b").write_bytes(GOOD[reader] + b"\n \r\n\n")
    (tmp_path / "c").write_bytes(GOOD[reader].replace(b"\n", b"\r\n").replace(b" ", b"\t"))
    assert load(tmp_path / "a") == load(tmp_path / "b") == load(tmp_path / "c")


def test_blank_lines_do_not_stand_for_missing_vectors(tmp_path):
    (tmp_path / "a.vec").write_bytes(GOOD["word2vec"].replace(b"3 2", b"5 2") + b"\n\n")
    with pytest.raises(InputError, match="ends after 3 of 5 vectors"):
        load(tmp_path / "a.vec")


@pytest.mark.parametrize("content", [b"", gzip.compress(b"", mtime=0)])
@pytest.mark.parametrize(
    "reader", [None, "mssg", "word2vec", "word2vec-binary", "table", "parquet"]
)
def test_an_empty_file(content, reader, tmp_path):
    path = tmp_path / "vectors"
    path.write_bytes(content)
    with pytest.raises(InputError, match="the file is empty"):
        load(path, reader=reader)


@pytest.mark.parametrize("name", ["a.mssg.gz", "a.vec.gz", "a.bin.gz", "a.csv.gz"])
@pytest.mark.parametrize("kept", [0.5, 0.999])
def test_a_gzip_that_is_cut_short(name, kept, many, tmp_path):
    path = tmp_path / name
    if "csv" in name:
        rows = "".join(f"w{i},0,{i} 1\n" for i in range(10_000))
        path.write_bytes(gzip.compress(("word,sense,vector\n" + rows).encode()))
    else:
        save(many, path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    with pytest.raises(InputError, match="truncated or damaged") as caught:
        load(path)
    assert str(path) in str(caught.value)


def test_a_gzip_with_a_wrong_checksum(many, tmp_path):
    path = tmp_path / "a.mssg.gz"
    save(many, path)
    damaged = bytearray(path.read_bytes())
    damaged[-8] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(InputError, match=r"truncated or damaged \(CRC"):
        load(path)


@pytest.mark.parametrize("kept", [10, 0.5, 0.999])
def test_parquet_that_is_cut_short(kept, many, tmp_path):
    path = tmp_path / "a.parquet"
    save(many, path)
    whole = path.read_bytes()
    path.write_bytes(whole[: kept if kept > 1 else int(len(whole) * kept)])
    with pytest.raises(InputError, match="damaged or not a complete Parquet file") as caught:
        load(path)
    assert "\n" not in str(caught.value)


def test_binary_that_is_cut_short_or_goes_on(senses, tmp_path):
    path = tmp_path / "a.bin"
    save(senses, path)
    whole = path.read_bytes()
    for n_bytes in range(5, len(whole) - 1):
        path.write_bytes(whole[:n_bytes])
        with pytest.raises(InputError, match=r"the file ends within vector \d of 4"):
            load(path, reader="word2vec-binary")
    path.write_bytes(whole + b"river ")
    with pytest.raises(InputError, match="more than the 4 vectors of the header"):
        load(path)


def test_binary_without_words(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"9 2\n" + b"\x01" * 6_000_000)
    with pytest.raises(InputError, match="no end of vector 1 of 9 within 1 MB"):
        load(tmp_path / "a.bin", reader="word2vec-binary")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_are_refused_in_binary_and_never_written(value, senses, tmp_path):
    path = tmp_path / "a.bin"
    save(senses, path)
    content = path.read_bytes()
    path.write_bytes(content.replace(np.float32(7).tobytes(), np.float32(value).tobytes()))
    with pytest.raises(InputError, match=rf"a.bin: row 4: found {value}, expected finite"):
        load(path)
    bad = senses.replace(centers=np.full_like(senses.vectors, value))
    with pytest.raises(InputError, match="expected finite numbers"):
        save(bad, tmp_path / "b.parquet")
    assert not (tmp_path / "b.parquet").exists()


def test_a_pickle_is_never_opened(tmp_path):
    class Harmful:
        def __reduce__(self):
            return (open, (str(tmp_path / "opened"), "w"))

    path = tmp_path / "vectors.kv"
    path.write_bytes(pickle.dumps(Harmful()))
    with pytest.raises(InputError, match=r"a pickle .* call save_word2vec_format"):
        load(path)
    for reader in ("mssg", "word2vec", "word2vec-binary", "table", "parquet"):
        with pytest.raises(InputError):
            load(path, reader=reader)
    assert not (tmp_path / "opened").exists()


@pytest.mark.parametrize("content", [b"hello\n", b"\x00" * 100, b"a b c d\n1 2 3 4\n", b"\n\n"])
def test_content_of_no_known_format(content, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not in a known format"):
        load(path)


@pytest.mark.parametrize("name", ["a.mssg", "a.vec", "a.bin", "a_local.vec"])
@pytest.mark.parametrize("word", ["two words", "tab\tbed", "line\nend", "a\r", "", "\ud800"])
def test_words_that_text_cannot_hold_are_refused_and_nothing_is_written(name, word, tmp_path):
    senses = SenseVectors(
        ["good", word], [[1], [2]], [1, 1], centers=[[1], [1]], globals=[[1], [1]]
    )
    with pytest.raises(InputError, match=r"empty|whitespace|UTF-8"):
        save(senses, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_lone_surrogate_is_refused_by_parquet(tmp_path):
    with pytest.raises(InputError, match="cannot be written in UTF-8"):
        save(SenseVectors(["\ud800"], [[1]], [1]), tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(senses, tmp_path):
    path = tmp_path / "a.vec"
    save(senses, path)
    old = path.read_bytes()
    with pytest.raises(InputError):
        save(SenseVectors(["a b"], [[1]], [1]), path)
    assert path.read_bytes() == old


def test_unknown_names_of_formats_encodings_and_objects(senses, tmp_path):
    with pytest.raises(InputError, match=r"reader='w2v' must be one of three-files, parquet, npz"):
        load(tmp_path / "a", reader="w2v")
    with pytest.raises(InputError, match=r"writer='table' must be one of three-files, parquet"):
        save(senses, tmp_path / "a", writer="table")
    with pytest.raises(InputError, match="encoding='latin-99' is unknown"):
        load(tmp_path / "a", encoding="latin-99")
    with pytest.raises(InputError, match=r"cannot tell the format from the name .*a\.txt"):
        save(senses, tmp_path / "a.txt")
    with pytest.raises(InputError, match="cannot load a dict, expected a path"):
        load({})
    with pytest.raises(InputError, match="no such file"):
        load(tmp_path / "absent.vec")


def test_a_folder_is_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in (tmp_path, "."):
        with pytest.raises(InputError, match="is a folder, expected a file"):
            load(folder)


def test_a_header_with_huge_numbers_takes_no_memory(tmp_path):
    for content in (b"999999999999 300\na 1\n", b"9 2 3 0\na 999999999999\n1 1\n1 1\n"):
        (tmp_path / "a").write_bytes(content)
        with pytest.raises(InputError, match="line"):
            load(tmp_path / "a")

import bz2
import gzip
import lzma

import numpy as np
import pyarrow as pa
import pytest

from exrpca.errors import InputError
from exrpca.senses import SenseVectors, load, save

TWO_FIELDS = (
    "2 3\nbank 2\n1 1 1 \n1 0 0 \n4 5 6 \n0 1 0 \n7 8 9 \nriver 1\n2 2 2 \n3 3 3 \n1 2 3 \n"
)


def write(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def test_header_of_two_fields_has_centers(tmp_path):
    senses = load(write(tmp_path / "a", TWO_FIELDS))
    assert senses.words == ("bank", "river")
    assert senses["bank"].tolist() == [[1, 0, 0], [0, 1, 0]]
    assert senses.centers.tolist() == [[4, 5, 6], [7, 8, 9], [1, 2, 3]]
    assert senses.globals.tolist() == [[1, 1, 1], [2, 2, 2]]
    assert senses.counts is None


def test_header_of_four_fields_and_counts(tmp_path):
    text = TWO_FIELDS.replace("2 3\n", "2 3 2 0\n", 1).replace("bank 2", "bank 2 17 4.0 ")
    senses = load(write(tmp_path / "a", text.replace("river 1", "river 1 9")))
    assert senses.counts.tolist() == [17, 4, 9]
    assert senses.centers is not None


def test_maxout_has_no_centers(tmp_path):
    text = "2 2 2 1\nbank 2\n1 1\n1 0\n0 1\nriver 1\n2 2\n3 3\n"
    senses = load(write(tmp_path / "a", text))
    assert senses.centers is None
    assert senses.vectors.tolist() == [[1, 0], [0, 1], [3, 3]]


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, lzma.compress, pa.Codec("zstd").compress]
)
def test_packed_files_are_known_by_content(pack, tmp_path):
    plain = write(tmp_path / "plain", TWO_FIELDS)
    (tmp_path / "packed.txt").write_bytes(pack(plain.read_bytes()))
    assert load(tmp_path / "packed.txt") == load(plain)


def test_words_not_in_utf8_are_read_as_iso_8859_15(tmp_path):
    text = TWO_FIELDS.replace("bank", "5€").replace("river", "café")
    for encoding in ("utf-8", "iso-8859-15"):
        senses = load(write(tmp_path / "a", text, encoding))
        assert senses.words == ("5€", "café")
        assert senses.metadata["encoding"] == encoding


def test_an_encoding_that_is_asked_for_is_kept_to(tmp_path):
    path = write(tmp_path / "a", TWO_FIELDS.replace("river", "café"), "iso-8859-15")
    with pytest.raises(InputError, match=r"a, line 8: the word b'caf\\xe9' is not in utf-8"):
        load(path, encoding="utf-8")
    assert load(path, encoding="cp1250").words == ("bank", "café")


def test_bytes_that_are_spaces_in_other_encodings_belong_to_words(tmp_path):
    words = ["a\u00a0b", "c\u0085d"]
    text = TWO_FIELDS.replace("bank", words[0]).replace("river", words[1])
    for encoding in ("utf-8", "iso-8859-1"):
        senses = load(write(tmp_path / "a", text, encoding), encoding=encoding)
        assert list(senses.words) == words


@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("n_senses", [[1], [2, 1], [1, 1, 1]])
@pytest.mark.parametrize("with_counts", [False, True])
def test_two_fields_are_told_from_word2vec(dim, n_senses, with_counts, tmp_path):
    total = sum(n_senses)
    senses = SenseVectors(
        [f"w{i}" for i in range(len(n_senses))],
        np.ones((total, dim)),
        n_senses,
        centers=np.ones((total, dim)),
        globals=np.ones((len(n_senses), dim)),
        counts=np.ones(total) if with_counts else None,
    )
    save(senses, tmp_path / "a.mssg")
    header, _, rest = (tmp_path / "a.mssg").read_text().partition("\n")
    two_fields = write(tmp_path / "two", " ".join(header.split()[:2]) + "\n" + rest)
    assert load(two_fields) == senses
    save(senses, tmp_path / "a.vec")
    assert load(tmp_path / "a.vec").metadata["format"] == "word2vec"


def test_no_global_vectors_are_written_as_zeros_and_read_as_none(senses, tmp_path):
    save(senses.replace(globals=None), tmp_path / "a.mssg")
    assert "\n0 0\n" in (tmp_path / "a.mssg").read_text()
    assert load(tmp_path / "a.mssg") == senses.replace(globals=None)


def test_more_senses_than_are_parsed_together(tmp_path):
    rng = np.random.default_rng(0)
    many = SenseVectors(
        ["a", "b"], rng.normal(size=(201, 4)), [200, 1], centers=rng.normal(size=(201, 4))
    )
    save(many, tmp_path / "a.mssg")
    assert load(tmp_path / "a.mssg") == many


def test_the_same_vectors_give_the_same_file(senses, tmp_path):
    for name in ("a.mssg.gz", "b.mssg.gz"):
        save(senses, tmp_path / name)
    assert (tmp_path / "a.mssg.gz").read_bytes() == (tmp_path / "b.mssg.gz").read_bytes()

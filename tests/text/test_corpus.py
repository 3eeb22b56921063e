import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca.errors import InputError
from exrpca.text import corpus as corpus_module
from exrpca.text.corpus import Corpus
from tests.compression import COMPRESSORS

TEXT = b"the cat sat\n\non the  mat\nno line end"
LINES = [["the", "cat", "sat"], [], ["on", "the", "mat"], ["no", "line", "end"]]


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_plain_and_compressed_files_read_the_same(tmp_path, kind):
    path = tmp_path / f"text.{kind}"
    path.write_bytes(COMPRESSORS[kind](TEXT))
    corpus = Corpus(path)
    assert list(corpus) == LINES
    assert corpus.position() == corpus.size == path.stat().st_size


def test_files_follow_each_other_and_lower_casing_is_asked_for(tmp_path):
    for name in "ab":
        (tmp_path / name).write_text(f"Word {name.upper()}\n")
    paths = [str(tmp_path / "a"), tmp_path / "b"]
    assert list(Corpus(paths)) == [["Word", "A"], ["Word", "B"]]
    assert list(Corpus(paths, lowercase=True)) == [["word", "a"], ["word", "b"]]
    assert list(Corpus([["Word", "A"]], lowercase=True)) == [["word", "a"]]


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"absent\.txt: no such file"):
        list(Corpus(tmp_path / "absent.txt"))


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zst"])
def test_a_truncated_archive_is_named(tmp_path, kind):
    path = tmp_path / f"cut.{kind}"
    whole = COMPRESSORS[kind](bytes(f"{list(range(9999))}\n", "ascii") * 20)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=rf"cut\.{kind}, line \d+: cut short or damaged"):
        list(Corpus(path))


def test_undecodable_bytes_are_named_with_their_line(tmp_path):
    path = tmp_path / "latin.txt"
    path.write_bytes("one\ntwo\nna\xefve\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.txt, line 3: byte 0xef is not UTF-8"):
        list(Corpus(path))


@given(text=st.text(alphabet="ab\u00e9 \n", max_size=60), longest=st.integers(1, 12))
def test_long_lines_in_pieces_lose_and_split_no_token(text, longest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus_module, "_LONGEST_PIECE", longest)
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        pieces = list(Corpus("-").pieces())
    assert [token for piece in pieces for token in piece] == text.split()


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_lines_are_whole_however_long(tmp_path, kind):
    lines = [["word"] * 300_000, ["short"], ["end"] * 300_000]
    path = tmp_path / f"text.{kind}"
    path.write_bytes(COMPRESSORS[kind]("\n".join(map(" ".join, lines)).encode()))
    assert list(Corpus(path)) == lines
    assert len(list(Corpus(path).pieces())) > 3


def test_sources_are_known_for_files_alone(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(TEXT)
    assert Corpus(path).sources == Corpus([str(path)]).sources == ["text.txt of 36 bytes"]
    for unknown in ("-", [path, "-"], [["a", "list"]], iter([path]), os.devnull):
        assert Corpus(unknown).sources is None
    with pytest.raises(InputError, match=r"absent\.txt: no such file"):
        _ = Corpus([path, tmp_path / "absent.txt"]).sources


def test_lines_are_the_text_as_it_is(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes("The  plant, closed.\r\n\n na\u00efve end".encode())
    assert list(Corpus(path).lines()) == ["The  plant, closed.", "", " na\u00efve end"]


def test_words_can_be_found_among_punctuation(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("The plant, closed.\n")
    assert list(Corpus(path, tokenizer="words", lowercase=True)) == [["the", "plant", "closed"]]
    with pytest.raises(InputError, match="tokenizer='spaces' must be one of words, whitespace"):
        Corpus(path, tokenizer="spaces")

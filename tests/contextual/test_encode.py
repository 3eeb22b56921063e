"""From text to occurrences: which rows, the same after an interruption, nothing half-written."""

import os
import signal

import numpy as np
import pytest

import exrpca
from exrpca import InputError, encode
from exrpca.contextual import Encoder, Occurrences, encoding_folder

LINES = [
    "The bank, by the River; a BANK!",
    "",
    "(money) Banks and a cell.",
    "the river bank",
]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(encoding_folder, "PART_ROWS", 4)


def rows(occurrences):
    texts = occurrences.texts.to_pylist()
    words = [occurrences.words[word] for word in occurrences.word_of]
    return [(word, *text.values()) for word, text in zip(words, texts, strict=True)]


def test_every_occurrence_is_a_row_with_its_sentence(corpus, tiny):
    found = encode(corpus, words=["cell", "bank", "none"], encoder=tiny, forms={"banks": "bank"})
    assert rows(found) == [
        ("cell", "cell", "(money) Banks and a ", "cell", ".", "text.txt:3"),
        ("bank", "bank", "The ", "bank", ", by the River; a BANK!", "text.txt:1"),
        ("bank", "bank", "The bank, by the River; a ", "BANK", "!", "text.txt:1"),
        ("bank", "banks", "(money) ", "Banks", " and a cell.", "text.txt:3"),
        ("bank", "bank", "the river ", "bank", "", "text.txt:4"),
    ]
    assert found.metadata["missing_words"] == ["none"]
    assert found.vectors.dtype == np.float16
    sentences = [row[2:5] for row in rows(found)]
    np.testing.assert_array_equal(found.vectors, Encoder(tiny).encode(sentences))


def test_the_window_bounds_the_sentence(corpus, tiny):
    found = encode(corpus, words=["river"], encoder=tiny, window=2)
    assert [row[2:5] for row in rows(found)] == [
        ("by the ", "River", "; a BANK!"),
        ("the ", "river", " bank"),
    ]


def test_lists_of_tokens_are_lines_too(tiny):
    text = [["The", "bank", "."], ["a", "river", "bank"]]
    found = encode(text, words=["bank"], encoder=tiny)
    assert rows(found) == [
        ("bank", "bank", "The ", "bank", " .", "1"),
        ("bank", "bank", "a river ", "bank", "", "2"),
    ]


def test_at_most_so_many_per_word(tiny):
    text = [["bank", str(number), "cell"] for number in range(100)] + [["river"]]
    found = encode(text, words=["bank", "river", "cell"], encoder=tiny, per_word=5)
    assert [len(own) for _, own in found.by_word()] == [5, 1, 5]
    everything = encode(text, words=["bank"], encoder=tiny, per_word=None)
    assert len(everything) == 100


def test_other_scripts(tmp_path, tiny):
    path = tmp_path / "text.txt"
    path.write_text("这 詞 好\nسلام، bank\nİSTANBUL İstanbul istanbul\nISPARTA ısparta\n")
    words = ["詞", "سلام", "İstanbul", "ısparta"]
    found = encode(path, words=words, encoder=tiny)
    assert found.words == tuple(words)
    assert np.isfinite(found.vectors).all()


def test_the_capital_of_a_turkish_word(tiny):
    text = [["İstanbul", "istanbul"], ["ISTANBUL"]]
    assert len(encode(text, words=["istanbul"], encoder=tiny)) == 3
    assert encode(text, words=1, encoder=tiny, language="none").words == ("istanbul",)


def test_a_corpus_of_one_long_line(tmp_path, tiny):
    path = tmp_path / "text.txt"
    path.write_text("the river bank " * 200_000)
    found = encode(path, words=["bank"], encoder=tiny, per_word=10)
    assert len(found) == 10
    assert max(len(text) for text in found.texts.column("left").to_pylist()) < 200


def test_a_word_that_never_occurs(corpus, tiny, tmp_path):
    with pytest.raises(InputError, match="none of the words occurs in the text: nobody, nothing"):
        encode(corpus, words=["nobody", "nothing"], encoder=tiny, output=tmp_path / "o.parquet")
    assert list(tmp_path.iterdir()) == [corpus]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"per_word": 0}, "per_word=0 must be at least 1"),
        ({"window": 0}, "window=0 must be at least 1"),
        ({"tokenizer": "bpe"}, "tokenizer='bpe' must be one of"),
        ({"resume": True}, "resume=True needs an output"),
        ({"words": ["\ufffd"], "tokenizer": "whitespace"}, "leaves nothing of"),
        ({"output": "nowhere/o.parquet"}, "the folder nowhere does not exist"),
        ({"encoder": "nowhere"}, "no such folder"),
    ],
)
def test_bad_options_are_one_clear_line(corpus, tiny, options, message):
    with pytest.raises(InputError, match=message):
        encode(corpus, **{"words": ["bank"], "encoder": tiny, **options})


def many(tmp_path):
    path = tmp_path / "many.txt"
    path.write_text("".join(f"the river bank {'money ' * (i % 7)}\n" for i in range(20)))
    return {"corpus": path, "words": ["bank", "river"]}


class Stopped:
    """Stop the process's work by a signal before a part of the encoding."""

    def __init__(self, monkeypatch, part):
        self._calls, self._part, self._encode = 0, part, Encoder.encode
        monkeypatch.setattr(Encoder, "encode", lambda encoder, rows: self(encoder, rows))

    def __call__(self, encoder, examples):
        self._calls += 1
        if self._calls == self._part:
            os.kill(os.getpid(), signal.SIGINT)
        return self._encode(encoder, examples)


def test_an_interrupted_encoding_continues(tiny, tmp_path, monkeypatch, small_parts):
    options = many(tmp_path) | {"encoder": tiny}
    output = tmp_path / "o.parquet"
    whole = encode(**options)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        Stopped(patch, part=4)
        encode(**options, output=output)
    assert not output.exists()
    folder = tmp_path / "o.parquet.encoding"
    assert len(list(folder.glob("part-*.npy"))) == 3
    with pytest.raises(InputError, match="holds an unfinished run"):
        encode(**options, output=output)
    with pytest.raises(InputError, match="started with window=20, not 3"):
        encode(**options, output=output, resume=True, window=3)
    with pytest.raises(InputError, match="started with words="):
        encode(**options | {"words": ["bank"]}, output=output, resume=True)
    before = {path: path.stat().st_mtime_ns for path in folder.glob("part-*.npy")}
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        Stopped(patch, part=3)
        encode(**options, output=output, resume=True)
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())
    options["corpus"].touch()
    resumed = encode(**options, output=output, resume=True)
    np.testing.assert_array_equal(resumed.vectors, whole.vectors)
    assert rows(resumed) == rows(whole)
    assert not folder.exists()


def test_an_encoding_is_not_resumed_with_another_text(tiny, tmp_path, monkeypatch, small_parts):
    options = many(tmp_path) | {"encoder": tiny, "output": tmp_path / "o.parquet"}
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        Stopped(patch, part=2)
        encode(**options)
    with options["corpus"].open("a") as file:
        file.write("another bank\n")
    with pytest.raises(InputError, match=r"started with many.txt of .*, not many.txt of"):
        encode(**options, resume=True)


def test_an_interruption_while_reading_leaves_nothing(tiny, tmp_path):
    def lines():
        yield ["bank"]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        encode(lines(), words=["bank"], encoder=tiny, output=tmp_path / "o.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_other_files_is_left_alone(corpus, tiny, tmp_path):
    folder = tmp_path / "o.parquet.encoding"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match=r"contains thesis\.txt, which no run wrote"):
        encode(corpus, words=["bank"], encoder=tiny, output=tmp_path / "o.parquet")
    assert (folder / "thesis.txt").exists()


def test_the_output_is_the_result(corpus, tiny, tmp_path):
    output = tmp_path / "o.parquet"
    found = encode(corpus, words=["bank"], encoder=tiny, output=output)
    loaded = Occurrences.load(output)
    np.testing.assert_array_equal(loaded.vectors, found.vectors)
    assert rows(loaded) == rows(found)
    assert sorted(tmp_path.iterdir()) == sorted([corpus, output])


def test_the_default_encoder_from_a_text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("I sat on the bank.\nThe Bank lends money.\n")
    found = exrpca.encode(path, words=["bank"])
    assert found.vectors.shape == (2, 384)


def test_a_folder_of_texts_and_tables(tiny, tmp_path):
    """What is known about a text stays with its occurrences; the output may be in the folder."""
    (tmp_path / "1811").mkdir()
    (tmp_path / "1811" / "emma.txt").write_text("The bank.\nTwo banks.\n")
    (tmp_path / "letters.csv").write_text("text,author\nAnother bank.,Austen\n")
    output = tmp_path / "o.parquet"
    for _ in range(2):
        found = encode(tmp_path, words=["bank"], encoder=tiny, output=output)
        texts = found.texts.to_pydict()
        assert texts["source"] == ["1811/emma.txt:1", "1811/emma.txt:2", "letters.csv:1"]
        assert texts["author"] == ["", "", "Austen"]
        assert found.metadata["found"] == {"bank": {"bank": 2, "banks": 1}}
        assert found.metadata["language"] == "en"


def test_an_encoding_in_the_folder_of_its_corpus_continues(
    tiny, tmp_path, monkeypatch, small_parts
):
    (tmp_path / "a.txt").write_text("the bank of the river\n" * 20)
    options = {"words": ["bank"], "encoder": tiny, "output": tmp_path / "o.parquet"}
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        Stopped(patch, part=2)
        encode(tmp_path, **options)
    assert len(encode(tmp_path, **options, resume=True)) == 20


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    [
        ("a.csv", b"body\nx\n", {}, "no column text among body"),
        ("a.bin", b"\0\1", {}, "a.bin: is not UTF-8 text"),
        ("a.txt", "銀行へ行った".encode(), {}, "has no spaces between words"),
        ("a.txt", b"a bank\n", {"language": "xx"}, "language='xx' is no language"),
    ],
)
def test_a_bad_corpus_is_named_before_the_work(tiny, tmp_path, name, content, options, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        encode(tmp_path, words=["bank"], encoder=tiny, output=tmp_path / "o.parquet", **options)
    assert [path.name for path in tmp_path.iterdir()] == [name]

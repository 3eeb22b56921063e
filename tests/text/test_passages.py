"""What a corpus is made of: lines, paragraphs that were wrapped, tables, folders."""

import gzip
import json
import textwrap

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca import InputError
from exrpca.text import Corpus
from exrpca.text.passages import joined, looks_wrapped

SENTENCES = [
    f"The {n} banks of a river, which nobody had seen, lay there. {'So ' * n}" for n in range(40)
]
PARAGRAPHS = [" ".join(SENTENCES[n : n + 5]).strip() for n in range(0, 40, 5)]


def passages(source, **options):
    return [tuple(passage) for passage in Corpus(source, **options).passages()]


@pytest.mark.parametrize("width", [50, 72, 120])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_wrapped_paragraphs_are_joined(tmp_path, width, line_end):
    path = tmp_path / "novel.txt"
    wrapped = ["\n".join(textwrap.wrap(paragraph, width)) for paragraph in PARAGRAPHS]
    text = "\n\n".join(wrapped) + "\n"
    path.write_bytes(text.replace("\n", line_end).encode())
    corpus = Corpus(path)
    found = list(corpus.passages())
    assert [" ".join(passage.text.split()) for passage in found] == [
        " ".join(paragraph.split()) for paragraph in PARAGRAPHS
    ]
    assert corpus.n_joined == 1
    lines = text.split("\n")
    for passage in found:
        name, _, number = passage.source.partition(":")
        assert name == "novel.txt"
        assert passage.text.startswith(lines[int(number) - 1].strip())
    kept = passages(path, join_lines=False)
    assert [text for _, text, _ in kept] == lines[:-1]


def test_lines_that_are_not_wrapped_stay(tmp_path):
    for lines in (PARAGRAPHS, SENTENCES, ["bank", "cell"] * 50, ["short"], []):
        assert not looks_wrapped(lines)


@given(st.lists(st.sampled_from(["", " ", "a b", "c"]), max_size=30))
def test_joining_loses_no_word(lines):
    words = [word for _, text in joined(enumerate(lines)) for word in text.split()]
    assert words == " ".join(lines).split()


def test_the_source_is_the_path_below_the_common_folder(tmp_path):
    for name in ("1811/part.txt", "2010/part.txt", "2010/.hidden", ".git/config"):
        path = tmp_path / "corpus" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"from {name}\n")
    expected = [(f"{n}/part.txt:1", f"from {n}/part.txt", []) for n in (1811, 2010)]
    folder = tmp_path / "corpus"
    assert passages(folder) == passages([folder / "1811", folder / "2010"]) == expected
    assert passages(sorted(folder.glob("*/*.txt"))) == expected
    assert passages(folder / "1811" / "part.txt") == [("part.txt:1", "from 1811/part.txt", [])]
    assert Corpus(folder).sources[0] == "1811/part.txt of 19 bytes"


ROWS = [
    {"date": "1811-05-01", "text": "A bank,\na cell.", "author": "Austen"},
    {"date": "1961", "text": "Another bank.", "author": ""},
]


@pytest.mark.parametrize("kind", ["csv", "tsv", "csv.gz", "parquet", "jsonl"])
def test_columns_of_tables_are_kept(tmp_path, kind):
    path = tmp_path / f"letters.{kind}"
    frame = pd.DataFrame(ROWS)
    match kind.partition(".")[0]:
        case "csv" | "tsv":
            separator = "\t" if kind == "tsv" else ","
            content = frame.to_csv(index=False, sep=separator).encode()
            path.write_bytes(gzip.compress(content) if kind.endswith("gz") else content)
        case "parquet":
            frame.to_parquet(path)
        case "jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    corpus = Corpus(path)
    assert corpus.columns == ["date", "author"]
    assert [tuple(passage) for passage in corpus.passages()] == [
        (f"letters.{kind}:1", "A bank,", ["1811-05-01", "Austen"]),
        (f"letters.{kind}:1", "a cell.", ["1811-05-01", "Austen"]),
        (f"letters.{kind}:2", "Another bank.", ["1961", ""]),
    ]
    assert corpus.position() == corpus.size


def test_tables_and_texts_in_one_folder(tmp_path):
    (tmp_path / "a.csv").write_text("body,year\nA bank.,1811\n")
    (tmp_path / "b.jsonl").write_text('{"source": "letter 7", "body": "A cell.", "by": null}\n')
    (tmp_path / "c.txt").write_text("A mouse.\n")
    assert passages(tmp_path, text_column="body") == [
        ("a.csv:1", "A bank.", ["1811", ""]),
        ("letter 7", "A cell.", ["", ""]),
        ("c.txt:1", "A mouse.", ["", ""]),
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"body,date\nx,1\n", "no column text among body, date"),
        ("a.csv", b"", "no column text among no rows"),
        ("a.csv", b"text,word\nx,1\n", "rename the column word"),
        ("a.csv", b'text\n"x\n', "is not a CSV file"),
        ("a.csv", b"text,date\nx\n", "a.csv, line 2: 1 fields, expected 2"),
        ("a.csv", b"text\ncaf\xe9\n", "is not UTF-8"),
        ("a.jsonl", b'{"text": "x"}\n[1]\n', "a.jsonl, line 2: is not a JSON object"),
        ("a.parquet", b"PAR1", "is not a complete Parquet file"),
        ("a.txt", b"PK\x03\x04\x00\x00", "is not UTF-8 text: convert it"),
        ("a.txt", "彼は銀行へ行った。".encode(), "has no spaces between words"),
        ("a.txt", "ธนาคารอยู่ริมแม่น้ำ".encode(), "has no spaces between words"),
    ],
)
def test_what_is_no_text_is_named_before_the_work(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        corpus = Corpus(tmp_path)
        corpus.check("words")
        list(corpus.passages())


def test_an_empty_folder_is_refused(tmp_path):
    (tmp_path / ".hidden").touch()
    with pytest.raises(InputError, match="is a folder without files"):
        Corpus(tmp_path)


def test_text_that_is_split_already_may_be_in_any_script(tmp_path):
    (tmp_path / "a.txt").write_text("彼 は 銀行 へ 行った 。\n", encoding="utf-8")
    Corpus(tmp_path).check("whitespace")

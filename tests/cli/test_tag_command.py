import os
import re
import subprocess

import pytest


@pytest.fixture
def word(planted):
    return planted.senses.words[1]


def test_a_line_stays_a_line_however_long(exrpca, vectors_file, word, tmp_path):
    (tmp_path / "text.txt").write_text(f"{f'{word} ' * 400_000}\n{word}\n")
    exrpca("tag", vectors_file, "text.txt", "-o", "tagged.txt")
    lines = (tmp_path / "tagged.txt").read_text().splitlines()
    assert [len(line.split()) for line in lines] == [400_000, 1]


def test_only_the_words_change(exrpca, vectors_file, word, tmp_path):
    (tmp_path / "text.txt").write_text(f"“{word.upper()}”, said  Xyz;\n\n({word})\n")
    tagged = exrpca("tag", vectors_file, "text.txt").stdout
    assert re.sub(r"#\d", "", tagged) == f"“{word}”, said  Xyz;\n\n({word})\n"
    assert tagged.count("#") == 2


def test_text_that_is_already_tokenized(exrpca, vectors_file, word, tmp_path):
    (tmp_path / "text.txt").write_text(f"{word} , {word},\n")
    tagged = exrpca("tag", vectors_file, "text.txt", "--tokenizer", "whitespace").stdout
    assert re.fullmatch(rf"{word}#\d , {word},\n", tagged)


def test_standard_output_is_utf8_whatever_the_terminal(program, vectors_file, tmp_path):
    text = "na\u00efve \u732b\n".encode()
    (tmp_path / "text.txt").write_bytes(text)
    result = subprocess.run(
        [program, "tag", vectors_file, tmp_path / "text.txt"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout == text


def test_the_key_pattern_is_that_of_the_output(exrpca, vectors_file, word, tmp_path):
    (tmp_path / "text.txt").write_text(f"{word}\n")
    tagged = exrpca("tag", vectors_file, "text.txt", "--key-pattern", "word|0").stdout
    assert tagged.startswith(f"{word}|")
    assert "(word2vec)" not in exrpca("tag", "--help").stdout

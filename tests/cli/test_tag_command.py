import os
import subprocess

import pytest

from exrpca import save


@pytest.fixture
def word(planted):
    return planted.senses.words[1]


def test_a_line_stays_a_line_however_long(exrpca, vectors_file, word, tmp_path):
    (tmp_path / "text.txt").write_text(f"{f'{word} ' * 400_000}\n{word}\n")
    exrpca("tag", vectors_file, "text.txt", "-o", "tagged.txt")
    lines = (tmp_path / "tagged.txt").read_text().splitlines()
    assert [len(line.split()) for line in lines] == [400_000, 1]


def test_text_is_turned_lower_case_as_it_was_in_training(exrpca, planted, word, tmp_path):
    for name, lowercase in (("lower", True), ("as-is", False)):
        metadata = {"training": {"lowercase": lowercase}}
        save(planted.senses.replace(metadata=metadata), tmp_path / f"{name}.parquet")
    (tmp_path / "text.txt").write_text(f"{word.upper()}\n")

    def is_tagged(vectors, *options):
        return exrpca("tag", vectors, "text.txt", *options).stdout.startswith(f"{word}#")

    assert is_tagged("lower.parquet")
    assert is_tagged("as-is.parquet", "--lowercase")
    assert not is_tagged("as-is.parquet")
    assert not is_tagged("lower.parquet", "--no-lowercase")


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

"""Tagged text: what is written, and that the map of a merge brings it up to date."""

import numpy as np
import pandas as pd
import pytest

from exrpca import InputError, SenseVectors, disambiguate, make_senses, merge
from exrpca.text.lookup import NO_WORD
from exrpca.text.tagging import numbered_blocks, read_mapping, retag, tag


@pytest.fixture(scope="module")
def planted():
    return make_senses(n_words=60, dim=10)


@pytest.fixture(scope="module")
def lines(planted):
    rng = np.random.default_rng(1)
    words = [*planted.senses.words, "unknown"]
    return [[words[i] for i in rng.integers(len(words), size=12)] for _ in range(40)]


def test_each_word_of_the_vocabulary_names_its_most_probable_sense(planted, lines) -> None:
    tagged = list(tag(planted.senses, lines, key_pattern="word|0"))
    assert [[token.partition("|")[0] for token in line] for line in tagged] == lines
    for line, text in zip(tagged, lines, strict=True):
        for at, (token, word) in enumerate(zip(line, text, strict=True)):
            if word == "unknown":
                assert token == "unknown"
            else:
                context = text[max(0, at - 5) : at] + text[at + 1 : at + 6]
                if word not in context:
                    expected = disambiguate(planted.senses, word, context)["probability"].argmax()
                    assert token == f"{word}|{expected}"


def test_retagging_follows_the_map(planted, lines) -> None:
    verdict = np.where(planted.pairs["real"], "real", "pseudo")
    merged, mapping = merge(planted.senses, planted.pairs.assign(verdict=verdict))
    new = {(row.word, row.old_sense): row.new_sense for row in mapping.itertuples()}
    tagged = list(tag(planted.senses, lines))
    retagged = retag(mapping, tagged)
    n_known = n_renamed = 0
    for old_line, new_line in zip(tagged, retagged, strict=True):
        for old, renamed in zip(old_line, new_line, strict=True):
            word, _, sense = old.partition("#")
            expected = f"{word}#{new[word, int(sense)]}" if sense else old
            assert renamed == expected
            n_renamed += renamed != old
            if sense:
                n_known += 1
                assert (word, int(renamed.partition("#")[2])) in merged
    assert (retagged.n_known, retagged.n_renamed) == (n_known, n_renamed)
    assert 0 < n_renamed < n_known


def test_text_and_tokens_are_tagged_alike(planted, lines) -> None:
    def as_text(lines):
        return ["(" + ", ".join(line) + ")." for line in lines]

    shouted = [[token.upper() for token in line] for line in lines]
    tagged = list(tag(planted.senses, shouted))
    assert list(tag(planted.senses, as_text(shouted))) == as_text(tagged)
    mapping = merge(planted.senses, planted.pairs.assign(verdict="pseudo"))[1]
    retagged = list(retag(mapping, tagged))
    assert retagged != tagged
    assert list(retag(mapping, as_text(tagged))) == as_text(retagged)


def test_whitespace_keeps_the_spaces(planted) -> None:
    word = planted.senses.words[0]
    text = f"  {word.upper()}\t{word}, ,  {word} \r"
    (tagged,) = tag(planted.senses, [text], tokenizer="whitespace")
    first, last = (token for token in tagged.split() if "#" in token)
    assert tagged == f"  {first}\t{word}, ,  {last} \r"


def test_a_word_is_written_as_the_vocabulary_spells_it() -> None:
    words = ["polish", "Polish", "x-ray"]
    senses = SenseVectors(words, np.eye(3), [1, 1, 1], centers=np.eye(3), globals=np.eye(3))
    tagged = list(tag(senses, ["POLISH Polish; X-rays, an X-ray."]))
    assert tagged == ["polish#0 Polish#0; X-rays, an x-ray#0."]


def test_the_surface_is_kept() -> None:
    senses = SenseVectors(["bank"], [[1.0, 0.0]], [1])
    line = "«The BANK», said I."
    assert list(tag(senses, [line], form="keep")) == ["«The BANK|bank#0», said I."]
    assert list(tag(senses, [line], form="vertical")) == ["«\nThe\nBANK\tbank#0\n»,\nsaid\nI\n.\n"]
    assert list(tag(senses, [["The", "BANK"]], form="keep")) == [["The", "BANK|bank#0"]]
    assert list(tag(senses, [["The", "BANK"]], form="vertical")) == ["The\nBANK\tbank#0\n"]


def test_bad_arguments_are_named_before_a_line_is_read(planted) -> None:
    def never():
        raise AssertionError("a line is read")
        yield

    for options, message in [
        ({"window": 0}, "window=0 must be at least 1"),
        ({"tokenizer": "spacy"}, "tokenizer='spacy'"),
        ({"key_pattern": "w"}, "key_pattern='w'"),
    ]:
        with pytest.raises(InputError, match=message):
            tag(planted.senses, never(), **options)
    with pytest.raises(InputError, match="lines is a str"):
        tag(planted.senses, "a text")


def test_lines_are_cut_into_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exrpca.text.tagging._BLOCK", 3)
    numbers = {"a": 0, "b": 1}
    lines = [["a", "b"], ["a", "a"], [], ["c"]]
    blocks = list(numbered_blocks(lines, lambda token: numbers.get(token, NO_WORD)))
    assert [block for block, _, _ in blocks] == [[["a", "b"], ["a", "a"]], [[], ["c"]]]
    assert [tokens.tolist() for _, tokens, _ in blocks] == [[0, 1, 0, 0], [NO_WORD]]
    assert [starts.tolist() for _, _, starts in blocks] == [[0, 2, 4], [0, 0, 1]]


def test_pattern_without_a_number_is_refused() -> None:
    # covid19 would be sense 9 of covid1
    mapping = pd.DataFrame({"word": ["covid1"], "old_sense": [9], "new_sense": [0]})
    with pytest.raises(InputError, match="key_pattern='word' has no numbers"):
        retag(mapping, [], key_pattern="word")


def test_mapping_survives_its_file(tmp_path) -> None:
    # words that pandas would take for missing values or numbers
    mapping = pd.DataFrame(
        {"word": ["null", "nan", "007", '"'], "old_sense": [0, 1, 2, 3], "new_sense": [0, 0, 1, 1]}
    )
    mapping.to_csv(tmp_path / "map.csv", index=False)
    pd.testing.assert_frame_equal(read_mapping(tmp_path / "map.csv"), mapping, check_dtype=False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word,old_sense\nbank,0\n", "no column new_sense"),
        ("word,old_sense,new_sense\nbank,zero,0\n", "map.csv, line 2: .*whole number"),
        ("word,old_sense,new_sense\nbank,99999999999999999999,0\n", "line 2: .*9 digits"),
        ("word,old_sense,new_sense\nbank,0,0\nbank,0,2\n", "line 3: sense 0 of 'bank'.*twice"),
        ("word,old_sense,new_sense\nbank,0,0\nbank,1,0,0\n", "line 3: 4 fields, expected 3"),
        ("word,old_sense,new_sense\nbank,0,0,0\n", "line 2: 4 fields, expected 3"),
        ("word,old_sense,new_sense\nbank,0\n", "line 2: 2 fields, expected 3"),
        ('word,old_sense,new_sense\n"bank,0,0\n', "map.csv: is not a CSV file"),
        ("", "map.csv, line 1: no column"),
    ],
)
def test_bad_mapping_is_named(tmp_path, text: str, message: str) -> None:
    path = tmp_path / "map.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_mapping(path)

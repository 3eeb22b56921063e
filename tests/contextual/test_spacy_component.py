"""Senses in a spaCy pipeline, with the real spaCy."""

import pytest
import spacy

from exrpca import SenseVectors, bundled, save, tag
from exrpca.contextual import spacy_component  # noqa: F401 - installed, it needs no import
from exrpca.errors import InputError

TEXT = "The plant, a factory near Detroit, makes engines. A plant needs water and light!"


def keys(doc):
    return [token._.sense_key or token.text for token in doc]


@pytest.fixture
def nlp():
    return spacy.blank("en")


def test_senses_are_those_of_tag_on_the_same_tokens(nlp):
    nlp.add_pipe("exrpca_senses")
    doc = nlp(TEXT)
    [expected] = tag(bundled(), [[token.text for token in doc]])
    assert keys(doc) == expected
    assert doc[1]._.sense_key == f"plant#{doc[1]._.sense}"
    assert doc[2].text == "," or doc[2]._.sense is None


def test_contexts_end_with_sentences(nlp):
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("exrpca_senses", config={"window": 30})
    doc = nlp(TEXT)
    sentences = [[token.text for token in sentence] for sentence in doc.sents]
    assert len(sentences) == 2
    tagged = tag(bundled(), sentences, window=30)
    assert keys(doc) == [key for sentence in tagged for key in sentence]


def test_vectors_of_a_file_with_labels(nlp, tmp_path):
    senses = SenseVectors(
        ["bank", "river", "money"],
        [[1, 0], [0, 1], [0, 1], [1, 0]],
        [2, 1, 1],
        labels=["MONEY", "WATER", "X", "X"],
    )
    save(senses, tmp_path / "s.vec", key_pattern="word|NOUN")
    nlp.add_pipe("exrpca_senses", config={"vectors": str(tmp_path / "s.vec")})
    assert keys(nlp("river bank")) == ["river|X", "bank|WATER"]
    assert [doc[1]._.sense_key for doc in nlp.pipe(["money bank", "the bank"])] == [
        "bank|MONEY",
        "bank|MONEY",
    ]
    assert len(nlp("")) == 0


def test_a_missing_file_is_one_clear_line(nlp):
    with pytest.raises(InputError, match=r"none\.vec: no such file"):
        nlp.add_pipe("exrpca_senses", config={"vectors": "none.vec"})

"""The judge: sentences of two senses, compared by an encoder."""

import numpy as np
import pytest

from exrpca import InputError, SenseVectors, detect, make_senses, merge

FILLERS = ["red", "green", "blue", "old", "new", "big", "small"]


def text():
    """Lines in which a bank is one of money or of a river; plants are all alike."""
    for one in FILLERS:
        for other in FILLERS:
            yield f"the {one} money was in a {other} bank of money".split()
            yield f"the {one} river had a {other} bank of river".split()
            yield f"a {one} {other} plant".split()


@pytest.fixture(scope="module")
def senses() -> SenseVectors:
    """Words with many neighbors, and two that the text is about.

    The senses of bank share their neighbors, and still have different sentences.
    """
    planted = make_senses(n_words=300, dim=12, n_components=1, seed=0).senses
    words = [*planted.words, "bank", "plant", "never", "money", "river", "red", "green"]
    rng = np.random.default_rng(0)
    money, river, red, green = np.eye(12)[:4]
    own = [money + river + money / 9, money + river + river / 9, red, green]
    extra = np.array([*own, *rng.normal(size=(2, 12)), money, river, red, green])
    n_senses = [*planted.n_senses, 2, 2, 2, 1, 1, 1, 1]
    return SenseVectors(words, np.concatenate([planted.vectors, extra]), n_senses)


@pytest.fixture(scope="module")
def judged(senses):
    return detect(senses, corpus=list(text()), encoder="minilm", progress=False)


def of_word(pairs, word):
    return pairs[pairs["word"] == word].iloc[0]


def test_sentences_decide_where_there_are_enough(senses, judged) -> None:
    bank, plant = of_word(judged, "bank"), of_word(judged, "plant")
    assert bank["verdict"] == "real"
    assert bank["probability"] > plant["probability"]
    assert "money" in bank["sentence_a"]
    assert "river" in bank["sentence_b"]
    assert bank["occurrences_a"] == bank["occurrences_b"] == 30
    assert of_word(detect(senses), "bank")["verdict"] != "real"


def test_pairs_without_sentences_keep_what_neighbors_say(senses, judged) -> None:
    by_neighbors = detect(senses)
    never = of_word(judged, "never")
    assert never["probability"] == of_word(by_neighbors, "never")["probability"]
    assert never["occurrences_a"] == 0
    assert never["sentence_a"] == ""
    assert len(judged) == len(by_neighbors)
    assert len(merge(senses, judged)[0]["bank"]) == 2


def test_only_the_words_asked_for_are_judged(senses) -> None:
    pairs = detect(senses, corpus=list(text()), encoder="minilm", words=["plant"])
    assert set(pairs.loc[pairs["occurrences_a"] > 0, "word"]) <= {"plant"}


def test_what_cannot_be_judged_is_one_line(senses) -> None:
    corpus = list(text())
    with pytest.raises(InputError, match="encoder needs corpus as well"):
        detect(senses, encoder="minilm")
    with pytest.raises(InputError, match=r"occurs in the text, such as .*another language"):
        detect(senses, corpus=[["das", "ist", "kein", "englischer", "text"]], encoder="minilm")
    with pytest.raises(InputError, match="none of the words has several senses"):
        detect(senses, corpus=corpus, encoder="minilm", words=["money"])
    with pytest.raises(InputError, match="per_sense=2 must be at least 5"):
        detect(senses, corpus=corpus, encoder="minilm", per_sense=2)
    induced = senses.replace(metadata={"induction": {"mean": [0.0], "spread": 1.0}})
    with pytest.raises(InputError, match="these senses were induced"):
        detect(induced, corpus=corpus, encoder="minilm")

"""The bundled vectors are what the model card says."""

from importlib import resources

import pytest

from exrpca import bundled, disambiguate
from exrpca.evaluation import wordsim353


@pytest.fixture(scope="module")
def senses():
    return bundled()


def test_they_fit_into_a_package_and_have_all_parts(senses):
    file = resources.files("exrpca") / "data" / "bundled.parquet"
    assert len(file.read_bytes()) <= 8_000_000
    assert senses.centers is not None
    assert senses.globals is not None
    assert senses.metadata["training"]["model"] == "mssg"


def test_most_words_of_wordsim353_are_in(senses):
    words = {word.lower() for pair in wordsim353().words for word in pair}
    assert len(words & set(senses.words)) / len(words) > 0.95


def test_polysemous_words_have_several_senses(senses):
    for word in ["bank", "apple", "plant", "rock", "fox", "prime", "yard", "engine", "cat"]:
        assert len(senses[word]) > 1


@pytest.mark.parametrize(
    ("word", "contexts"),
    [
        ("prime", ["the minister and his cabinet", "an odd integer divisible by"]),
        ("apple", ["software for the computer", "fruit and honey"]),
        ("fox", ["the television network", "the wolf and the bear"]),
    ],
)
def test_contexts_call_for_different_senses(senses, word, contexts):
    chosen = [disambiguate(senses, word, context).probability.argmax() for context in contexts]
    assert len(set(chosen)) == len(contexts)

import numpy as np
import pandas as pd
import pytest

from exrpca.explorer.inventory import Inventory
from exrpca.explorer.suggestions import suggest
from exrpca.senses import SenseVectors

DIM = 60


def around(axis, rng, n=1):
    """Vectors near an axis."""
    return np.eye(DIM)[axis] + 0.05 * rng.normal(size=(n, DIM)) / np.sqrt(DIM)


@pytest.fixture
def found():
    """Suggestions from words with two far senses, of which many share one sense by a template."""
    rng = np.random.default_rng(0)
    ambiguous = {"plane": (0, 1), "seal": (2, 3), "the": (4, 5), "007": (6, 7)}
    # an infobox gives these words a sense with the same neighbors
    template = {f"infobox{letter}": (8, 9 + i) for i, letter in enumerate("abcde")}
    split = {"song": (20, 20), "museum": (21, 21)}
    several = ambiguous | template | split
    words, vectors, n_senses = [], [], []
    for word, axes in several.items():
        words.append(word)
        vectors += [around(axis, rng) for axis in axes]
        n_senses.append(2)
    for axis in range(22):
        for i in range(10):
            words.append(f"neighbor{'abcdefghij'[i]}{chr(97 + axis)}")
            vectors.append(around(axis, rng))
            n_senses.append(1)
    senses = SenseVectors(words, np.concatenate(vectors), n_senses)
    verdicts = ["pseudo" if word in split else "real" for word in several]
    pairs = pd.DataFrame(
        {
            "word": list(several),
            "sense_a": 0,
            "sense_b": 1,
            "shared": 0,
            "probability": [0.9 if verdict == "real" else 0.1 for verdict in verdicts],
            "verdict": verdicts,
            "outlier_norm": 0.0,
        }
    )
    return suggest(senses, Inventory(pairs))


def test_words_of_one_template_come_after_different_ones(found):
    assert set(found.words["real"][:3]) > {"plane", "seal"}


def test_neither_function_words_nor_numbers(found):
    assert not {"the", "007"} & {*found.words["real"], *found.words["pseudo"]}


def test_one_meaning_that_was_split(found):
    assert set(found.words["pseudo"]) == {"song", "museum"}
    assert found.words["undecided"] == []
    assert found.worked in found.words["real"]

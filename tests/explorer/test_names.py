import numpy as np
import pytest

from exrpca.explorer.names import SenseNames
from exrpca.explorer.neighbors import NeighborSearch
from exrpca.senses import Example, SenseVectors


def name_senses(senses, *question, **options):
    return SenseNames(senses, NeighborSearch(senses)).of(*question, **options)


@pytest.fixture
def bank():
    """A money sense, another one, and a river sense, with words around them."""
    words = ["bank", "banks", "money", "loan", "the", "river", "rivers", "shore", "9"]
    vectors = [[1, 0.1], [1, 0], [0, 1]]
    vectors += [[1, 0], [1, 0.2], [1, 0.3], [1, 0.1], [0, 1], [0.1, 1], [0.3, 1], [0, 1]]
    return SenseVectors(words, np.array(vectors), [3] + [1] * 8)


def test_names_are_telling_neighbors(bank):
    # neither "banks", a form, nor "the" or "9"; no word names two senses, or twice one
    assert name_senses(bank, "bank") == [["money", "loan"], ["shore", "rivers"], ["river"]]


def test_groups_are_named_together(bank):
    assert name_senses(bank, "bank", [[0, 1], [2]]) == [["money", "loan"], ["river", "shore"]]


def test_induced_senses_are_named_by_their_sentences():
    money = (Example("the ", "bank", " lent money to him"), Example("money in the ", "bank", ""))
    river = (Example("he sat on the ", "bank", " of the river"),)
    senses = SenseVectors(
        ["bank"], np.eye(2), [2], examples=[money, river], metadata={"induction": {}}
    )
    assert name_senses(senses, "bank") == [["money", "lent"], ["river", "sat"]]

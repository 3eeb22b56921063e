import gzip

import pytest

from exrpca.errors import InputError
from exrpca.explorer.evidence import Evidence
from exrpca.senses import Example, SenseVectors
from exrpca.text import disambiguate

LENDING = "The bank gave credit, cash, a loan, money and debt."


@pytest.fixture(scope="module")
def bank():
    """A word with a money sense and a river sense, and words that speak for one of them."""
    money = ["money", "loan", "cash", "credit", "interest", "debt"]
    river = ["river", "water", "shore", "boat", "fish", "flood"]
    words = ["bank", *money, *river]
    sides = [[1, 0]] * 6 + [[0, 1]] * 6
    return SenseVectors(
        words,
        [[1, 0], [0, 1], *sides],
        [2] + [1] * 12,
        centers=[[1, 0], [0, 1], *sides],
        globals=[[1, 1], *sides],
    )


@pytest.fixture
def text(tmp_path):
    lines = [
        LENDING,
        "The river bank: water, shore, boat and fish, a flood!",
        "River and water, boat and fish near the Bank with money.",
        LENDING,
        "A bank in a short line.",
    ]
    path = tmp_path / "text.txt.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def test_sentences_are_those_that_the_sense_is_chosen_in(bank, text):
    evidence = Evidence(bank, [text])
    assert evidence.exists
    assert not evidence.is_read
    evidence.read()
    assert evidence.is_read
    money, river = evidence.of("bank")
    # the duplicate and the line with too few known words are left out
    assert ["".join(each) for each in money] == [LENDING]
    assert [each.target for each in river] == ["bank", "Bank"]
    for sense, examples in enumerate((money, river)):
        for example in examples:
            chosen = disambiguate(bank, "bank", "".join(example))["probability"].argmax()
            assert chosen == sense


def test_senses_bring_their_own_sentences():
    example = Example("on the ", "bank", " of the river")
    senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2], examples=[[example], []])
    evidence = Evidence(senses)
    assert evidence.exists
    assert evidence.of("bank") == [[example], []]


def test_no_text_no_sentences(bank):
    evidence = Evidence(bank)
    assert not evidence.exists
    assert evidence.of("bank") == [[], []]


def test_induced_senses_cannot_be_chosen_in_a_text(bank, text):
    induced = bank.replace(
        metadata={"induction": {"mean": [0.0, 0.0], "spread": 1.0, "vectors": {}}}
    )
    with pytest.raises(InputError, match="needs the encoder"):
        Evidence(induced, [text])

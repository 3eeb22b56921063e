import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exrpca.cleaning import read_verdicts, with_verdicts, write_verdicts
from exrpca.errors import InputError
from exrpca.senses import SenseVectors

SENSES = SenseVectors(["bank", "a,b", 'say "hi"', "one"], np.eye(9), [3, 3, 2, 1])
PAIRS = [("bank", 0, 1), ("bank", 0, 2), ("a,b", 1, 2), ('say "hi"', 0, 1)]


@given(st.dictionaries(st.sampled_from(PAIRS), st.sampled_from(["real", "pseudo", "undecided"])))
def test_what_is_written_is_read(tmp_path_factory, verdicts):
    path = tmp_path_factory.mktemp("verdicts") / "verdicts.csv"
    write_verdicts(path, verdicts)
    assert read_verdicts(path, SENSES) == verdicts


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("bank,0,3,real", "line 2: 'bank' has no pair of senses 0 and 3"),
        ("bank,1,1,real", "line 2: 'bank' has no pair of senses 1 and 1"),
        ("one,0,1,real", "line 2: 'one' has no pair"),
        ("bnk,0,1,real", "line 2: no word 'bnk'"),
        ("bank,0,1,maybe", "line 2: the verdict 'maybe' must be real, pseudo or undecided"),
        ("bank,0,x,real", "line 2: the senses '0' and 'x' must be whole numbers"),
        ("bank,0,1", "line 2: 3 fields, expected 4"),
        ("bank,0,1,real\nbank,1,0,real", "line 3: senses 1 and 0 of 'bank' appear twice"),
        ('bank,0,1,"real', "is not a CSV file"),
    ],
)
def test_bad_rows_are_named(tmp_path, row, message):
    path = tmp_path / "verdicts.csv"
    path.write_text(f"word,sense_a,sense_b,verdict\n{row}\n")
    with pytest.raises(InputError, match=message.replace("'", ".")):
        read_verdicts(path, SENSES)


def test_file_without_the_columns(tmp_path):
    path = tmp_path / "verdicts.csv"
    path.write_text("word,verdict\n")
    with pytest.raises(InputError, match="no column sense_a, sense_b"):
        read_verdicts(path, SENSES)


def test_given_verdicts_replace_those_found():
    pairs = pd.DataFrame(
        {
            "word": "bank",
            "sense_a": [0, 0, 1],
            "sense_b": [1, 2, 2],
            "probability": [0.9, 0.2, np.nan],
            "verdict": ["real", "pseudo", "undecided"],
        }
    )
    given = {("bank", 0, 1): "pseudo", ("bank", 0, 2): "undecided"}
    found = with_verdicts(pairs, given)
    assert list(found["verdict"]) == ["pseudo", "undecided", "undecided"]
    np.testing.assert_array_equal(found["probability"], [0.0, 0.2, np.nan])
    pd.testing.assert_frame_equal(with_verdicts(pairs, {}), pairs)


def test_a_sense_number_of_5000_digits(tmp_path):
    path = tmp_path / "verdicts.csv"
    path.write_text(f"word,sense_a,sense_b,verdict\nbank,0,{'9' * 5000},real\n")
    with pytest.raises(InputError, match="must be whole numbers") as refused:
        read_verdicts(path, SenseVectors(["bank"], [[1, 0], [0, 1]], [2]))
    assert len(refused.value.message) < 300

"""What a person said about occurrences stays, and the rest follows."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exrpca
from exrpca.contextual import Occurrences, assign
from exrpca.contextual.corrections import Corrections
from exrpca.errors import InputError
from exrpca.senses import load, save

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # these words are few

N = 40


@pytest.fixture(scope="module")
def occurrences():
    """Three clouds of "bank", and "tree", with the sentences "l0", "l1", …"""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(4 * N, 60)) + 25 * np.repeat(np.eye(4, 60), N, axis=0)
    texts = pa.table(
        {
            "left": [f"l{i}" for i in range(4 * N)],
            "target": ["bank"] * 3 * N + ["tree"] * N,
            "right": [""] * 4 * N,
            "source": ["a.txt:1"] * 4 * N,
        }
    )
    return Occurrences.from_arrays(texts.column("target").to_pylist(), vectors, texts=texts)


def corrected(occurrences, path, *steps):
    """Make some steps on what `induce` finds, and induce again."""
    _, found = exrpca.induce(occurrences)
    corrections = Corrections(found, path)
    for action, what in steps:
        corrections.correct(action, "bank", **what)
    return found["sense"].to_numpy(), exrpca.induce(occurrences, corrections=path)


def test_a_new_sense_takes_what_is_like_it(occurrences, tmp_path):
    # the first cloud of "bank" joined with the second, apart from what three moves say
    rows = [0, 1, 2]
    before, (_, table) = corrected(
        occurrences,
        tmp_path / "c.csv",
        ("move", {"to": 7, "occurrences": rows}),
        ("name", {"sense": 7, "name": "riverside"}),
    )
    now = table["sense"].to_numpy()
    # nothing else was said about this cloud than that it has another sense than the others
    assert len(set(now[:N])) <= 2
    assert (table.loc[rows, "name"] == "riverside").all()
    assert table.loc[rows, "corrected"].all()
    assert (table.loc[rows, "probability"] == 1).all()
    other = before[N : 3 * N]
    assert pd.crosstab(other, now[N : 3 * N]).to_numpy().astype(bool).sum() == 2


def test_joined_senses_stay_joined_and_unmentioned_words_as_they_were(occurrences, tmp_path):
    before, (_, table) = corrected(occurrences, tmp_path / "c.csv", ("join", {"sense": 0, "to": 1}))
    now = table["sense"].to_numpy()
    assert len(set(before[: 3 * N])) == 3
    assert len(set(now[: 3 * N])) == 2
    assert (pd.Series(now[: 3 * N]).groupby(before[: 3 * N]).nunique() == 1).all()
    np.testing.assert_array_equal(now[3 * N :], before[3 * N :])


def test_noise_has_no_sense(occurrences, tmp_path):
    _, (senses, table) = corrected(
        occurrences, tmp_path / "c.csv", ("move", {"to": -1, "occurrences": [5, 6]})
    )
    assert table["sense"][[5, 6]].tolist() == [-1, -1]
    assert senses.counts.sum() == 4 * N - 2


def test_a_word_of_noise_only_is_left_out(occurrences, tmp_path):
    everything = list(range(3 * N))
    _, (senses, table) = corrected(
        occurrences, tmp_path / "c.csv", ("move", {"to": -1, "occurrences": everything})
    )
    assert list(senses.words) == ["tree"]
    assert (table["sense"][: 3 * N] == -1).all()


@settings(max_examples=15, deadline=None)
@given(
    said=st.dictionaries(st.integers(0, 3 * N - 1), st.integers(-1, 4), min_size=1, max_size=20),
    lost=st.sampled_from([0.0, 0.25, 0.6, 1.0]),
)
def test_no_correction_is_ever_lost(occurrences, tmp_path_factory, said, lost):
    path = tmp_path_factory.mktemp("c") / "c.csv"
    corrections = Corrections(exrpca.induce(occurrences)[1], path)
    for row, sense in said.items():
        corrections.correct("move", "bank", to=sense, occurrences=[row])
    _, table = exrpca.induce(occurrences, corrections=path, lost=lost)
    now = table["sense"]
    for row, sense in said.items():
        assert (now[row] == -1) == (sense == -1)
        for other, its_sense in said.items():
            assert (now[row] == now[other]) == (sense == its_sense)


def test_names_travel(occurrences, tmp_path):
    _, (senses, table) = corrected(
        occurrences,
        tmp_path / "c.csv",
        ("name", {"sense": 0, "name": "money house"}),
        ("join", {"sense": 2, "to": 1}),
        ("name", {"sense": 1, "name": "riverside"}),
    )
    assert set(table["name"]) == {"money house", "riverside", ""}
    save(senses, tmp_path / "s.parquet")
    again = load(tmp_path / "s.parquet")
    assert again.labels == senses.labels
    assert assign(again, occurrences)["name"].tolist() == table["name"].tolist()
    made = exrpca.report(table.assign(period=["1900", "2000"] * 2 * N), by="period")
    assert set(made.senses["name"]) >= {"money house", "riverside"}
    assert "riverside" in set(made.shares["name"])


def test_tags_have_names():
    from exrpca.text.tagging import keys_in_text

    senses = exrpca.SenseVectors(
        ["bank"],
        np.eye(2),
        [2],
        labels=["money house", ""],
        metadata={"induction": {"mean": [0.0, 0.0], "spread": 1.0}},
    )
    assert keys_in_text(senses) == ["bank#money_house", "bank#1"]


def test_what_was_said_goes_on_in_a_file_for_the_new_table(occurrences, tmp_path):
    _, (_, table) = corrected(
        occurrences,
        tmp_path / "first.csv",
        ("move", {"to": 1, "occurrences": [0, 1]}),
        ("name", {"sense": 1, "name": "riverside"}),
    )
    path = tmp_path / "second.csv"
    corrections = Corrections(table, path)
    assert corrections.steps == 0
    assert corrections.undo() is None
    corrections.correct("move", "bank", to=-1, occurrences=[100])
    _, again = exrpca.induce(occurrences, corrections=path)
    now = table["sense"][0]
    assert set(again.loc[[0, 1], "name"]) == {"riverside"}
    assert (again.loc[again["name"] == "riverside", "sense"] == now).all()
    assert again["sense"][100] == -1
    with pytest.raises(InputError, match="start a new file"):
        Corrections(again, tmp_path / "first.csv")


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_fixed_number_of_senses(occurrences, n):
    senses, table = exrpca.induce(occurrences, n_senses={"bank": n})
    assert senses.n_senses[senses.index("bank")] == n
    assert table.loc[table["word"] == "bank", "sense"].nunique() == n


def test_a_fixed_number_of_given_clusters(occurrences):
    labeled = Occurrences.from_arrays(
        [occurrences.words[i] for i in occurrences.word_of],
        occurrences.vectors,
        labels=np.repeat(np.arange(8), N // 2),
    )
    senses, _ = exrpca.induce(labeled, n_senses={"bank": 2})
    assert senses.n_senses[senses.index("bank")] == 2


@pytest.mark.parametrize(
    ("n_senses", "says"),
    [({"house": 2}, "house"), ({"bank": 0}, "is 0, expected 1 to 120"), ({"bank": 121}, "120")],
)
def test_numbers_that_cannot_be_are_refused(occurrences, n_senses, says):
    with pytest.raises(InputError, match=says):
        exrpca.induce(occurrences, n_senses=n_senses)


HEADER = "step,action,word,sense,to,name,source,left,target,right\n"


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("1,move,house,0,1,,a.txt:1,l0,bank,\n", "'house', which has no occurrences"),
        ("1,move,bank,0,1,,b.txt:1,l0,bank,\n", "none of the 1 corrected sentences of 'bank'"),
        ("1,name,bank,4,-1,riverside,,,,\n", "name sense 4 of 'bank'"),
        (None, "no such file"),
    ],
)
def test_corrections_of_something_else_are_refused(occurrences, tmp_path, rows, says):
    path = tmp_path / "c.csv"
    if rows is not None:
        path.write_text(HEADER + rows)
    with pytest.raises(InputError, match=says):
        exrpca.induce(occurrences, corrections=path)


@pytest.mark.filterwarnings("default")
def test_sentences_that_are_missing_are_counted(occurrences, tmp_path):
    path = tmp_path / "c.csv"
    path.write_text(HEADER + "1,move,bank,0,1,,a.txt:1,l0,bank,\n1,move,bank,0,1,,b,l0,bank,\n")
    with pytest.warns(UserWarning, match="1 of 2 corrected sentences of 'bank'"):
        exrpca.induce(occurrences, corrections=path)


def test_corrections_of_given_clusters_are_refused(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text(HEADER + "1,move,bank,0,1,,a.txt:1,l0,bank,\n")
    labeled = Occurrences.from_arrays(["bank"] * 4, np.eye(4), labels=[0, 0, 1, 1])
    with pytest.raises(InputError, match="leave out the labels"):
        exrpca.induce(labeled, corrections=path)

import io

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from exrpca.explorer.inventory import Inventory, Selection


def inventory(n=200, seed=0):
    random = np.random.default_rng(seed)
    norms = random.random(n).round(2)
    return Inventory(
        pd.DataFrame(
            {
                "word": random.choice(["Bank", "river.", "(", "prime"], n),
                "sense_a": 0,
                "sense_b": random.integers(1, 4, n),
                "outlier_norm": norms,
                "shared": (100 * (1 - norms)).astype(int),
                "examples": [("river", "shore")] * n,
                "cosine": 1 - norms,
                "probability": np.where(norms == 0.5, np.nan, norms),
                "verdict": np.select([norms > 0.7, norms < 0.4], ["real", "pseudo"], "undecided"),
            }
        )
    )


@given(
    st.builds(
        Selection,
        word=st.sampled_from(["", "an", "R", "(", ".", "zzz"]),
        verdict=st.sampled_from([None, "real", "pseudo", "undecided"]),
        sort=st.sampled_from(["word", "sense_b", "shared", "probability", "verdict"]),
        descending=st.booleans(),
    )
)
def test_selection_is_pandas_own(selection):
    table = inventory()
    rows = table.page(selection, 0, len(table.pairs))
    keep = table.pairs["word"].str.lower().str.contains(selection.word.lower(), regex=False)
    if selection.verdict:
        keep &= table.pairs["verdict"] == selection.verdict
    expected = table.pairs[keep].sort_values(
        selection.sort, ascending=not selection.descending, kind="stable"
    )
    pd.testing.assert_frame_equal(rows, expected)


def test_csv_holds_the_selection():
    table = inventory(n=12_000)
    selection = Selection(verdict="real")
    pieces = list(table.csv(selection))
    assert len(pieces) > 1
    read = pd.read_csv(io.StringIO("".join(pieces)))
    rows = table.page(selection, 0, 12_000).reset_index(drop=True)
    assert set(read.pop("examples")) == {"river shore"}
    pd.testing.assert_frame_equal(read, rows.drop(columns="examples"), check_dtype=False)


def test_pairs_of_a_word():
    table = inventory()
    assert set(table.of_word("(")["word"]) == {"("}
    assert len(table.of_word("absent")) == 0


def test_histogram_counts_every_pair():
    table = inventory()
    for quantity in ("shared", "outlier_norm"):
        found = table.histogram(quantity)
        for verdict in ("real", "pseudo", "undecided"):
            assert sum(getattr(found, verdict)) == (table.pairs["verdict"] == verdict).sum()
    assert len(table.histogram("shared").real) == table.pairs["shared"].max() + 1


def test_exported_words_are_no_formulas():
    words = ["=1+1", "+1", "-1", "@x", "plain", "a=b"]
    table = Inventory(inventory(n=6).pairs.assign(word=words))
    lines = "".join(table.csv(Selection(sort="word", descending=False))).splitlines()
    exported = {line.split(",")[0] for line in lines[1:]}
    assert exported == {"'=1+1", "'+1", "'-1", "'@x", "plain", "a=b"}


def test_pairs_without_a_probability_are_last_and_in_no_histogram():
    table = inventory()
    unknown = table.pairs.index < 20
    table.pairs["probability"] = table.pairs["outlier_norm"]
    table.pairs.loc[unknown, "verdict"] = "undecided"
    table.pairs.loc[unknown, "probability"] = np.nan
    found = table.histogram("probability")
    total = sum(found.real) + sum(found.pseudo) + sum(found.undecided)
    assert total == len(table.pairs) - 20
    for descending in (True, False):
        order = table.select(Selection(sort="probability", descending=descending))
        assert set(order[-20:]) == set(range(20))

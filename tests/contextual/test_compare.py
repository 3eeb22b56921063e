import numpy as np
import pandas as pd
import pytest

from exrpca import InputError
from exrpca.contextual import Occurrences, plot_change
from exrpca.contextual.compare import compare
from exrpca.contextual.groups import groups_of


def planted(rng, change, n=80, dim=20, word="gay"):
    """Two senses whose shares change by `change` between two periods."""
    sense = np.concatenate([rng.random(n) < 0.1, rng.random(n) < 0.1 + change]).astype(int)
    vectors = rng.normal(size=(2 * n, dim)) + 3 * np.eye(2, dim)[sense]
    table = pd.DataFrame({"word": word, "sense": sense, "period": ["old"] * n + ["new"] * n})
    return table, Occurrences.from_arrays([word] * len(table), vectors)


def test_a_change_is_found_by_each_measure():
    table, occurrences = planted(np.random.default_rng(0), change=0.8)
    row = compare(table, occurrences, by="period").iloc[0]
    for measure in ("prt", "apd", "jsd"):
        assert row[f"{measure}_p"] < 0.01
        assert row[f"{measure}_low"] < row[measure] < row[f"{measure}_high"]


@pytest.mark.filterwarnings("ignore:.*fewer than 50")
@pytest.mark.parametrize("sizes", [(80, 80), (20, 140)])
def test_p_values_of_groups_that_do_not_differ_are_uniform(sizes):
    rng = np.random.default_rng(0)
    found = []
    for trial in range(60):
        table, occurrences = planted(rng, change=0.0, n=sum(sizes) // 2)
        table["period"] = rng.permutation(["old"] * sizes[0] + ["new"] * sizes[1])
        found.append(compare(table, occurrences, by="period", draws=99, seed=trial).iloc[0])
    table = pd.DataFrame(found)
    # of 60 uniform numbers 3 to 17 are below 0.15 in 99 of 100 cases
    for measure in ("prt", "apd"):
        assert 3 <= (table[f"{measure}_p"] < 0.15).sum() <= 17
    # few values of jsd are possible: ties make its p-value larger
    assert (table["jsd_p"] < 0.15).sum() <= 17


@pytest.mark.filterwarnings("ignore:.*fewer than 50")
def test_prt_of_small_groups_is_not_larger():
    rng = np.random.default_rng(1)
    values = {}
    for n in (12, 200):
        pairs = [planted(rng, change=0.0, n=n) for _ in range(20)]
        values[n] = np.mean([compare(t, o, by="period", draws=1)["prt"][0] for t, o in pairs])
    assert abs(values[12] - values[200]) < 0.1


def test_all_pairs_of_groups_and_words_with_their_false_discovery_rate():
    rng = np.random.default_rng(2)
    tables = []
    for word in ("a", "b"):
        table, _ = planted(rng, change=0.8, word=word)
        table.loc[rng.permutation(len(table))[:60], "period"] = "now"
        tables.append(table)
    with pytest.warns(UserWarning, match="fewer than 50"):
        compared = compare(pd.concat(tables, ignore_index=True), by="period")
    assert len(compared) == 6
    assert (compared["jsd_q"] >= compared["jsd_p"]).all()
    assert not any(name.startswith(("prt", "apd")) for name in compared)


def test_senses_gained_and_lost():
    table = pd.DataFrame(
        {"word": "mouse", "sense": [0] * 50 + [1] * 50, "period": ["1960"] * 50 + ["2010"] * 50}
    )
    row = compare(table, by="period").iloc[0]
    assert (row["gained"], row["lost"]) == ([1], [0])


@pytest.mark.filterwarnings("ignore:.*fewer than 50")
def test_a_rare_word_gains_no_sense_by_being_used():
    table = pd.DataFrame(
        {"word": "mouse", "sense": [1] + [0] * 20 + [1] * 20, "period": ["1811"] + ["2010"] * 40}
    )
    row = compare(table, by="period").iloc[0]
    assert (row["gained"], row["lost"]) == ([], [])


def test_senses_with_names_are_called_by_them():
    table = pd.DataFrame(
        {"word": "mouse", "sense": [0] * 50 + [1] * 50, "period": ["1960"] * 50 + ["2010"] * 50}
    )
    row = compare(table.assign(name=["animal"] * 50 + [""] * 50), by="period").iloc[0]
    assert (row["gained"], row["lost"]) == ([1], ["animal"])


def test_a_picture_shows_groups_and_senses():
    table, occurrences = planted(np.random.default_rng(5), change=0.5)
    shares, points = plot_change(table, "gay", by="period", occurrences=occurrences).axes
    assert [label.get_text() for label in shares.get_xticklabels()] == [
        "new\nn = 80",
        "old\nn = 80",
    ]
    heights = [bar.get_height() for bar in shares.patches]
    assert sum(heights) == pytest.approx(2)  # 100% in each of two groups
    assert sum(len(each.get_offsets()) for each in points.collections) == 160
    with pytest.raises(InputError, match="'sad' has no occurrences"):
        plot_change(table, "sad", by="period")


def test_the_same_seed_gives_the_same_table():
    table, occurrences = planted(np.random.default_rng(3), change=0.2)
    first, second = (compare(table, occurrences, by="period", seed=7) for _ in range(2))
    pd.testing.assert_frame_equal(first, second)


def test_rows_and_occurrences_must_match():
    table, occurrences = planted(np.random.default_rng(4), change=0.2)
    with pytest.raises(InputError, match="assigned has 159 rows and occurrences 160"):
        compare(table.iloc[:-1], occurrences, by="period")
    with pytest.raises(InputError, match="another order"):
        compare(table.assign(word="other"), occurrences, by="period")


@pytest.mark.parametrize(
    ("values", "every", "says"),
    [
        (["one", "one"], None, "only 'one'"),
        (["", None], None, "no value"),
        ([str(i) for i in range(30)], None, "30 different values"),
        (["May 1811", "June"], 10, "begins with a year: May 1811, June"),
    ],
)
def test_columns_that_are_no_groups_are_refused(values, every, says):
    with pytest.raises(InputError, match=says):
        groups_of(pd.DataFrame({"date": values}), "date", every)


def test_dates_fall_into_bins():
    table = pd.DataFrame({"date": ["1811-05-01", 1849, "1850/1/1", None]})
    assert groups_of(table, "date", 50).fillna("-").tolist() == [
        "1800–1849",
        "1800–1849",
        "1850–1899",
        "-",
    ]

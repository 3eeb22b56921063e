"""Detection: shared neighbors, probabilities and verdicts, and what cannot be judged."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exrpca import InputError, SenseVectors, bundled, make_senses
from exrpca.cleaning import SenseDecomposition, detect, summary
from exrpca.cleaning.detect import verdicts

PAIR = ["word", "sense_a", "sense_b"]
COLUMNS = [*PAIR, "shared", "examples", "cosine", "probability", "verdict", "judged_by"]


@pytest.fixture(scope="module")
def planted():
    return make_senses(n_words=800, dim=30)


@pytest.fixture(scope="module")
def judged():
    return detect(bundled())


def pair(judged: pd.DataFrame, word: str, a: int, b: int) -> pd.Series:
    found = judged.query("word == @word and sense_a == @a and sense_b == @b")
    return found.iloc[0]


def shared_by_hand(senses: SenseVectors, word: str, a: int, b: int, n: int) -> int:
    """Count the words among the nearest n of both senses, one sense at a time."""
    near = []
    for sense in (a, b):
        table = senses.neighbors(word, sense, n=len(senses.vectors) - 1)
        words = table.loc[~table["same_word"], "neighbor"].drop_duplicates()
        near.append(set(words[:n]))
    return len(near[0] & near[1])


def test_shared_counts_the_words_that_both_senses_are_near_to(judged) -> None:
    word = "bank"
    found = pair(judged, word, 0, 1)
    assert found["shared"] == shared_by_hand(bundled(), word, 0, 1, 100)
    near = bundled().neighbors(word, 0, n=300)["neighbor"].tolist()
    assert all(example in near for example in found["examples"])


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.integers(20, 60), st.integers(1, 4))
def test_shared_is_right_for_any_vectors(seed, n_words, most) -> None:
    rng = np.random.default_rng(seed)
    n_senses = rng.integers(1, most + 1, n_words)
    n_senses[0] = 2
    # few distinct vectors would tie; normal ones do not
    vectors = rng.normal(size=(n_senses.sum(), 5))
    senses = SenseVectors(map(str, range(n_words)), vectors, n_senses)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pairs = detect(senses)
    row = pairs.iloc[int(rng.integers(len(pairs)))]
    n = max(1, n_words // 10)
    assert row["shared"] == shared_by_hand(senses, row["word"], row["sense_a"], row["sense_b"], n)


def test_senses_that_readers_know(judged) -> None:
    for word, a, b in [("bank", 0, 2), ("apple", 0, 2), ("plant", 0, 1), ("prime", 0, 2)]:
        assert pair(judged, word, a, b)["verdict"] == "real"
    for word, a, b in [("prime", 0, 1), ("imf", 0, 1), ("unesco", 1, 2)]:
        assert pair(judged, word, a, b)["verdict"] == "pseudo"


def test_nothing_but_vectors_is_needed(planted) -> None:
    senses = planted.senses
    alone = SenseVectors(senses.words, senses.vectors, senses.n_senses)
    pd.testing.assert_frame_equal(detect(alone), detect(senses))


def test_columns_and_rows_are_those_of_the_pairs(planted) -> None:
    pairs = detect(planted.senses)
    assert list(pairs) == COLUMNS
    pd.testing.assert_frame_equal(pairs[PAIR], planted.pairs[PAIR])
    assert pairs["probability"].between(0, 1).all()
    assert not pairs.attrs


def test_planted_real_pairs_are_less_probably_pseudo(planted) -> None:
    verdict = detect(planted.senses)["verdict"]
    real = planted.pairs["real"].to_numpy()
    assert (verdict[real] == "real").mean() > 0.7
    assert (verdict[~real] == "real").mean() < 0.1
    assert (verdict[real] == "pseudo").mean() < 0.1


def test_decomposition_gives_the_same_verdicts_and_its_own_outlier_norm(planted) -> None:
    decomposition = SenseDecomposition.fit(planted.senses, method="pca", rank=1)
    pairs = detect(decomposition)
    pd.testing.assert_series_equal(pairs["verdict"], detect(planted.senses)["verdict"])
    np.testing.assert_array_equal(pairs["outlier_norm"], decomposition.outlier_norm)


def test_scale_has_no_influence(planted) -> None:
    senses = planted.senses
    larger = senses.replace(vectors=128 * senses.vectors)
    pd.testing.assert_frame_equal(detect(senses), detect(larger))


def test_lower_lost_calls_fewer_pairs_pseudo(planted) -> None:
    found = [(detect(planted.senses, lost=lost)["verdict"] == "pseudo").sum() for lost in (0, 0.1)]
    assert found[0] == 0 < found[1]


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=50), st.floats(0, 1))
def test_pseudo_pairs_hold_at_most_the_share_of_real_ones_that_may_be_lost(odds, lost) -> None:
    probability = np.array(odds)
    verdict = verdicts(probability, lost)
    assert probability[verdict == "pseudo"].sum() <= lost * probability.sum() + 1e-6
    assert (probability[verdict == "real"] >= 0.5).all()
    undecided = probability[verdict == "undecided"]
    assert probability[verdict == "pseudo"].max(initial=0) < undecided.min(initial=1.1)


@pytest.mark.parametrize("lost", [-0.1, 1.5])
def test_bad_share_is_named(planted, lost: float) -> None:
    with pytest.raises(InputError, match=f"lost={lost} must be between 0 and 1"):
        detect(planted.senses, lost=lost)


@pytest.mark.parametrize(
    ("own", "towards_all", "reason"),
    [(0, 0, "no more neighbors than those of different words"), (1, 2, "look like noise")],
)
def test_noise_is_said_to_be_noise(own: float, towards_all: float, reason: str) -> None:
    # as in vectors of too little text, some senses are near to everything
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(2000, 1, 50)) * own + rng.normal(size=(2000, 2, 50))
    vectors += rng.normal(size=50) * rng.random((2000, 2, 1)) * 2 * towards_all
    senses = SenseVectors(map(str, range(2000)), vectors.reshape(-1, 50), [2] * 2000)
    with pytest.warns(UserWarning, match=reason):
        pairs = detect(senses)
    assert (pairs["verdict"] == "undecided").all()
    assert pairs["probability"].isna().all()


def test_few_words_have_too_few_neighbors() -> None:
    rng = np.random.default_rng(0)
    one = SenseVectors(["bank", "river"], rng.normal(size=(3, 5)), [2, 1])
    with pytest.warns(UserWarning, match="with 2 words, fewer than 100"):
        pairs = detect(one)
    assert pairs["verdict"].tolist() == ["undecided"]


def test_one_word_alone() -> None:
    with pytest.warns(UserWarning, match="with 1 words"):
        pairs = detect(SenseVectors(["bank"], np.eye(3), [3]))
    assert pairs["verdict"].tolist() == ["undecided"] * 3


def test_a_word_of_a_hundred_senses_and_one_without_length() -> None:
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(399, 5))
    vectors[0] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pairs = detect(SenseVectors(map(str, range(300)), vectors, [100] + [1] * 299))
    assert len(pairs) == 4950
    assert np.isfinite(pairs["cosine"]).all()


def test_equal_senses_share_all_neighbors() -> None:
    senses = make_senses(n_words=300, dim=10).senses
    vectors = senses.vectors.copy()
    rows = senses.rows(senses.words[1])
    vectors[rows] = vectors[rows.start]
    pairs = detect(senses.replace(vectors=vectors))
    same = pairs[pairs["word"] == senses.words[1]]
    assert (same["shared"] == 30).all()  # a tenth of the words
    assert (same["verdict"] == "pseudo").all()


def test_induced_senses_keep_the_verdict_of_induce(planted) -> None:
    entry = {"induction": {"mean": [0.0], "spread": 1.0}}
    pairs = detect(planted.senses.replace(metadata=entry))
    assert (pairs["verdict"] == "real").all()
    assert pairs["probability"].isna().all()


def test_result_can_be_written_as_parquet(planted, tmp_path) -> None:
    pairs = detect(planted.senses)
    pairs.to_parquet(tmp_path / "pairs.parquet")
    read = pd.read_parquet(tmp_path / "pairs.parquet")
    assert summary(read) == summary(pairs)


def test_frequent_words_are_the_neighbors_of_a_large_vocabulary() -> None:
    from exrpca.cleaning.shared_neighbors import candidate_words

    n = 12_000
    words = [f"w{i:05}" for i in range(n)]
    vectors = np.ones((n, 1))
    counts = np.arange(n)
    assert candidate_words(SenseVectors(words, vectors, [1] * n, counts=counts)).min() == 2000
    spaced = candidate_words(SenseVectors(words, vectors, [1] * n))  # in alphabetical order
    assert len(spaced) == 10_000
    assert spaced[-1] == n - 1
    first = candidate_words(SenseVectors(words[::-1], vectors, [1] * n))
    np.testing.assert_array_equal(first, np.arange(10_000))

"""Detection: shares, probabilities and verdicts, on planted pairs and in corner cases."""

import numpy as np
import pandas as pd
import pytest

from exrpca import InputError, SenseVectors, make_senses
from exrpca.cleaning import RealShare, SenseDecomposition, detect


@pytest.fixture(scope="module")
def planted():
    return make_senses(n_words=400, dim=30)


def related(n=800, dim=20, seed=0):
    """Return senses whose differences have one kind of length, and which of them are real.

    Half of the words have senses of two topics, as unlike as topics of different words. The
    others have two contexts of one topic.
    """
    rng = np.random.default_rng(seed)
    real = rng.random(n) < 0.5
    topic = rng.normal(size=(n, 2, dim))
    topic[~real, 1] = topic[~real, 0]
    centers = topic + 0.5 * rng.normal(size=topic.shape)
    vectors = rng.normal(size=(n, 1, dim)) + 0.7 * rng.normal(size=topic.shape)
    senses = SenseVectors(
        map(str, range(n)), vectors.reshape(-1, dim), [2] * n, centers=centers.reshape(-1, dim)
    )
    return senses, real


@pytest.mark.parametrize("counts", [True, False])
@pytest.mark.parametrize(
    ("real_share", "dim"),
    [(0.05, 50), (0.12, 100), (0.25, 50), (0.39, 50), (0.54, 100), (0.8, 50)],
)
def test_any_planted_share_is_found(real_share: float, dim: int, counts: bool) -> None:
    truth = make_senses(n_words=1500, dim=dim, real_share=real_share)
    real = truth.pairs["real"].to_numpy()
    missing = {"centers": None} if counts else {"centers": None, "counts": None}
    pairs = detect(truth.senses.replace(**missing))
    called = (pairs["verdict"] == "real").to_numpy()
    share = pairs.attrs["real_share"]
    assert share.basis == "mixture"
    assert abs(share.estimate - real.mean()) < 0.07
    assert share.low <= real.mean() <= share.high
    assert called[real].mean() >= 0.9
    assert (~real[called]).mean() <= 0.25


def test_columns_and_rows_are_those_of_the_pairs(planted) -> None:
    pairs = detect(planted.senses)
    assert list(pairs) == ["word", "sense_a", "sense_b", "score", "probability", "verdict"]
    columns = ["word", "sense_a", "sense_b"]
    pd.testing.assert_frame_equal(pairs[columns], planted.pairs[columns])
    assert pairs["probability"].between(0, 1).all()


def test_decomposition_gives_the_same_verdicts_and_its_own_outlier_norm(planted) -> None:
    decomposition = SenseDecomposition.fit(planted.senses, method="pca", rank=1)
    pairs = detect(decomposition)
    pd.testing.assert_series_equal(pairs["verdict"], detect(planted.senses)["verdict"])
    np.testing.assert_array_equal(pairs["outlier_norm"], decomposition.outlier_norm)


def test_same_vectors_give_the_same_answer_at_any_scale(planted) -> None:
    senses = planted.senses
    larger = senses.replace(vectors=100 * senses.vectors, centers=7 * senses.centers)
    first, second, scaled = detect(senses), detect(senses), detect(larger)
    pd.testing.assert_frame_equal(first, second)
    np.testing.assert_allclose(first["score"], scaled["score"], atol=1e-3)


def test_other_words_decide_where_lengths_do_not() -> None:
    senses, real = related()
    pairs = detect(senses)
    share = pairs.attrs["real_share"]
    assert share.basis == "contrast"
    assert share.estimate is None
    assert 0.3 < share.low < real.mean() + 0.05
    assert share.high == 1
    verdict = pairs["verdict"].to_numpy()
    assert (verdict[~real] == "pseudo").mean() > 0.5  # vectors are noise here, centers are not
    assert (verdict[real] == "pseudo").mean() < 0.15 + 0.05


def test_lower_lost_calls_fewer_pairs_pseudo() -> None:
    senses, real = related(n=3000)
    found = {lost: detect(senses, lost=lost)["verdict"] == "pseudo" for lost in (0, 0.05, 0.3)}
    assert found[0].sum() < found[0.05].sum() < found[0.3].sum()
    assert real[found[0.05]].sum() <= 0.08 * real.sum()


def test_words_that_fit_any_topic_are_not_called_real_for_it() -> None:
    # the contexts of every fifth word have no direction in common: short centers, any angle
    senses, real = related(n=2000)
    fits_any = np.arange(len(real)) % 5 == 0
    shares = np.where(fits_any, 0.2, 1.0)[senses.word_of_row, None]
    noise = np.random.default_rng(1).normal(size=senses.centers.shape)
    mixed = np.where(shares < 1, noise, senses.centers) * shares
    verdict = detect(senses.replace(centers=mixed))["verdict"].to_numpy()
    assert (verdict[real & ~fits_any] == "real").mean() > 0.5
    assert (verdict[fits_any] == "real").mean() < 0.3


def test_nothing_decides_without_centers() -> None:
    senses, _ = related()
    pairs = detect(senses.replace(centers=None))
    assert (pairs["verdict"] == "undecided").all()
    assert pairs["probability"].isna().all()
    assert np.isfinite(pairs["score"]).all()
    assert pairs.attrs["real_share"] == RealShare(None, 0.0, 1.0, "none")


def test_senses_pushed_apart_by_training_are_undecided() -> None:
    # centers of one word on opposite sides: less alike than those of different words
    rng = np.random.default_rng(0)
    n, dim = 500, 20
    centers = rng.normal(size=(n, dim))
    centers = np.stack([centers, -centers], axis=1).reshape(-1, dim)
    senses = SenseVectors(
        map(str, range(n)), rng.normal(size=(2 * n, dim)), [2] * n, centers=centers
    )
    assert (detect(senses)["verdict"] == "undecided").all()


def test_no_real_pair_means_no_verdict_real() -> None:
    truth = make_senses(n_words=1000, real_share=0)
    pairs = detect(truth.senses)
    assert (pairs["verdict"] != "real").all()


def test_rare_senses_are_not_called_real_for_being_far_apart() -> None:
    # all pairs are pseudo; senses of few tokens are far apart by chance
    rng = np.random.default_rng(0)
    n, dim = 500, 20
    counts = np.exp(rng.uniform(np.log(20), np.log(20_000), 2 * n)).astype(int)
    word = np.repeat(rng.normal(size=(n, dim)), 2, axis=0)
    vectors = word + rng.normal(size=word.shape) * 5 / np.sqrt(counts)[:, None]
    senses = SenseVectors(map(str, range(n)), vectors, [2] * n, counts=counts)
    rarer = counts.reshape(-1, 2).min(axis=1)
    with_counts = detect(senses)["score"]
    without = detect(senses.replace(counts=None))["score"]
    assert abs(np.corrcoef(with_counts, np.log(rarer))[0, 1]) < 0.3
    assert np.corrcoef(without, np.log(rarer))[0, 1] < -0.6


@pytest.mark.parametrize("n_pairs", range(1, 12))
def test_few_pairs_are_scored_as_well(n_pairs: int) -> None:
    rng = np.random.default_rng(n_pairs)
    counts = rng.integers(20, 2000, 2 * n_pairs)
    vectors, centers = rng.normal(size=(2, 2 * n_pairs, 6))
    words = [str(i) for i in range(n_pairs)]
    senses = SenseVectors(words, vectors, [2] * n_pairs, counts=counts, centers=centers)
    pairs = detect(senses)
    assert len(pairs) == n_pairs
    assert np.isfinite(pairs["score"]).all()


@pytest.mark.parametrize("lost", [-0.1, 1.5])
def test_bad_share_is_named(planted, lost: float) -> None:
    with pytest.raises(InputError, match=f"lost={lost} must be between 0 and 1"):
        detect(planted.senses, lost=lost)


def test_one_multi_sense_word_and_a_word_of_a_hundred_senses() -> None:
    rng = np.random.default_rng(0)
    one = SenseVectors(["bank", "river"], rng.normal(size=(3, 5)), [2, 1], counts=[5, 6, 7])
    assert len(detect(one)) == 1
    many = SenseVectors(["set", "go"], rng.normal(size=(102, 5)), [100, 2])
    pairs = detect(many)
    assert len(pairs) == 4951
    assert np.isfinite(pairs["score"]).all()


def test_senses_that_are_equal_are_pseudo() -> None:
    senses = make_senses(n_words=300, dim=10).senses
    vectors, centers = senses.vectors.copy(), senses.centers.copy()
    rows = senses.rows(senses.words[1])
    vectors[rows], centers[rows] = vectors[rows.start], centers[rows.start]
    pairs = detect(senses.replace(vectors=vectors, centers=centers))
    same = pairs[pairs["word"] == senses.words[1]]
    assert (same["verdict"] == "pseudo").all()
    assert np.isfinite(pairs["score"]).all()


def test_result_can_be_written_as_parquet(planted, tmp_path) -> None:
    pairs = detect(planted.senses)
    pairs.to_parquet(tmp_path / "pairs.parquet")
    read = pd.read_parquet(tmp_path / "pairs.parquet")
    assert RealShare(*read.attrs["real_share"]) == pairs.attrs["real_share"]

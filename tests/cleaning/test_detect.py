"""Detection: scores, probabilities and verdicts, on planted pairs and in corner cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from exrpca import InputError, SenseVectors, make_senses
from exrpca.cleaning.detect import DEFAULT_SCORE, detect, real_at
from exrpca.cleaning.scores import SCORES, PairScores, standardized
from exrpca.cleaning.sense_decomposition import SenseDecomposition


@pytest.fixture(scope="module")
def planted():
    return make_senses(n_words=400, dim=30)


@pytest.mark.parametrize("score", SCORES)
def test_every_score_finds_the_planted_real_pairs(planted, score: str) -> None:
    pairs = detect(planted.senses, score=score)
    assert roc_auc_score(planted.pairs["real"], pairs["score"]) > 0.95
    # the probability never falls as the score rises
    by_score = pairs.sort_values("score")["probability"].to_numpy()
    assert (np.diff(by_score) >= -1e-12).all()


def test_columns_and_rows_are_those_of_the_pairs(planted) -> None:
    pairs = detect(planted.senses)
    assert list(pairs) == [
        "word", "sense_a", "sense_b", "outlier_norm", "score", "probability", "verdict",
    ]  # fmt: skip
    columns = ["word", "sense_a", "sense_b"]
    assert pairs[columns].equals(planted.pairs[columns])
    assert pairs["probability"].between(0, 1).all()
    assert set(pairs["verdict"]) == {"real", "pseudo"}


@pytest.mark.parametrize("missing", [("counts",), ("centers",), ("counts", "centers", "globals")])
def test_vectors_alone_are_enough(planted, missing: tuple[str, ...]) -> None:
    pairs = detect(planted.senses.replace(**dict.fromkeys(missing)))
    assert roc_auc_score(planted.pairs["real"], pairs["score"]) > 0.95


def test_centers_score_needs_centers(planted) -> None:
    with pytest.raises(InputError, match="needs centers"):
        detect(planted.senses.replace(centers=None), score="centers")


def test_scale_of_vectors_does_not_matter(planted) -> None:
    senses = planted.senses
    larger = senses.replace(vectors=100 * senses.vectors, centers=7 * senses.centers)
    found, expected = (
        PairScores(SenseDecomposition.fit(each)).score(DEFAULT_SCORE) for each in (larger, senses)
    )
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_rare_senses_are_not_called_real_for_being_far_apart() -> None:
    # all pairs are pseudo; senses of few tokens are far apart by chance
    rng = np.random.default_rng(0)
    n, dim = 500, 20
    counts = np.exp(rng.uniform(np.log(20), np.log(20_000), 2 * n)).astype(int)
    word = np.repeat(rng.normal(size=(n, dim)), 2, axis=0)
    vectors = word + rng.normal(size=word.shape) * 5 / np.sqrt(counts)[:, None]
    names = [f"w{i}" for i in range(n)]
    senses = SenseVectors(names, vectors, [2] * n, counts=counts)
    rarer = counts.reshape(-1, 2).min(axis=1)
    with_counts = detect(senses)["score"]
    without = detect(senses.replace(counts=None))["score"]
    assert abs(np.corrcoef(with_counts, np.log(rarer))[0, 1]) < 0.1
    assert np.corrcoef(without, np.log(rarer))[0, 1] < -0.8


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50), st.floats(0.01, 0.99))
def test_expected_false_discoveries_stay_at_the_rate(values: list[float], fdr: float) -> None:
    probability = np.array(values)
    real = real_at(probability, probability, fdr)
    if real.any():
        assert (1 - probability[real]).mean() <= fdr + 1e-9
        assert probability[real].min() >= probability[~real].max(initial=0)
    if not real.all():  # one more would be too many
        best_left = probability[~real].max()
        wrong = (1 - probability[real]).sum() + 1 - best_left
        assert wrong / (real.sum() + 1) > fdr - 1e-9


@pytest.mark.parametrize("score", ["outlier_norm", "cosine_cleaned"])
def test_verdicts_follow_the_score(planted, score: str) -> None:
    pairs = detect(planted.senses, score=score)
    real = pairs["verdict"] == "real"
    assert 0 < real.sum() < len(pairs)
    assert pairs["score"][real].min() > pairs["score"][~real].max()


@pytest.mark.parametrize("n_pairs", range(1, 12))
def test_few_pairs_are_scored_as_well_at_any_scale(n_pairs: int) -> None:
    rng = np.random.default_rng(n_pairs)
    words = [f"w{i}" for i in range(n_pairs)]
    counts = rng.integers(20, 2000, 2 * n_pairs)
    vectors = rng.normal(size=(2 * n_pairs, 6))
    senses = SenseVectors(words, vectors, [2] * n_pairs, counts=counts)
    larger = senses.replace(vectors=3 * senses.vectors)
    np.testing.assert_allclose(detect(senses)["score"], detect(larger)["score"], atol=0.01)


def test_higher_rate_calls_more_pairs_real(planted) -> None:
    found = [(detect(planted.senses, fdr=f)["verdict"] == "real").sum() for f in (0.01, 0.1, 0.5)]
    assert found == sorted(found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"fdr": 0}, "fdr=0 must be"), ({"fdr": 1.0}, "fdr=1.0 must"), ({"score": "x"}, "score='x'")],
)
def test_bad_arguments_are_named(planted, arguments: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        detect(planted.senses, **arguments)


def test_one_multi_sense_word_and_a_word_of_a_hundred_senses() -> None:
    rng = np.random.default_rng(0)
    one = SenseVectors(["bank", "river"], rng.normal(size=(3, 5)), [2, 1], counts=[5, 6, 7])
    pairs = detect(one)
    assert len(pairs) == 1
    assert np.isfinite(pairs["score"]).all()
    many = SenseVectors(["set", "go"], rng.normal(size=(102, 5)), [100, 2])
    pairs = detect(many)
    assert len(pairs) == 4951
    assert np.isfinite(pairs["probability"]).all()


def test_senses_that_are_equal_are_pseudo() -> None:
    senses = make_senses(n_words=100, dim=10).senses
    vectors, centers = senses.vectors.copy(), senses.centers.copy()
    rows = senses.rows(senses.words[1])
    vectors[rows], centers[rows] = vectors[rows.start], centers[rows.start]
    pairs = detect(senses.replace(vectors=vectors, centers=centers))
    same = pairs[pairs["word"] == senses.words[1]]
    assert (same["verdict"] == "pseudo").all()
    assert np.isfinite(pairs["score"]).all()


def test_constant_values_are_not_surprising() -> None:
    np.testing.assert_array_equal(standardized(np.full(4, 3.0), np.ones((4, 1))), np.zeros(4))

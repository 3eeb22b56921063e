import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy.stats import spearmanr

from exrpca.errors import InputError
from exrpca.evaluation import Bootstrap, spearman

few_values = arrays(np.float64, 30, elements=st.integers(0, 6).map(float))


@given(few_values, few_values)
def test_spearman_is_scipys_also_with_ties(a, b):
    if np.ptp(a) and np.ptp(b):
        assert_allclose(spearman(a, b), spearmanr(a, b).statistic, atol=1e-12)
    else:
        assert np.isnan(spearman(a, b))


@settings(max_examples=20)
@given(few_values, few_values)
def test_resampled_correlations_are_those_of_the_drawn_pairs(a, b):
    if not (np.ptp(a) and np.ptp(b)):
        return
    bootstrap = Bootstrap(a, n_resamples=20, seed=3)
    for drawn, ours in zip(bootstrap._counts.astype(int), bootstrap._resampled(b), strict=True):
        assert_allclose(ours, spearman(np.repeat(a, drawn), np.repeat(b, drawn)), atol=1e-6)


def test_interval_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(0)
    truth = 6 / np.pi * np.arcsin(0.6 / 2)  # Spearman's ρ of a normal pair correlated by 0.6
    hits = 0
    for seed in range(200):
        x = rng.normal(size=150)
        y = 0.6 * x + 0.8 * rng.normal(size=150)
        _, low, high = Bootstrap(x, n_resamples=300, seed=seed).correlation(y)
        hits += low <= truth <= high
    assert 0.89 <= hits / 200 <= 0.99


def test_difference_is_paired():
    rng = np.random.default_rng(1)
    truth = rng.normal(size=300)
    noise = rng.normal(size=300)
    better, worse = truth + noise, truth + 1.1 * noise
    bootstrap = Bootstrap(truth)
    difference, low, high = bootstrap.difference(better, worse)
    assert_allclose(difference, spearman(truth, better) - spearman(truth, worse))
    alone = bootstrap.correlation(better)
    assert high - low < (alone.high - alone.low) / 3  # what both share cancels
    assert bootstrap.difference(better, better) == (0, 0, 0)


def test_a_seed_gives_the_same_interval_again():
    truth, scores = np.random.default_rng(2).normal(size=(2, 50))
    assert Bootstrap(truth, seed=5).correlation(scores) == Bootstrap(truth, seed=5).correlation(
        scores
    )
    assert Bootstrap(truth, seed=5).correlation(scores) != Bootstrap(truth, seed=6).correlation(
        scores
    )


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="1 rated pairs"):
        Bootstrap([1.0])
    with pytest.raises(InputError, match="n_resamples=0"):
        Bootstrap([1.0, 2.0], n_resamples=0)
    with pytest.raises(InputError, match="3 scores for 2 ratings"):
        Bootstrap([1.0, 2.0]).correlation([1, 2, 3])
    assert np.isnan(Bootstrap([1.0, 2.0]).correlation([1, 1]).low)

"""The parts of the strength of a cut."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from exrpca.contextual import Occurrences, judge_labels
from exrpca.contextual.centering import at_length_1
from exrpca.contextual.forms import forms_of, without_forms
from exrpca.contextual.split import cut_in_two, squared_distances
from exrpca.contextual.strength import (
    held_out_scores,
    separation,
    strength_needed,
)
from exrpca.contextual.valley import valley
from exrpca.errors import InputError


def two_clouds(m, apart, seed=0, dim=80):
    rng = np.random.default_rng(seed)
    side = np.arange(m) % 2 == 1
    x = rng.normal(size=(m, dim))
    x[side, 0] += apart
    return x, side


def test_the_cut_is_between_two_clouds():
    x, side = two_clouds(60, 30)
    assert abs((cut_in_two(x @ x.T) == side).mean() - 0.5) == 0.5


def test_an_outlier_is_not_cut_off_from_two_clouds():
    x, side = two_clouds(60, 30)
    x[0, 5] += 25
    assert abs((cut_in_two(x @ x.T) == side).mean() - 0.5) == 0.5


def test_squared_distances_are_those_of_the_vectors():
    x, _ = two_clouds(7, 3)
    expected = ((x[:, None] - x) ** 2).sum(axis=2)
    np.testing.assert_allclose(squared_distances(x @ x.T), expected, atol=1e-9)


def test_separation_is_the_ratio_of_mean_distances_for_many_occurrences():
    x, side = two_clouds(400, 10)
    distances = ((x[:, None] - x) ** 2).sum(axis=2) / 2
    same = side[:, None] == side
    within = distances[same].sum() / (same.sum() - len(x))
    expected = distances[~same].mean() / within
    assert separation(x @ x.T, side, typical=within) == pytest.approx(expected)


def test_separation_of_two_occurrences_is_their_distance_over_the_typical_one():
    x = np.eye(2)
    assert separation(x @ x.T, np.array([False, True]), typical=0.5) == pytest.approx(2.0)


def test_one_cloud_has_no_valley_on_directions_found_without_its_places():
    found = []
    for seed in range(10):
        x, _ = two_clouds(150, 0, seed)
        side = cut_in_two(x @ x.T)
        found.append(
            valley(held_out_scores(x @ x.T, side, np.random.default_rng(seed), given=False))
        )
    assert np.median(found) < 2


def test_places_of_two_clouds_have_a_valley():
    x, side = two_clouds(100, 12)
    places = held_out_scores(x @ x.T, side, np.random.default_rng(0), given=True)
    assert valley(places) > 4


@pytest.mark.parametrize("apart", [3.0, 5.0, 8.0])
def test_the_valley_is_the_distance_in_standard_deviations(apart):
    rng = np.random.default_rng(0)
    places = rng.normal(size=3000) + apart * (np.arange(3000) < 900)
    assert valley(places) == pytest.approx(apart, rel=0.1)


@pytest.mark.parametrize("m", [20, 50, 200])
def test_a_valley_that_may_be_chance_is_none(m):
    """Of samples of one normal distribution, 19 of 20 show no valley, whatever their size."""
    rng = np.random.default_rng(m)
    shares = [valley(rng.normal(size=m)) <= 2 for _ in range(200)]
    assert np.mean(shares) > 0.9


def test_equal_places_have_no_valley():
    assert valley(np.zeros(30)) <= 1


def test_the_needed_strength_rises_with_what_may_be_lost():
    needed = [strength_needed(lost) for lost in np.linspace(0, 1, 11)]
    assert needed == sorted(needed)
    assert (needed[0], needed[-1]) == (0, np.inf)


def test_what_a_form_does_is_taken_out_and_senses_stay():
    """Half of the occurrences of each sense are plural, which moves their vectors further."""
    x, sense = two_clouds(200, 12)
    plural = np.arange(200) // 2 % 2
    x[:, 1] += 20 * plural
    x = at_length_1(x)
    cut = cut_in_two(x @ x.T)
    assert abs((cut == plural).mean() - 0.5) == 0.5
    alike = without_forms(x, plural)
    assert abs((cut_in_two(alike @ alike.T) == sense).mean() - 0.5) > 0.45


def test_a_rare_form_hardly_counts_since_it_may_be_a_sense():
    x, _ = two_clouds(40, 20)
    x = at_length_1(x - x.mean(axis=0))
    rare = np.zeros(40, dtype=int)
    rare[:2] = 1
    moved = np.linalg.norm(without_forms(x, rare) - x, axis=1)
    assert 0 < moved[:2].max() < 0.2
    assert moved[2:].max() < 0.02


@pytest.mark.parametrize("column", ["form", "target"])
def test_forms_come_from_the_texts_in_any_case(column):
    texts = pa.table({column: ["Bank", "banks", "BANK", "Banks"]})
    occurrences = Occurrences.from_arrays(["bank"] * 4, np.eye(4), texts=texts)
    assert forms_of(occurrences).tolist() == [0, 1, 0, 1]
    assert forms_of(Occurrences.from_arrays(["bank"] * 4, np.eye(4))).tolist() == [0] * 4


def test_labels_of_one_cloud_are_judged_the_same_sense_and_of_two_different():
    x, side = two_clouds(120, 20)
    labels = np.where(side, 7, np.arange(120) // 2 % 2)
    labels[:3] = -1
    found = judge_labels(Occurrences.from_arrays(["it"] * 120, x, labels=labels))
    assert found[["label_a", "label_b"]].to_numpy().tolist() == [[0, 1], [0, 7], [1, 7]]
    assert found["n_a"].tolist() == [29, 29, 29]
    assert found["probability"].iloc[0] < 0.5 < found["probability"].iloc[1:].min()


def test_judging_needs_labels_and_does_not_need_an_order():
    x, side = two_clouds(40, 10)
    with pytest.raises(InputError, match="no labels"):
        judge_labels(Occurrences.from_arrays(["it"] * 40, x))
    one = judge_labels(Occurrences.from_arrays(["it"] * 40, x, labels=side.astype(int)))
    two = judge_labels(Occurrences.from_arrays(["it"] * 40, x[::-1], labels=side[::-1].astype(int)))
    pd.testing.assert_frame_equal(one, two)

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exrpca.cleaning.verdicts import verdicts


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50), st.floats(0, 1))
def test_no_more_real_pairs_are_lost_than_allowed(values: list[float], lost: float) -> None:
    probability = np.array(values)
    verdict = verdicts(probability, probability, lost)
    pseudo, undecided = verdict == "pseudo", verdict == "undecided"
    assert probability[pseudo].sum() <= lost * probability.sum() + 1e-6
    assert ((verdict == "real") == (probability >= 0.5)).all()
    if undecided.any():  # one more would be too many
        least = probability[undecided].min()
        assert probability[pseudo].max(initial=0) <= least
        assert probability[pseudo].sum() + least > lost * probability.sum() - 1e-6


def test_of_equally_probable_pairs_the_most_alike_are_pseudo() -> None:
    verdict = verdicts(np.full(4, 0.4), np.array([3.0, 1.0, 2.0, 4.0]), lost=0.5)
    assert verdict.tolist() == ["undecided", "pseudo", "pseudo", "undecided"]


def test_pairs_without_a_probability_are_undecided_and_do_not_count() -> None:
    probability = np.array([np.nan, 0.1, 0.9])
    assert verdicts(probability, probability, 0.1).tolist() == ["undecided", "pseudo", "real"]
    assert verdicts(np.array([np.nan]), np.zeros(1), 0.1).tolist() == ["undecided"]

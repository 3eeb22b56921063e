import numpy as np

from exrpca.cleaning.usual import CountFeatures, Usual


def test_constant_values_do_not_deviate() -> None:
    values, features = np.full(4, 3.0), np.ones((4, 1))
    np.testing.assert_array_equal(Usual(values, features).deviations(values, features), 0)


def test_few_pairs_have_no_count_features() -> None:
    counts = np.arange(1, 101)
    rows = np.arange(50)
    assert CountFeatures(counts, 59)(rows, rows + 50).shape == (50, 1)
    assert CountFeatures(counts, 60)(rows, rows + 50).shape == (50, 6)


def test_order_of_the_two_senses_does_not_matter() -> None:
    features = CountFeatures(np.arange(1, 101), 1000)
    a, b = np.arange(50), np.arange(50, 100)
    np.testing.assert_array_equal(features(a, b), features(b, a))

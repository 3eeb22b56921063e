import numpy as np

from exrpca import DifferenceMatrix, make_senses


def test_truth_matches_the_vectors():
    planted = make_senses(n_words=600, dim=40, n_components=2, noise=0.05, seed=4)
    X = np.asarray(DifferenceMatrix(planted.senses))
    U = planted.components
    np.testing.assert_allclose(U @ U.T, np.eye(2), atol=1e-6)
    rest = X - X @ U.T @ U
    real = planted.pairs["real"].to_numpy()
    # a pseudo pair differs along the planted directions and by noise alone: σ√2 an element
    assert abs(rest[~real].std() / (0.05 * np.sqrt(2)) - 1) < 0.03
    assert np.linalg.norm(rest[real], axis=1).min() > np.linalg.norm(rest[~real], axis=1).max()


def test_seed_decides():
    assert make_senses(n_words=20, seed=5).senses == make_senses(n_words=20, seed=5).senses
    assert make_senses(n_words=20, seed=5).senses != make_senses(n_words=20, seed=6).senses

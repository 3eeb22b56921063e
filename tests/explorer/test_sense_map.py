import numpy as np
import pytest

from exrpca.explorer import sense_map as module
from exrpca.explorer.sense_map import cached_sense_map, sense_map
from exrpca.senses import SenseVectors


def clusters(n=60, seed=0):
    """Senses around two far centers, every other one, and a direction to remove."""
    rng = np.random.default_rng(seed)
    centers = 5 * rng.normal(size=(2, 20))
    vectors = centers[np.arange(n) % 2] + rng.normal(size=(n, 20))
    words = [f"word{i}" for i in range(n)]
    component = np.linalg.qr(rng.normal(size=(20, 1)))[0].T
    return SenseVectors(words, vectors, [1] * n), component.astype(np.float32)


@pytest.mark.parametrize("landmarks", [1000, 20])
def test_near_senses_are_near(monkeypatch, landmarks):
    monkeypatch.setattr(module, "_LANDMARKS", landmarks)
    senses, component = clusters()
    for places in sense_map(senses, component):
        assert places.dtype == np.uint16
        points = places.astype(float)
        distances = np.linalg.norm(points[:, None] - points, axis=2)
        np.fill_diagonal(distances, np.inf)
        nearest = distances.argmin(axis=1)
        # in the cluster of the sense itself, whether t-SNE placed it or its neighbors did
        assert (nearest % 2 == np.arange(60) % 2).mean() > 0.9


def test_map_is_computed_once(monkeypatch, tmp_path):
    senses, component = clusters()
    first = cached_sense_map(senses, component, tmp_path)
    monkeypatch.setattr(module, "sense_map", None)
    again = cached_sense_map(senses, component, tmp_path)
    np.testing.assert_array_equal(first.before, again.before)
    np.testing.assert_array_equal(first.after, again.after)


def test_other_vectors_have_another_map(tmp_path):
    for seed in (0, 1):
        cached_sense_map(*clusters(seed=seed), tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_few_senses():
    senses = SenseVectors(["a", "b"], [[1, 0], [0, 1], [1, 1]], [2, 1])
    found = sense_map(senses, np.array([[1, 0]], dtype=np.float32))
    assert found.before.shape == found.after.shape == (3, 2)

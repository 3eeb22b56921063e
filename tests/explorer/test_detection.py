import numpy as np
import pytest

from exrpca.cleaning import SenseDecomposition
from exrpca.explorer.detection import judged_pairs, n_neighbors, with_shared_neighbors
from exrpca.senses import DifferenceMatrix, SenseVectors


@pytest.fixture
def bank():
    """A word of three senses, two of them alike, and 300 words around three axes."""
    rng = np.random.default_rng(0)
    around = np.repeat(np.eye(3), [30, 30, 240], axis=0)
    axes = np.concatenate([[[1, 0, 0], [1, 0.01, 0], [0, 1, 0]], around])
    vectors = np.hstack([axes, 0.01 * rng.normal(size=(303, 6))])
    return SenseVectors(["bank", *(f"w{i}" for i in range(300))], vectors, [3] + [1] * 300)


def test_senses_of_one_meaning_share_neighbors(bank):
    pairs = with_shared_neighbors(bank, DifferenceMatrix(bank).pairs)
    assert n_neighbors(bank) == 30
    assert pairs["shared"].tolist() == [30, 0, 0]
    assert {int(word[1:]) for word in pairs["examples"][0]} < set(range(30))
    assert pairs["examples"][1] == ()
    assert pairs["cosine"][0] > 0.99 > 0.1 > abs(pairs["cosine"][1])


def test_induced_senses_keep_the_verdict_of_induce(senses):
    metadata = {"induction": {"mean": [0.0] * senses.dim, "spread": 1.0, "vectors": {}}}
    pairs, _ = judged_pairs(SenseDecomposition.fit(senses.replace(metadata=metadata), rank=2))
    assert set(pairs["verdict"]) == {"real"}
    assert pairs["probability"].isna().all()

import numpy as np
import pytest

from exrpca.senses import SenseVectors


@pytest.fixture
def senses() -> SenseVectors:
    """Three words and four senses with everything there can be."""
    return SenseVectors(
        ["bank", "</s>", "naïve"],
        [[0.1, -2], [3e-7, 4], [5, 1 / 3], [-0.0, 7]],
        [2, 1, 1],
        counts=[3, 1, 4, 0],
        centers=[[1, 0], [0, 1], [0.5, 1], [1, 0]],
        globals=[[1, 1], [0, 1], [1, 0]],
        metadata={"window": 5},
    )


@pytest.fixture
def labeled(senses) -> SenseVectors:
    """The same with labels, several centers for a sense, and examples."""
    return senses.replace(
        centers=[[1, 0], [2, 0], [0, 1], [0.5, 1], [1, 0]],
        n_centers=[2, 1, 1, 1],
        labels=["money", "water", "", "|NOUN"],
        examples=[[("the ", "bank", " lends"), ("a ", "Bank", "")], [("", "banks", "")], [], []],
    )


@pytest.fixture(scope="session")
def many() -> SenseVectors:
    """Enough senses for several blocks of everything that is written in blocks."""
    rng = np.random.default_rng(0)
    n_senses = rng.integers(1, 4, 3_000)
    total = n_senses.sum()

    def normal(n_rows: int) -> np.ndarray:
        return rng.normal(size=(n_rows, 8)).astype(np.float32)

    return SenseVectors(
        [f"word{i}" for i in range(len(n_senses))],
        normal(total),
        n_senses,
        counts=rng.integers(0, 10**6, total),
        centers=normal(total),
        globals=normal(len(n_senses)),
    )

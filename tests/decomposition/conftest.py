"""Matrices whose parts are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray


@dataclass(frozen=True)
class Planted:
    low_rank: NDArray[np.floating]
    noise: NDArray[np.floating]
    sparse: NDArray[np.floating]

    @property
    def matrix(self) -> NDArray[np.floating]:
        return self.low_rank + self.noise + self.sparse


def make_planted(
    n: int = 2000, d: int = 40, *, rank: int = 3, share: float = 0.05, noise: float = 0.1,
    dtype: type = np.float64, seed: int = 0,
) -> Planted:  # fmt: skip
    """Low rank of unit variance, Gaussian noise, and outliers uniform in ±10."""
    random = np.random.default_rng(seed)
    low_rank = random.normal(size=(n, rank)) @ random.normal(size=(rank, d)) / np.sqrt(rank)
    sparse = np.where(random.random((n, d)) < share, random.uniform(-10, 10, (n, d)), 0)
    dense = noise * random.normal(size=(n, d))
    return Planted(low_rank.astype(dtype), dense.astype(dtype), sparse.astype(dtype))


@pytest.fixture(scope="session")
def planted() -> Callable[..., Planted]:
    return make_planted


@pytest.fixture(scope="session")
def angle() -> Callable[..., float]:
    """The largest principal angle between two sets of components."""

    def largest(a: NDArray[np.floating], b: NDArray[np.floating]) -> float:
        import scipy.linalg

        return float(scipy.linalg.subspace_angles(a.T.astype(float), b.T.astype(float)).max())

    return largest

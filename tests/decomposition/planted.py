"""Matrices whose parts are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Planted:
    low_rank: NDArray[np.floating]
    noise: NDArray[np.floating]
    sparse: NDArray[np.floating]

    @property
    def matrix(self) -> NDArray[np.floating]:
        return self.low_rank + self.noise + self.sparse


def planted(
    n: int = 2000, d: int = 40, *, rank: int = 3, share: float = 0.05, noise: float = 0.1,
    dtype: type = np.float64, seed: int = 0,
) -> Planted:  # fmt: skip
    """Low rank of unit variance, Gaussian noise, and outliers uniform in ±10."""
    random = np.random.default_rng(seed)
    low_rank = random.normal(size=(n, rank)) @ random.normal(size=(rank, d)) / np.sqrt(rank)
    sparse = np.where(random.random((n, d)) < share, random.uniform(-10, 10, (n, d)), 0)
    dense = noise * random.normal(size=(n, d))
    return Planted(low_rank.astype(dtype), dense.astype(dtype), sparse.astype(dtype))

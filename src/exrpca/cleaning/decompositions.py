"""The decompositions that cleaning and detection know, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from exrpca.decomposition import ConvexExRPCA, ExRPCA, RobustPCA
from exrpca.errors import InputError


class FittedEstimator(Protocol):
    """What a decomposition fitted to a difference matrix knows."""

    components_: NDArray[Any]
    explained_variance_ratio_: NDArray[Any]
    sparse_: csr_array


# Each takes the number of components. Difference matrices have mean 0 once each pair counts with
# both signs, so nothing is centered. PCA is the decomposition that sets no element aside, however
# large. One σ for all features is the paper's. A refit would turn the convex solution into the
# iterative one at another rank.
DECOMPOSITIONS: Mapping[str, Callable[[int], Any]] = {
    "pca": lambda rank: ExRPCA(rank, threshold=np.inf, scale="global", center=False),
    "exrpca": lambda rank: ExRPCA(rank, scale="global", center=False),
    "convex": lambda rank: ConvexExRPCA(n_components=rank, refit=False, center=False),
    "rpca": lambda rank: RobustPCA(n_components=rank, center=False),
}


def check_method(method: str) -> None:
    """Refuse a name that no decomposition has."""
    if method not in DECOMPOSITIONS:
        raise InputError(f"method={method!r} must be one of {', '.join(DECOMPOSITIONS)}")

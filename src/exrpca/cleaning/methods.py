"""The decompositions that cleaning and detection know, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from exrpca.decomposition import ConvexExRPCA, ExRPCA, RobustPCA
from exrpca.errors import InputError
from exrpca.senses import DifferenceMatrix, SenseVectors


class Decomposition(Protocol):
    """What a fitted decomposition of the difference matrix tells."""

    components_: NDArray[Any]
    explained_variance_ratio_: NDArray[Any]
    sparse_: csr_array
    noise_scale_: float


# Difference matrices have mean 0 once each pair counts with both signs: nothing is centered.
# PCA is the decomposition that sets no element aside, however large. A refit would make of the
# convex problem the iterative solution at another rank.
METHODS: Mapping[str, Callable[[int], Any]] = {
    "pca": lambda rank: ExRPCA(rank, threshold=np.inf, center=False),
    "exrpca": lambda rank: ExRPCA(rank, center=False),
    "convex": lambda rank: ConvexExRPCA(n_components=rank, refit=False, center=False),
    "rpca": lambda rank: RobustPCA(n_components=rank, center=False),
}


def decompose(
    senses: SenseVectors | DifferenceMatrix, *, method: str = "exrpca", rank: int = 3
) -> Decomposition:
    """Decompose the difference matrix of sense vectors.

    Parameters
    ----------
    senses : SenseVectors or DifferenceMatrix
    method : {"exrpca", "pca", "rpca", "convex"}, default "exrpca"
    rank : int, default 3
        How many components to find, 1 to dim − 1.

    Returns
    -------
    fitted estimator
        With `components_` (rank × dim), `explained_variance_ratio_`, `sparse_` (S, one row a
        pair) and `noise_scale_`.
    """
    differences = senses if isinstance(senses, DifferenceMatrix) else DifferenceMatrix(senses)
    n_pairs, dim = differences.shape
    if method not in METHODS:
        raise InputError(f"method={method!r} must be one of {', '.join(METHODS)}")
    if not 1 <= rank <= dim - 1:
        raise InputError(f"rank={rank} must be between 1 and {dim - 1} for {dim} dimensions")
    if rank > n_pairs:
        raise InputError(f"rank={rank} needs as many sense pairs; there are {n_pairs}")
    fitted: Decomposition = METHODS[method](rank).fit(differences)
    if len(fitted.components_) < rank:
        found = len(fitted.components_)
        raise InputError(f"method={method!r} found {found} components, fewer than rank={rank}")
    return fitted

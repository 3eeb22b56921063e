"""The fitted decomposition of sense vectors: what cleaning, detection and analysis start from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from exrpca.cleaning.projector import Projector
from exrpca.decomposition import ConvexExRPCA, ExRPCA, RobustPCA
from exrpca.errors import InputError
from exrpca.senses import DifferenceMatrix, SenseVectors
from exrpca.senses.metadata import updated

Floats = NDArray[Any]

DEFAULT_METHOD = "exrpca"
# The paper's choice on SCWS.
DEFAULT_RANK = 3

# Pairs read at a time: intermediate results stay small compared with the vectors.
_BLOCK = 8192


class FittedEstimator(Protocol):
    """What a decomposition fitted to a difference matrix knows."""

    components_: NDArray[Any]
    explained_variance_ratio_: NDArray[Any]
    sparse_: csr_array


# Each takes the number of components. Difference matrices have mean 0 once each pair counts with
# both signs, so nothing is centered. PCA is the decomposition without outliers, however
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


@dataclass(frozen=True, eq=False, repr=False)
class SenseDecomposition:
    """The decomposition X = L + E + S of the differences between the senses of each word.

    L lies along a few components, which the pseudo senses of all words share. E is noise. S
    holds the sparse outliers, which point at real senses. Fit it once, with `fit`, and pass it
    to `clean`, `detect`, `compare_methods` and the functions of `exrpca.analysis`.

    Attributes
    ----------
    senses : SenseVectors
        The original vectors.
    differences : DifferenceMatrix
        X, one row per pair of senses.
    method : str
        How X was decomposed.
    estimator : fitted estimator
        With `components_`, `explained_variance_ratio_` and `sparse_` (S).

    Examples
    --------
    >>> from exrpca import clean, detect, make_senses
    >>> senses = make_senses(n_words=300).senses
    >>> decomposition = SenseDecomposition.fit(senses, rank=2)
    >>> decomposition
    <SenseDecomposition: exrpca, 2 components, 400 pairs, 50 dimensions>
    >>> cleaned, pairs = clean(decomposition), detect(decomposition)
    >>> bool((pairs["outlier_norm"] == decomposition.outlier_norm).all())
    True
    """

    senses: SenseVectors
    differences: DifferenceMatrix
    method: str
    estimator: FittedEstimator

    @classmethod
    def fit(
        cls, senses: SenseVectors, *, method: str = DEFAULT_METHOD, rank: int = DEFAULT_RANK
    ) -> SenseDecomposition:
        """Decompose the differences between the senses of each word.

        Parameters
        ----------
        senses : SenseVectors
            At least one word must have two senses.
        method : {"exrpca", "pca", "rpca", "convex"}, default "exrpca"
            How the components are found.
        rank : int, default 3
            How many components to find: 1 to dim − 1, and no more than there are pairs. "convex"
            and "rpca" find the rank themselves, and may find fewer.

        Returns
        -------
        SenseDecomposition

        Examples
        --------
        >>> from exrpca import make_senses
        >>> SenseDecomposition.fit(make_senses(n_words=300).senses, method="pca").components.shape
        (3, 50)
        """
        differences = DifferenceMatrix(senses)
        n_pairs, dim = differences.shape
        check_method(method)
        if not 1 <= rank <= dim - 1:
            raise InputError(f"rank={rank} must be between 1 and {dim - 1} for {dim} dimensions")
        if rank > n_pairs:
            raise InputError(f"rank={rank} needs at least {rank} sense pairs; there are {n_pairs}")
        return cls(senses, differences, method, DECOMPOSITIONS[method](rank).fit(differences))

    def __repr__(self) -> str:
        n_pairs, dim = self.differences.shape
        return (
            f"<SenseDecomposition: {self.method}, {self.rank} components, {n_pairs:,} pairs, "
            f"{dim} dimensions>"
        )

    @property
    def components(self) -> Floats:
        """The components, orthonormal rows, largest first."""
        return self.estimator.components_

    @property
    def rank(self) -> int:
        """The number of components that were found."""
        return len(self.components)

    @cached_property
    def outlier_norm(self) -> Floats:
        """‖S_p‖₂, the length of each pair's row of S: the paper's indicator of real senses."""
        return np.sqrt(self.estimator.sparse_.power(2).sum(axis=1))

    @cached_property
    def projector(self) -> Projector:
        """T, which removes the components."""
        return Projector(self.components)

    @cached_property
    def cleaned(self) -> SenseVectors:
        """The sense vectors without the components; `metadata["cleaned"]` says how.

        Centers and global vectors, which choose the sense in context, stay.
        """
        return cleaned_by(self.projector, self.senses, self.method)

    def blocks(self) -> Iterator[tuple[Floats, Floats]]:
        """Yield the rows of X and those of X − S, some thousand pairs at a time."""
        for start in range(0, len(self.differences), _BLOCK):
            rows = slice(start, start + _BLOCK)
            X = self.differences[rows]
            yield X, X - self.estimator.sparse_[rows].toarray()


def cleaned_by(projector: Projector, senses: SenseVectors, method: str) -> SenseVectors:
    """Return senses without the components of a projector, which `method` found."""
    rank = len(projector.components)
    metadata = updated(senses.metadata, cleaned={"method": method, "rank": rank})
    return senses.replace(vectors=projector.apply(senses.vectors), metadata=metadata)


def usable_rank(senses: SenseVectors, rank: int = DEFAULT_RANK) -> int:
    """Return the rank, or a lower one where there are too few pairs or dimensions for it.

    As many components as pairs would leave nothing of any pair to judge it by.

    Examples
    --------
    >>> usable_rank(SenseVectors(["bank"], [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [3]), 2)
    1
    """
    n_pairs = int((senses.n_senses * (senses.n_senses - 1) // 2).sum())
    return min(rank, max(n_pairs // 2, 1), senses.dim - 1)

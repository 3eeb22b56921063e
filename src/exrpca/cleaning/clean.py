"""Cleaning: the directions in which pseudo senses differ are projected away."""

from __future__ import annotations

from exrpca.cleaning.sense_decomposition import SenseDecomposition, decomposition_of
from exrpca.errors import InputError
from exrpca.senses import SenseVectors


def clean(
    senses: SenseVectors | SenseDecomposition,
    *,
    method: str | None = None,
    rank: int | None = None,
) -> SenseVectors:
    """Project the directions of pseudo senses away from all sense vectors.

    The directions are the components of the matrix of differences between the senses of
    each word. Centers and global vectors, which choose the sense in context, stay.

    Parameters
    ----------
    senses : SenseVectors or SenseDecomposition
        Vectors, with at least one word that has two senses, or their fitted decomposition.
    method : {"exrpca", "pca", "rpca", "convex"}, optional
        How the components are found; "exrpca" by default. Not with a decomposition.
    rank : int, optional
        How many components are removed, 1 to dim − 1; 3 by default. Not with a decomposition.

    Returns
    -------
    SenseVectors
        The cleaned ones; `metadata["cleaned"]` says how.

    References
    ----------
    H. Shi, Y. Sun, J. Hu. Understanding and Improving Multi-Sense Word Embeddings via
    Extended Robust Principal Component Analysis. 2018.

    Examples
    --------
    >>> from exrpca import clean, make_senses
    >>> planted = make_senses(n_words=200, dim=20, n_components=2, seed=0)
    >>> cleaned = clean(planted.senses, rank=2)
    >>> bool(abs(cleaned.vectors @ planted.components.T).max() < 0.2)
    True
    """
    decomposition = decomposition_of(senses, method=method, rank=rank)
    if rank is not None and decomposition.rank < rank:
        raise InputError(
            f"method={method!r} found {decomposition.rank} components, fewer than rank={rank}"
        )
    return decomposition.cleaned

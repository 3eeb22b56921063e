"""Cleaning: the directions that pseudo senses differ in are projected away."""

from __future__ import annotations

from exrpca.cleaning.methods import decompose
from exrpca.cleaning.projector import Projector
from exrpca.senses import SenseVectors
from exrpca.senses.metadata import updated


def clean(senses: SenseVectors, *, method: str = "exrpca", rank: int = 3) -> SenseVectors:
    """Project the directions of pseudo senses away from all sense vectors.

    The directions are the components of the matrix of differences between the senses of
    each word. Centres and global vectors, which choose the sense in context, stay.

    Parameters
    ----------
    senses : SenseVectors
        At least one word must have two senses.
    method : {"exrpca", "pca", "rpca", "convex"}, default "exrpca"
        How the components are found.
    rank : int, default 3
        How many are removed, 1 to dim − 1.

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
    projector = Projector(decompose(senses, method=method, rank=rank).components_)
    metadata = updated(senses.metadata, cleaned={"method": method, "rank": rank})
    return senses.replace(vectors=projector.apply(senses.vectors), metadata=metadata)

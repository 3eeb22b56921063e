"""Cleaning: the directions in which pseudo senses differ are removed by projection."""

from __future__ import annotations

from typing import Literal

from exrpca.cleaning.projector import Projector
from exrpca.cleaning.sense_decomposition import DEFAULT_METHOD, SenseDecomposition, cleaned_by
from exrpca.cleaning.shared_directions import find_shared_directions
from exrpca.errors import InputError
from exrpca.senses import SenseVectors

Rank = int | Literal["auto"]


def clean(
    senses: SenseVectors | SenseDecomposition, *, method: str | None = None, rank: Rank = "auto"
) -> SenseVectors:
    """Remove the directions of pseudo senses from all sense vectors.

    The directions are the components of the matrix of differences between the senses of
    each word. Centers and global vectors, which choose the sense in context, stay.

    Parameters
    ----------
    senses : SenseVectors or SenseDecomposition
        Vectors, with at least one word that has two senses, or their fitted decomposition, whose
        components are removed.
    method : {"exrpca", "pca", "rpca", "convex"}, optional
        How the components are found; "exrpca" by default. Not with a decomposition.
    rank : int or "auto", default "auto"
        How many components are removed, 1 to dim − 1. "auto" finds them from the pairs that
        `detect` does not call real, and removes the leading ones that say little about the word:
        along them, the correlation of two senses of one word is at most ¼. There may be none.
        Not with a decomposition.

    Returns
    -------
    SenseVectors
        The cleaned ones; `metadata["cleaned"]` says how, with the rank.

    References
    ----------
    H. Shi, Y. Sun, J. Hu. Understanding and Improving Multi-Sense Word Embeddings via
    Extended Robust Principal Component Analysis. 2018.

    Examples
    --------
    >>> from exrpca import clean, make_senses
    >>> planted = make_senses(n_words=500, dim=20, n_components=2, seed=0)
    >>> cleaned = clean(planted.senses)
    >>> cleaned.metadata["cleaned"]
    {'method': 'exrpca', 'rank': 2}
    >>> bool(abs(cleaned.vectors @ planted.components.T).max() < 0.2)
    True
    """
    if isinstance(senses, SenseDecomposition):
        if method is not None or rank != "auto":
            raise InputError("a SenseDecomposition is already fitted: leave out method and rank")
        return senses.cleaned
    method = method or DEFAULT_METHOD
    if rank == "auto":
        return _cleaned_automatically(senses, method)
    decomposition = SenseDecomposition.fit(senses, method=method, rank=rank)
    if decomposition.rank < rank:
        raise InputError(
            f"method={method!r} found {decomposition.rank} components, fewer than rank={rank}"
        )
    return decomposition.cleaned


def _cleaned_automatically(senses: SenseVectors, method: str) -> SenseVectors:
    directions = find_shared_directions(senses, method=method)
    return cleaned_by(Projector(directions.components[: directions.rank]), senses, method)

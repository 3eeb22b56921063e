"""All-but-the-top: the mean and the largest components of all vectors removed."""

from __future__ import annotations

import numpy as np

from exrpca.cleaning import Projector
from exrpca.errors import InputError
from exrpca.senses import SenseVectors


def all_but_the_top(senses: SenseVectors, rank: int) -> SenseVectors:
    """Remove the mean and the first `rank` principal components of all sense vectors.

    It does not use senses: it removes what all vectors share, while `clean` removes what the
    senses of one word differ in.

    Parameters
    ----------
    senses : SenseVectors
    rank : int
        The D of the original; 1 to dim − 1.

    Returns
    -------
    SenseVectors
        Centers and global vectors stay.

    References
    ----------
    Mu, Viswanath (2018). All-but-the-Top: Simple and Effective Postprocessing for Word
    Representations. ICLR 2018.

    Examples
    --------
    >>> senses = SenseVectors(["a", "b"], [[9, 1, 0], [5, 2, 0], [1, 0, 0]], [2, 1])
    >>> np.round(abs(all_but_the_top(senses, 1).vectors), 1)[:, 0].max()
    np.float32(0.1)
    """
    if not 1 <= rank <= senses.dim - 1:
        raise InputError(f"rank={rank} must be between 1 and {senses.dim - 1}")
    centered = senses.vectors - senses.vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
    _, directions = np.linalg.eigh((centered.T @ centered).astype(np.float64))
    top = directions[:, ::-1][:, :rank].T
    return senses.replace(vectors=Projector(top).apply(centered))

"""The vectors that come with the package, so that everything can be tried without a download."""

from __future__ import annotations

from importlib import resources

from exrpca.senses.formats import load
from exrpca.senses.sense_vectors import SenseVectors


def bundled() -> SenseVectors:
    """Return the bundled sense vectors: frequent words of English Wikipedia.

    The docs have their model card (docs/reference/bundled-vectors.md).

    Examples
    --------
    >>> senses = bundled()
    >>> "bank" in senses, senses.centers is not None, senses.globals is not None
    (True, True, True)
    """
    with resources.as_file(resources.files("exrpca") / "data" / "bundled.parquet") as path:
        return load(path)

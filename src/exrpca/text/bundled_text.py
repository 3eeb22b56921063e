"""The text that comes with the package, so that everything can be tried without a download."""

from __future__ import annotations

from importlib import resources
from pathlib import Path


def bundled_text() -> Path:
    """Return a small text with uses of six words, from English Wikipedia.

    80 passages per word, in lower case and without punctuation: cell, mouse, organ, pitch, plant
    and rock. They show what `encode` and `induce` do. They measure nothing: the words were chosen
    because their meanings differ clearly.

    Examples
    --------
    >>> from exrpca.text import Corpus
    >>> len(list(Corpus(bundled_text()).passages()))
    480
    """
    return Path(str(resources.files("exrpca"))) / "data" / "text" / "wikipedia.txt.xz"

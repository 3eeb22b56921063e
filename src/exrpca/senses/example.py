"""`Example`: a sentence that shows a sense in use."""

from __future__ import annotations

from typing import NamedTuple


class Example(NamedTuple):
    """A sentence in three parts: the text before the word, the word as it appears, the rest.

    Examples
    --------
    >>> example = Example("He sat on the ", "banks", " of the river.")
    >>> "".join(example)
    'He sat on the banks of the river.'
    """

    left: str
    target: str
    right: str

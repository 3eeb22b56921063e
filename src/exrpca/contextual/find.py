"""Finding the occurrences of words in a text, evenly drawn if there are many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from exrpca.contextual.targets import Targets
from exrpca.errors import InputError
from exrpca.progress import ProgressCallback
from exrpca.text import Corpus, Lookup, Tokenizer
from exrpca.text.tokens import TextTokens

# The columns of what is found.
SCHEMA = pa.schema(
    [
        pa.field(name, pa.string(), nullable=False)
        for name in ("word", "form", "left", "target", "right", "source")
    ]
)

# Lines between two reports of progress.
_REPORT_EVERY = 1000


class _Occurrence(NamedTuple):
    form: int
    left: str
    target: str
    right: str
    source: str


class Drawn:
    """At most so many of the items that are added, evenly spaced; never more than twice as many.

    Parameters
    ----------
    most : int or None
        None keeps all.

    Examples
    --------
    >>> drawn = Drawn(4)
    >>> for number in range(100):
    ...     if drawn.wants_next():
    ...         drawn.keep(number)
    >>> drawn.items()
    [0, 32, 64, 96]
    """

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._items: list[_Occurrence] = []
        self._step = 1
        self.count = 0

    def wants_next(self) -> bool:
        """Count an item; return whether it is one to keep, with `keep`."""
        wanted = self.count % self._step == 0
        self.count += 1
        return wanted

    def keep(self, item: _Occurrence) -> None:
        """Keep the item that was counted last."""
        self._items.append(item)
        if self._most is not None and len(self._items) > 2 * self._most:
            del self._items[1::2]
            self._step *= 2

    def items(self) -> list[_Occurrence]:
        """Return the items drawn."""
        if self._most is None or len(self._items) <= self._most:
            return self._items
        places = np.linspace(0, len(self._items) - 1, self._most).round().astype(int)
        return [self._items[place] for place in places.tolist()]


def find_occurrences(
    corpus: Corpus,
    targets: Targets,
    *,
    tokenizer: Tokenizer,
    per_word: int | None,
    window: int,
    report: ProgressCallback,
) -> list[Drawn]:
    """Return the occurrences of each target word, in the order of the text."""
    drawn = [Drawn(per_word) for _ in targets.words]
    lookup = Lookup(targets)
    n_found = 0
    for number, (source, line) in enumerate(corpus.located(), 1):
        tokens = tokenizer.tokens(line, lookup.knows) if isinstance(line, str) else TextTokens(line)
        forms = map(lookup.__getitem__, tokens)
        for place, form in [(p, f) for p, f in enumerate(forms) if f >= 0]:
            of_word = drawn[targets.word_of[form]]
            n_found += 1
            if of_word.wants_next():
                of_word.keep(_Occurrence(form, *tokens.around(place, window), source))
        if number % _REPORT_EVERY == 0:
            report(corpus.position(), f"{n_found:,} occurrences")
    return drawn


def tables(drawn: list[Drawn], targets: Targets) -> Iterator[pa.Table]:
    """Yield what was found, word by word."""
    for word, of_word in zip(targets.words, drawn, strict=True):
        if items := of_word.items():
            forms, lefts, marked, rights, sources = zip(*items, strict=True)
            words = [word] * len(items)
            of_form = [targets.forms[form] for form in forms]
            columns = [words, of_form, lefts, marked, rights, sources]
            try:
                yield pa.table([pa.array(column, pa.string()) for column in columns], schema=SCHEMA)
            except UnicodeEncodeError as error:
                raise InputError(f"the text {error.object!r} cannot be written in UTF-8") from None

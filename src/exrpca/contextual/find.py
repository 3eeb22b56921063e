"""Finding the occurrences of words in a text, evenly drawn if there are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from exrpca.contextual.occurrences import TEXT_COLUMNS
from exrpca.contextual.targets import Targets
from exrpca.errors import InputError
from exrpca.progress import ProgressCallback
from exrpca.text import Corpus, Tokenizer
from exrpca.text.tokens import TextTokens

# Lines between two reports of progress.
_REPORT_EVERY = 1000

# What a sentence may begin after, besides the beginning of its passage.
_SENTENCE_BEGINS_AFTER = ".!?:;\"“”„«»‘’'([–—-"


class _Occurrence(NamedTuple):
    form: str
    left: str
    target: str
    right: str
    source: str
    columns: Sequence[str]


class Drawn:
    """Keeps `most` of the items that are added, evenly spaced; never more than twice as many.

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


class Found(NamedTuple):
    """The occurrences of a word: those that were drawn, and how many there are of each form."""

    drawn: Drawn
    forms: Counter[str]


def find_occurrences(
    corpus: Corpus,
    targets: Targets,
    *,
    tokenizer: Tokenizer,
    per_word: int | None,
    window: int,
    names: bool,
    report: ProgressCallback,
) -> list[Found]:
    """Return the occurrences of each target word, in the order of the text."""
    found = [Found(Drawn(per_word), Counter()) for _ in targets.words]
    lookup = targets.lookup
    n_found = 0
    for number, (source, text, columns) in enumerate(corpus.passages(), 1):
        tokens = tokenizer.tokens(text, lookup.knows) if isinstance(text, str) else TextTokens(text)
        words = map(lookup.__getitem__, tokens)
        for place, word in [(p, w) for p, w in enumerate(words) if w >= 0]:
            form = targets.form(tokens[place], word)
            if not names and _is_name(tokens, place, form):
                continue
            of_word = found[word]
            of_word.forms[form] += 1
            n_found += 1
            if of_word.drawn.wants_next():
                around = tokens.around(place, window)
                of_word.drawn.keep(_Occurrence(form, *around, source, columns))
        if number % _REPORT_EVERY == 0:
            report(corpus.position(), f"{n_found:,} occurrences")
    return found


def _is_name(tokens: TextTokens, place: int, form: str) -> bool:
    """Whether a token has a capital inside a sentence, where its form has none."""
    token = tokens[place]
    if token == form or not token[0].isupper() or (len(token) > 1 and token.isupper()):
        return False
    before = tokens.before(place, 1).rstrip()
    return bool(before) and before[-1] not in _SENTENCE_BEGINS_AFTER


def tables(found: list[Found], targets: Targets, columns: Sequence[str]) -> Iterator[pa.Table]:
    """Yield what was found, word by word; `columns` are further ones of the corpus."""
    schema = schema_of(columns)
    for word, of_word in zip(targets.words, found, strict=True):
        if items := of_word.drawn.items():
            rows = [(word, *item[:-1], *item.columns) for item in items]
            try:
                arrays = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
            except UnicodeEncodeError as error:
                raise InputError(f"the text {error.object!r} cannot be written in UTF-8") from None
            yield pa.table(arrays, schema=schema)


def schema_of(columns: Sequence[str]) -> pa.Schema:
    """Return the columns of what is found, with further ones of the corpus."""
    names = ("word", *TEXT_COLUMNS, *columns)
    return pa.schema([pa.field(name, pa.string(), nullable=False) for name in names])

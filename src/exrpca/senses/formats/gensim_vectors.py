"""gensim's `KeyedVectors`, in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from exrpca.errors import InputError
from exrpca.senses.formats.assembly import from_keys, strings
from exrpca.senses.formats.format import Place, ReadOptions
from exrpca.senses.formats.key_writing import key_pattern_of, sense_keys
from exrpca.senses.ragged import Integers
from exrpca.senses.sense_vectors import SenseVectors

if TYPE_CHECKING:
    from gensim.models import KeyedVectors


def is_keyed_vectors(value: object) -> bool:
    """Whether an object is a gensim `KeyedVectors`, without importing gensim."""
    return any(
        kind.__module__.startswith("gensim.") and kind.__name__ == "KeyedVectors"
        for kind in type(value).__mro__
    )


def from_gensim(vectors: KeyedVectors, options: ReadOptions) -> SenseVectors:
    """Return the senses in a gensim `KeyedVectors`, with keys such as `bank#0`."""
    place = Place("KeyedVectors")
    keys = strings(vectors.index_to_key, "key", place)
    found = np.asarray(vectors.vectors)
    if found.ndim != 2 or len(found) != len(keys) or found.dtype.kind not in "fiu":
        raise InputError(
            f"vectors of shape {found.shape} and type {found.dtype}, expected a row of real "
            f"numbers for each of {len(keys)} keys",
            path=place.path,
        )
    return from_keys(
        keys,
        found.astype(np.float32),
        options=options,
        counts=_counts(vectors, place),
        place=place,
    )


def _counts(vectors: KeyedVectors, place: Place) -> Integers | None:
    if "count" not in vectors.expandos:
        return None
    found = np.asarray(vectors.expandos["count"])
    whole = np.issubdtype(found.dtype, np.number) and np.isrealobj(found)
    if not whole or found.shape != (len(vectors.index_to_key),) or (found % 1 != 0).any():
        raise InputError("the counts are not whole numbers, one per key", path=place.path)
    counts = found.astype(np.int64)
    # gensim makes counts up when it reads a file without them: n, n − 1, …, 1
    made_up = np.array_equal(counts, np.arange(len(counts), 0, -1))
    return None if made_up else counts


def to_gensim(senses: SenseVectors, *, key_pattern: str | None = None) -> KeyedVectors:
    """Return the sense vectors, and their counts, as a gensim `KeyedVectors`.

    Parameters
    ----------
    senses : SenseVectors
    key_pattern : str, optional
        How word and sense make a key; one of `KEY_PATTERNS`. Patterns such as "word|NOUN" use
        the labels. By default as the vectors came, or "word#0".

    Examples
    --------
    >>> senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2])
    >>> to_gensim(senses).index_to_key
    ['bank#0', 'bank#1']
    """
    try:
        from gensim.models import KeyedVectors
    except ImportError:
        raise InputError("gensim is not installed: pip install 'exrpca[gensim]'") from None
    key_pattern = key_pattern or key_pattern_of(senses)
    keys = sense_keys(senses.words, senses.n_senses, key_pattern, senses.labels)
    vectors = KeyedVectors(senses.dim)
    vectors.add_vectors(keys, senses.vectors)
    if senses.counts is not None:
        vectors.expandos["count"] = np.array(senses.counts)
    return vectors

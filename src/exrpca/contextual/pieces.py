"""A sentence as the model reads it: in pieces, cut around the target, in batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exrpca.errors import InputError
from exrpca.senses import Example

# Sentences per batch: more are no faster on a processor.
_BATCH = 32


class Pieces(NamedTuple):
    """A sentence as the model reads it.

    Attributes
    ----------
    ids : ndarray of int64
        The number of each piece, special ones included.
    target : ndarray of bool
        Which pieces are of the target.
    context : ndarray of bool
        Which pieces are of the rest of the sentence.
    """

    ids: NDArray[np.int64]
    target: NDArray[np.bool_]
    context: NDArray[np.bool_]


def pieces_of(encoding: Any, example: Example | tuple[str, str, str], longest: int) -> Pieces:
    """Return the pieces of a sentence, cut around the target if there are too many.

    Parameters
    ----------
    encoding : tokenizers.Encoding
        What the tokenizer made of the sentence.
    example : (left, target, right)
    longest : int
        The longest input of the model.
    """
    left, target, _ = example
    start, end = len(left), len(left) + len(target)
    offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
    special = np.array(encoding.special_tokens_mask, dtype=bool)
    # pieces of no characters are special, too
    text = ~special & (offsets[:, 1] > offsets[:, 0])
    inside = text & (offsets[:, 0] < end) & (offsets[:, 1] > start)
    if not inside.any():
        raise InputError(
            f"the encoder's tokenizer leaves nothing of {target!r} in "
            f"{left[-20:] + target!r}: leave the word out"
        )
    ids = np.array(encoding.ids, dtype=np.int64)
    kept = _kept(special, inside, longest)
    return Pieces(ids[kept], inside[kept], (text & ~inside)[kept])


def _kept(
    special: NDArray[np.bool_], inside: NDArray[np.bool_], longest: int
) -> NDArray[np.int64] | slice:
    """Return the pieces of a sentence to keep: special ones, and a run around the target.

    Examples
    --------
    >>> special = np.array([1, 0, 0, 0, 0, 0, 1], dtype=bool)
    >>> inside = np.array([0, 0, 0, 0, 1, 0, 0], dtype=bool)
    >>> _kept(special, inside, 5)
    array([0, 3, 4, 5, 6])
    """
    if len(special) <= longest:
        return slice(None)
    pieces = np.flatnonzero(~special)
    room = max(1, longest - int(special.sum()))
    target = np.flatnonzero(inside[pieces])
    first, last = int(target[0]), int(target[-1]) + 1
    start = first if last - first >= room else (first + last - room) // 2
    start = min(max(start, 0), len(pieces) - room)
    chosen = pieces[start : start + room]
    return np.sort(np.concatenate([np.flatnonzero(special), chosen]))


def batches_of_like_length(
    pieces: Sequence[Pieces],
) -> list[tuple[NDArray[np.int64], list[Pieces]]]:
    """Return sentences in batches that need little padding, each with its rows.

    Examples
    --------
    >>> short, long = (Pieces(np.zeros(n, int), np.ones(n, bool), np.ones(n, bool)) for n in (3, 9))
    >>> [rows.tolist() for rows, _ in batches_of_like_length([long] * 32 + [short] * 32)][0][:3]
    [32, 33, 34]
    """
    order = np.argsort([len(each.ids) for each in pieces], kind="stable")
    batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
    return [(rows, [pieces[row] for row in rows.tolist()]) for rows in batches]

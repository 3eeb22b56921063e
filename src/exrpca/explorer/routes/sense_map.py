"""The map of all senses."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from fastapi import APIRouter
from numpy.typing import NDArray
from pydantic import BaseModel

from exrpca.explorer.function_words import is_function_word
from exrpca.explorer.inventory import Verdict
from exrpca.explorer.routes.common import BAD_INPUT, WORKING, Explored
from exrpca.senses import SenseVectors

router = APIRouter(tags=["map"])

# How a sense is colored: by the first of these that one of its pairs has.
_KINDS: tuple[Verdict | None, ...] = (None, "real", "undecided", "pseudo")


class SenseMapView(BaseModel):
    """All senses in the order of the words, as base64 of little-endian numbers.

    `before` and `after` have two 16-bit numbers per sense, its place in the square from 0 to
    65,535. `kinds` has one byte per sense: 0 for the only sense of a word, 1 if all its pairs are
    real, 2 if one is undecided, 3 if one is pseudo. `weights` has one 32-bit number per sense:
    how much it deserves a label, by its tokens. Function words, numbers and letters say nothing.
    """

    words: list[str]
    n_senses: list[int]
    before: str
    after: str
    kinds: str
    weights: str


@router.get("/senses", responses=WORKING | BAD_INPUT)
def sense_map(explored: Explored) -> SenseMapView:
    """Return the place and the verdict of every sense."""
    places = explored.sense_map.result()
    senses = explored.senses
    return SenseMapView(
        words=list(senses.words),
        n_senses=senses.n_senses.tolist(),
        before=_encoded(places.before),
        after=_encoded(places.after),
        kinds=_encoded(sense_kinds(explored)),
        weights=_encoded(_weights(senses)),
    )


def _weights(senses: SenseVectors) -> NDArray[np.uint32]:
    n = len(senses.vectors)
    tokens = np.arange(n, 0, -1) if senses.counts is None else senses.counts
    tells = np.array(
        [len(word) > 2 and word.isalpha() and not is_function_word(word) for word in senses.words]
    )
    return np.minimum(np.where(tells[senses.word_of_row], tokens, 0), 2**32 - 1).astype(np.uint32)


def sense_kinds(explored: Explored) -> NDArray[np.uint8]:
    """Return for each sense what its pairs say, the person's verdicts first."""
    senses = explored.senses
    pairs = explored.judgments.applied(explored.inventory.result().pairs)
    kinds = np.zeros(len(senses.vectors), dtype=np.uint8)
    first = senses.offsets[pairs["word"].map(senses.index).to_numpy(dtype=np.int64)]
    verdicts = pairs["verdict"].map(_KINDS.index).to_numpy(dtype=np.uint8)
    for column in ("sense_a", "sense_b"):
        np.maximum.at(kinds, first + pairs[column].to_numpy(), verdicts)
    return kinds


def _encoded(values: NDArray[Any]) -> str:
    return base64.b64encode(values.astype(values.dtype.newbyteorder("<")).tobytes()).decode()

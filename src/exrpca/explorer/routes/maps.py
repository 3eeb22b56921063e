"""The map of a word's senses and their neighbors, and the map of all senses."""

from __future__ import annotations

import base64
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query
from numpy.typing import NDArray
from pydantic import BaseModel

from exrpca.explorer.exploration import HIGHEST_RANK
from exrpca.explorer.inventory import Verdict
from exrpca.explorer.names import is_function_word
from exrpca.explorer.neighbors import names_of
from exrpca.explorer.routes.common import BAD_INPUT, UNKNOWN_WORD, WORKING, Explored, Word
from exrpca.explorer.word_map import Kind
from exrpca.senses import SenseVectors

router = APIRouter(tags=["map"])

# How a sense is colored: by the last of these that one of its pairs has.
_KINDS: tuple[Verdict | None, ...] = (None, "real", "undecided", "pseudo")


class Point(BaseModel):
    """A sense on the map; `near` is the sense of the word that it is a neighbor of."""

    word: str
    sense: int
    kind: Kind
    near: int | None
    before: tuple[float, float]
    after: tuple[float, float]


class MapView(BaseModel):
    """The points of both panels; `unknown` are added words that are not in the vocabulary.

    `similarity` has the cosines of the word's own senses before and after cleaning.
    """

    word: str
    rank: int
    points: list[Point]
    similarity: dict[str, list[list[float]]]
    unknown: list[str]


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


@router.get("/map", responses=WORKING | BAD_INPUT | UNKNOWN_WORD)
def word_map(
    explored: Explored,
    word: Word,
    rank: Annotated[int, Query(ge=1, le=HIGHEST_RANK, description="Components removed.")] = 3,
    add: Annotated[
        list[Annotated[str, Query(max_length=1000)]],
        Query(max_length=20, description="More words to show."),
    ] = [],  # noqa: B006 - FastAPI copies it
    n: Annotated[int, Query(ge=0, le=50, description="Neighbors per sense.")] = 8,
) -> MapView:
    """Place a word's senses and their neighbors in 2-D, before and after cleaning."""
    removed = explored.cleaned(rank).components
    added = [explored.known(other) for other in add]
    known = tuple(other for other in added if other in explored.senses)
    points, paper = explored.map_of(word, known, n)
    names = names_of(explored.senses, np.array([point.row for point in points]))
    before, after = paper.draw(), paper.draw(removed)
    places = zip(before.places.tolist(), after.places.tolist(), strict=True)
    return MapView(
        word=word,
        rank=rank,
        unknown=[other for other in added if other not in explored.senses],
        similarity={"before": before.cosines.tolist(), "after": after.cosines.tolist()},
        points=[
            Point(word=name, sense=sense, kind=point.kind, near=point.near, before=old, after=new)
            for point, (name, sense), (old, new) in zip(points, names, places, strict=True)
        ],
    )


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
        kinds=_encoded(_kinds(explored)),
        weights=_encoded(_weights(senses)),
    )


def _weights(senses: SenseVectors) -> NDArray[np.uint32]:
    n = len(senses.vectors)
    tokens = np.arange(n, 0, -1) if senses.counts is None else senses.counts
    tells = np.array(
        [len(word) > 2 and word.isalpha() and not is_function_word(word) for word in senses.words]
    )
    return np.minimum(np.where(tells[senses.word_of_row], tokens, 0), 2**32 - 1).astype(np.uint32)


def _kinds(explored: Explored) -> NDArray[np.uint8]:
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

"""The map of a word's senses, their neighbors and words added by the person."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from fastapi import APIRouter, Query
from pydantic import BaseModel

from exrpca.explorer.exploration import HIGHEST_RANK
from exrpca.explorer.neighbors import names_of
from exrpca.explorer.routes.common import BAD_INPUT, UNKNOWN_WORD, WORKING, Explored, Word
from exrpca.explorer.word_map import Kind

router = APIRouter(tags=["map"])


class Point(BaseModel):
    """A sense on the map; `near` is the sense of the word that it is a neighbor of."""

    word: str
    sense: int
    kind: Kind
    near: int | None
    before: tuple[float, float]
    after: tuple[float, float]


class Similarity(BaseModel):
    """The cosines of the word's own senses."""

    before: list[list[float]]
    after: list[list[float]]


class MapView(BaseModel):
    """The points of both panels; `unknown` are added words that are not in the vocabulary."""

    word: str
    rank: int
    points: list[Point]
    similarity: Similarity
    unknown: list[str]


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
        similarity=Similarity(before=before.cosines.tolist(), after=after.cosines.tolist()),
        points=[
            Point(word=name, sense=sense, kind=point.kind, near=point.near, before=old, after=new)
            for point, (name, sense), (old, new) in zip(points, names, places, strict=True)
        ],
    )

"""The directions in which pseudo senses differ."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from exrpca.explorer.routes.common import BAD_INPUT, WORKING, Explored

router = APIRouter(tags=["directions"])


class RepresentativePair(BaseModel):
    """A pair that a component explains well; cosines with its difference."""

    word: str
    sense_a: int
    sense_b: int
    cosine: float
    cosine_without_outliers: float


class Component(BaseModel):
    """A direction: what it explains, and the words at its two ends."""

    component: int
    explained_variance_ratio: float
    mean_cosine: float
    mean_cosine_without_outliers: float
    positive_pole: list[str]
    negative_pole: list[str]
    function_words: float
    proper_nouns: float | None = None
    topics: str | None = None
    pairs: list[RepresentativePair]


class DirectionsView(BaseModel):
    """The components at one rank, the largest first."""

    rank: int
    components: list[Component]


@router.get("/directions", responses=WORKING | BAD_INPUT)
def directions(explored: Explored) -> DirectionsView:
    """Return each component with its representative pairs and poles."""
    found = explored.directions.result()
    return DirectionsView(
        rank=explored.default_rank,
        components=[
            Component(**_described(row), pairs=_pairs(found.pairs, row["component"]))
            for row in found.table.to_dict(orient="records")
        ],
    )


def _described(row: dict[Any, Any]) -> dict[str, Any]:
    return row | {pole: row[pole].split() for pole in ("positive_pole", "negative_pole")}


def _pairs(table: Any, component: int) -> list[RepresentativePair]:
    rows = table[table["component"] == component].to_dict(orient="records")
    return [RepresentativePair.model_validate(row) for row in rows]

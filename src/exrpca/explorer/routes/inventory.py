"""All sense pairs: a page of the table, the table as CSV, the histogram of what decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from matplotlib.path import Path as Polygon
from pydantic import BaseModel

from exrpca.explorer.exploration import Exploration
from exrpca.explorer.inventory import Column, Quantity, Selection, Verdict
from exrpca.explorer.routes.common import BAD_INPUT, WORKING, Explored, ScaleView, records

router = APIRouter(tags=["inventory"], prefix="/inventory")


class Row(BaseModel):
    """A pair of senses."""

    word: str
    sense_a: int
    sense_b: int
    score: float
    probability: float | None
    verdict: Verdict
    outlier_norm: float


class InventoryPage(BaseModel):
    """Some rows of the table; `total` is how many the filter leaves."""

    total: int
    scale: ScaleView
    rows: list[Row]


class HistogramView(BaseModel):
    """How many pairs of each verdict have how much of the quantity, between each two edges.

    `threshold` is the value that separates real pairs from the others with the fewest exceptions.
    `share` says in words how many pairs are real.
    """

    edges: list[float]
    real: list[int]
    pseudo: list[int]
    undecided: list[int]
    threshold: float | None
    share: str


def _selection(
    explored: Explored,
    word: Annotated[str, Query(max_length=1000, description="Part of the word.")] = "",
    verdict: Annotated[Verdict | None, Query()] = None,
    sort: Annotated[Column, Query()] = "probability",
    descending: bool = True,
    area: Annotated[
        str,
        Query(
            max_length=4000,
            pattern=r"^(\d{1,5},\d{1,5}(;\d{1,5},\d{1,5}){2,})?$",
            description="Only words with a sense inside this polygon of the map of all senses.",
        ),
    ] = "",
    cleaned: Annotated[bool, Query(description="The polygon is on the cleaned map.")] = False,
) -> Selection:
    words = frozenset(_words_inside(explored, area, cleaned)) if area else None
    return Selection(word=word, words=words, verdict=verdict, sort=sort, descending=descending)


def _words_inside(explored: Exploration, area: str, cleaned: bool) -> Iterator[str]:
    corners = [tuple(map(int, corner.split(","))) for corner in area.split(";")]
    places = explored.sense_map.result()
    inside = Polygon(corners).contains_points(places.after if cleaned else places.before)
    senses = explored.senses
    return (senses.words[i] for i in np.unique(senses.word_of_row[inside]))


Selected = Annotated[Selection, Depends(_selection)]


@router.get("", responses=WORKING | BAD_INPUT)
def inventory(
    explored: Explored,
    selected: Selected,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> InventoryPage:
    """Return one page of the table of all pairs."""
    found = explored.inventory.result()
    rows = [Row.model_validate(row) for row in records(found.page(selected, offset, limit))]
    scale = ScaleView.model_validate(found.scale, from_attributes=True)
    return InventoryPage(total=len(found.select(selected)), scale=scale, rows=rows)


@router.get(
    ".csv",
    response_class=StreamingResponse,
    responses=WORKING | BAD_INPUT | {200: {"content": {"text/csv": {}}}},
)
def inventory_csv(explored: Explored, selected: Selected) -> StreamingResponse:
    """Send all pairs that the filter leaves as CSV."""
    return StreamingResponse(
        explored.inventory.result().csv(selected),
        media_type="text/csv",
        headers={"Content-Disposition": "attachment; filename=sense-pairs.csv"},
    )


@router.get("/histogram", responses=WORKING | BAD_INPUT)
def histogram(explored: Explored, quantity: Quantity = "score") -> HistogramView:
    """Return how a quantity is distributed over the pairs of each verdict."""
    found = explored.inventory.result().histogram(quantity)
    return HistogramView.model_validate(found, from_attributes=True)

"""All sense pairs: a page of the table, the table as CSV, the histogram of what decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from matplotlib.path import Path as Polygon
from pydantic import BaseModel

from exrpca.cleaning.shared_neighbors import n_neighbors
from exrpca.explorer.exploration import Exploration
from exrpca.explorer.inventory import Column, Histogram, Quantity, Selection, Verdict
from exrpca.explorer.routes.common import BAD_INPUT, WORKING, Explored, Record, records

router = APIRouter(tags=["inventory"], prefix="/inventory")


class InventoryPage(BaseModel):
    """Some rows of the table of `detect`; `total` is how many the filter leaves.

    `neighbors` is how many of each sense were compared.
    """

    total: int
    neighbors: int
    doubt: str
    rows: list[Record]


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
    return InventoryPage(
        total=len(found.select(selected)),
        neighbors=n_neighbors(len(explored.senses)),
        doubt=found.doubt,
        rows=records(found.page(selected, offset, limit)),
    )


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
def histogram(explored: Explored, quantity: Quantity = "shared") -> Histogram:
    """Return how a quantity is distributed over the pairs of each verdict."""
    return explored.inventory.result().histogram(quantity)

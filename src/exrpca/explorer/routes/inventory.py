"""All sense pairs: a page of the table, the table as CSV, the histogram of outlier norms."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from exrpca.explorer.inventory import Column, Quantity, Selection, Verdict
from exrpca.explorer.routes.common import BAD_INPUT, WORKING, Explored, Probability

router = APIRouter(tags=["inventory"], prefix="/inventory")


class Row(BaseModel):
    """A pair of senses."""

    word: str
    sense_a: int
    sense_b: int
    outlier_norm: float
    probability: Probability
    verdict: Verdict


class InventoryPage(BaseModel):
    """Some rows of the table; `total` is how many the filter leaves."""

    total: int
    rows: list[Row]


class HistogramView(BaseModel):
    """How many pairs of each verdict have how much of the quantity, between each two edges.

    `threshold` is the value that separates the verdicts with the fewest exceptions.
    """

    edges: list[float]
    real: list[int]
    pseudo: list[int]
    undecided: list[int]
    threshold: float | None


def _selection(
    word: Annotated[str, Query(max_length=1000, description="Part of the word.")] = "",
    verdict: Annotated[Verdict | None, Query()] = None,
    sort: Annotated[Column, Query()] = "outlier_norm",
    descending: bool = True,
) -> Selection:
    return Selection(word=word, verdict=verdict, sort=sort, descending=descending)


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
    page = found.page(selected, offset, limit).to_dict(orient="records")
    rows = [Row.model_validate(row) for row in page]
    return InventoryPage(total=len(found.select(selected)), rows=rows)


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
def histogram(explored: Explored, quantity: Quantity = "outlier_norm") -> HistogramView:
    """Return how a quantity is distributed over the pairs of each verdict."""
    found = explored.inventory.result().histogram(quantity)
    return HistogramView.model_validate(found, from_attributes=True)

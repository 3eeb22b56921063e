"""The directions that cleaning removes, and the scores before and after."""

from __future__ import annotations

from fastapi import APIRouter

from exrpca.explorer.routes.common import BAD_INPUT, WORKING, Explored, Record, records

router = APIRouter(tags=["cleaning"])


@router.get("/directions", responses=WORKING | BAD_INPUT)
def directions(explored: Explored) -> list[Record]:
    """Return each component of `describe_components`, with the pairs that it explains best."""
    found = explored.directions.result()
    pairs = {name: records(own) for name, own in found.pairs.groupby("component")}
    return [
        row
        | {pole: row[pole].split() for pole in ("positive_pole", "negative_pole")}
        | {"pairs": pairs.get(row["component"], [])}
        for row in records(found.table)
    ]


@router.get("/scores", responses=WORKING | BAD_INPUT)
def scores(explored: Explored) -> list[Record]:
    """Score the vectors as they came, cleaned, and after the baselines: Spearman's ρ."""
    return records(explored.scores.result())


@router.get("/scores/sweep", responses=WORKING | BAD_INPUT)
def sweep(explored: Explored) -> list[Record]:
    """Score the vectors for each number of removed directions."""
    return records(explored.sweep.result())

"""Scores against people's ratings, before and after cleaning."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from exrpca.explorer.routes.common import BAD_INPUT, WORKING, Explored, records

router = APIRouter(tags=["scores"], prefix="/scores")


class Score(BaseModel):
    """Spearman's ρ of one measure with its 95% interval, and the gain over no cleaning."""

    method: str
    rank: int | None
    dataset: str
    measure: str
    rho: float
    low: float
    high: float
    used: int
    total: int
    gain: float
    gain_low: float
    gain_high: float


class SweepPoint(BaseModel):
    """A score with so many directions removed."""

    removed: int
    dataset: str
    measure: str
    rho: float | None


@router.get("", responses=WORKING | BAD_INPUT)
def scores(explored: Explored) -> list[Score]:
    """Score the vectors as they came, cleaned, and after the baselines."""
    return [Score.model_validate(row) for row in records(explored.scores.result())]


@router.get("/sweep", responses=WORKING | BAD_INPUT)
def sweep(explored: Explored) -> list[SweepPoint]:
    """Score the vectors for each number of removed directions."""
    return [SweepPoint.model_validate(row) for row in records(explored.sweep.result())]

"""What is being explored, and what is still being computed."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from exrpca.explorer.routes.common import Explored

router = APIRouter(tags=["about"])


class About(BaseModel):
    """The vectors in figures."""

    name: str
    words: int
    multi_sense_words: int
    senses: int
    pairs: int
    dimensions: int
    counts: bool
    centers: bool
    globals: bool
    chooses: bool
    examples: bool
    default_rank: int
    highest_rank: int
    working: list[str]


@router.get("/about")
def about(explored: Explored) -> About:
    """Say what is in the file, and which computations are not finished."""
    senses = explored.senses
    return About(
        name=explored.name,
        words=len(senses),
        multi_sense_words=int((senses.n_senses > 1).sum()),
        senses=len(senses.vectors),
        pairs=explored.n_pairs,
        dimensions=senses.dim,
        counts=senses.counts is not None,
        centers=senses.centers is not None,
        globals=senses.globals is not None,
        chooses=explored.chooses,
        examples=explored.evidence.exists,
        default_rank=explored.default_rank,
        highest_rank=explored.highest_rank,
        working=explored.background.unfinished(),
    )

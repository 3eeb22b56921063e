"""The person's own verdicts: giving them, the queue of undecided pairs, agreement."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from exrpca.explorer.inventory import Verdict
from exrpca.explorer.routes.common import BAD_INPUT, UNKNOWN_WORD, WORKING, Explored

router = APIRouter(tags=["verdicts"], prefix="/verdicts")


class GivenVerdict(BaseModel):
    """A verdict on a pair; null takes it back."""

    word: str = Field(max_length=1000)
    sense_a: int = Field(ge=0, le=10**6)
    sense_b: int = Field(ge=0, le=10**6)
    verdict: Verdict | None


class VerdictsView(BaseModel):
    """How far judging has come; `file` is null if nothing is written."""

    file: str | None
    given: int
    agreed: int
    decided: int
    waiting: int


class QueuedPair(BaseModel):
    """An undecided pair that the person has not judged."""

    word: str
    sense_a: int
    sense_b: int


@router.get("", responses=WORKING | BAD_INPUT)
def verdicts(explored: Explored) -> VerdictsView:
    """Return how many verdicts were given, and how often the detector agrees."""
    inventory = explored.inventory.result()
    agreement = explored.judgments.agreement(inventory)
    path = explored.judgments.path
    return VerdictsView(
        file=None if path is None else path.name,
        given=len(explored.judgments),
        agreed=agreement.agreed,
        decided=agreement.decided,
        waiting=len(explored.judgments.queue(inventory)),
    )


@router.post("/given", responses=WORKING | BAD_INPUT | UNKNOWN_WORD)
def give(explored: Explored, given: GivenVerdict) -> VerdictsView:
    """Keep a verdict, in the file too if there is one."""
    explored.inventory.result()
    explored.judgments.give(given.word, given.sense_a, given.sense_b, given.verdict)
    return verdicts(explored)


@router.get("/queue", responses=WORKING | BAD_INPUT)
def queue(
    explored: Explored,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 1,
) -> list[QueuedPair]:
    """Return the undecided pairs that wait for a verdict, those of frequent senses first."""
    waiting = explored.judgments.queue(explored.inventory.result())
    return [
        QueuedPair(word=word, sense_a=a, sense_b=b)
        for word, a, b in waiting[offset : offset + limit]
    ]

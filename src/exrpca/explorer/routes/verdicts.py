"""The person's own verdicts, and downloads of what merging by all verdicts leaves."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import pandas as pd
from fastapi import APIRouter, Query
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel, Field
from starlette.background import BackgroundTask

from exrpca.cleaning import merge
from exrpca.explorer.inventory import Verdict
from exrpca.explorer.routes.common import BAD_INPUT, UNKNOWN_WORD, WORKING, Explored, Responses
from exrpca.senses import SenseVectors, save

router = APIRouter(tags=["verdicts"])

_CSV: Responses = {200: {"content": {"text/csv": {}}}}
_PARQUET = "application/vnd.apache.parquet"


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


@router.get("/verdicts", responses=WORKING | BAD_INPUT)
def verdicts(explored: Explored) -> VerdictsView:
    """Return how many verdicts were given, and how often the detector agrees."""
    inventory = explored.inventory.result()
    agreed, decided = explored.judgments.agreement(inventory)
    path = explored.judgments.path
    return VerdictsView(
        file=None if path is None else path.name,
        given=len(explored.judgments),
        agreed=agreed,
        decided=decided,
        waiting=len(explored.judgments.queue(inventory)),
    )


@router.post("/verdicts/given", responses=WORKING | BAD_INPUT | UNKNOWN_WORD)
def give(explored: Explored, given: GivenVerdict) -> VerdictsView:
    """Keep a verdict, in the file too if there is one."""
    explored.inventory.result()
    explored.judgments.give(given.word, given.sense_a, given.sense_b, given.verdict)
    return verdicts(explored)


@router.get("/verdicts/queue", responses=WORKING | BAD_INPUT)
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


@router.get("/merged/map.csv", response_class=Response, responses=WORKING | BAD_INPUT | _CSV)
def map_csv(explored: Explored) -> Response:
    """Send which sense becomes which, as `exrpca merge --map` writes it."""
    headers = {"Content-Disposition": "attachment; filename=map.csv"}
    mapping = _merged(explored)[1]
    return Response(mapping.to_csv(index=False), media_type="text/csv", headers=headers)


@router.get(
    "/merged/vectors.parquet",
    response_class=FileResponse,
    responses=WORKING | BAD_INPUT | {200: {"content": {_PARQUET: {}}}},
)
def vectors(explored: Explored) -> FileResponse:
    """Send the merged vectors in the package's own format."""
    folder = tempfile.TemporaryDirectory(prefix="exrpca-")
    path = Path(folder.name) / "merged.parquet"
    save(_merged(explored)[0], path)
    return FileResponse(
        path,
        media_type=_PARQUET,
        filename="merged.parquet",
        background=BackgroundTask(folder.cleanup),
    )


def _merged(explored: Explored) -> tuple[SenseVectors, pd.DataFrame]:
    pairs = explored.inventory.result().pairs
    return merge(explored.senses, explored.judgments.applied(pairs))

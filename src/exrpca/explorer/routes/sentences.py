"""The sentences of a word by sense, which a person corrects."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from exrpca.contextual.corrections import NOISE, Action, Corrections
from exrpca.errors import InputError
from exrpca.explorer.routes.common import (
    BAD_INPUT,
    UNKNOWN_WORD,
    Explored,
    Record,
    Responses,
    records,
)

router = APIRouter(tags=["sentences"], prefix="/sentences")

_CSV: Responses = {200: {"content": {"text/csv": {}}}}
_MOST_SENSES = 1000


class SenseSentences(BaseModel):
    """The sentences of one sense, −1 being noise; `id` is a sentence's row in the table."""

    sense: int
    name: str
    sentences: list[Record]


class SentencesView(BaseModel):
    """A word's sentences by sense; `file` is null if corrections are not written."""

    word: str
    senses: list[SenseSentences]
    steps: int
    file: str | None


class Correction(BaseModel):
    """What to change: move `occurrences`, join `sense` with `to`, or name `sense`."""

    action: Action
    word: str = Field(max_length=1000)
    sense: int = Field(default=NOISE, ge=NOISE, le=_MOST_SENSES)
    to: int = Field(default=NOISE, ge=NOISE, le=_MOST_SENSES)
    name: str = Field(default="", max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")
    occurrences: list[int] = Field(default=[], max_length=100_000)


@router.get("/words", responses=BAD_INPUT)
def words(explored: Explored) -> dict[str, int]:
    """Return the words that have sentences, and how many."""
    return _corrections(explored).words


@router.get("", responses=BAD_INPUT | UNKNOWN_WORD)
def sentences(
    explored: Explored, word: Annotated[str, Query(max_length=1000, description="A word.")]
) -> SentencesView:
    """Return the sentences of a word by sense, as corrected."""
    corrections = _corrections(explored)
    table, names = corrections.of(word)
    rows = {
        int(str(sense)): records(own)
        for sense, own in table.reset_index(names="id").groupby("sense")
    }
    return SentencesView(
        word=word,
        senses=[
            SenseSentences(
                sense=sense,
                name=names.get(sense, ""),
                sentences=rows[sense],
            )
            for sense in sorted(rows, key=lambda each: (each == NOISE, each))
        ],
        steps=corrections.steps,
        file=None if corrections.path is None else corrections.path.name,
    )


@router.post("/correct", responses=BAD_INPUT | UNKNOWN_WORD)
def correct(explored: Explored, given: Correction) -> SentencesView:
    """Make one step of corrections, and keep it in the file if there is one."""
    what = given.model_dump()
    _corrections(explored).correct(what.pop("action"), what.pop("word"), **what)
    return sentences(explored, given.word)


@router.post("/undo", responses=BAD_INPUT)
def undo(explored: Explored) -> SentencesView | None:
    """Take back the last step, and return the word that it was about."""
    word = _corrections(explored).undo()
    return None if word is None else sentences(explored, word)


@router.get("/corrected.csv", response_class=Response, responses=BAD_INPUT | _CSV)
def corrected_csv(explored: Explored) -> Response:
    """Send all occurrences with the corrected senses and their names."""
    headers = {"Content-Disposition": "attachment; filename=corrected.csv"}
    table = _corrections(explored).table().to_csv(index=False)
    return Response(table, media_type="text/csv", headers=headers)


def _corrections(explored: Explored) -> Corrections:
    if explored.corrections is None:
        raise InputError("there are no sentences: start the page with --assigned FILE")
    return explored.corrections

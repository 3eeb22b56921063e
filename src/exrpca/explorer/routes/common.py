"""What all routes share: the exploration, parameters, and answers other than the result."""

from __future__ import annotations

from typing import Annotated, Any

import pandas as pd
from fastapi import Depends, Query, Request
from pydantic import BaseModel

from exrpca.explorer.exploration import Exploration


def _exploration(request: Request) -> Exploration:
    exploration: Exploration = request.app.state.exploration
    return exploration


Explored = Annotated[Exploration, Depends(_exploration)]


def _known_word(
    explored: Explored,
    word: Annotated[str, Query(max_length=1000, description="A word, in any case.")],
) -> str:
    """Return the word of the vocabulary that was meant: "Bank" is "bank" if there is no "Bank"."""
    return explored.known(word)


Word = Annotated[str, Depends(_known_word)]


class Problem(BaseModel):
    """Why there is no answer, and what to do."""

    detail: str


class Working(BaseModel):
    """The answer is still being computed: ask again in a moment."""

    working: str


Record = dict[str, Any]


def records(table: pd.DataFrame) -> list[Record]:
    """Return the rows with None where nothing is known: JSON has no NaN."""
    rows = table.astype(object).where(table.notna(), None).to_dict(orient="records")
    return [{str(name): value for name, value in row.items()} for row in rows]


Responses = dict[int | str, dict[str, Any]]

WORKING: Responses = {202: {"model": Working, "description": "Still being computed: ask again."}}
BAD_INPUT: Responses = {400: {"model": Problem, "description": "These vectors cannot show it."}}
UNKNOWN_WORD: Responses = {404: {"model": Problem, "description": "Not in the vocabulary."}}

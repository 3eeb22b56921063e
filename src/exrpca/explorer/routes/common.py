"""What all routes share: the exploration, parameters, and answers other than the result."""

from __future__ import annotations

import math
from typing import Annotated, Any

from fastapi import Depends, Query, Request
from pydantic import BaseModel, BeforeValidator

from exrpca.explorer.exploration import Exploration


def _exploration(request: Request) -> Exploration:
    exploration: Exploration = request.app.state.exploration
    return exploration


Explored = Annotated[Exploration, Depends(_exploration)]
Word = Annotated[str, Query(max_length=1000, description="A word of the vocabulary.")]

# JSON has no NaN, which is the probability of a pair that nothing is known about.
Probability = Annotated[
    float | None, BeforeValidator(lambda value: None if math.isnan(value) else value)
]


class Problem(BaseModel):
    """Why there is no answer, and what to do."""

    detail: str


class Working(BaseModel):
    """The answer is still being computed: ask again in a moment."""

    working: str


Responses = dict[int | str, dict[str, Any]]

WORKING: Responses = {202: {"model": Working, "description": "Still being computed: ask again."}}
BAD_INPUT: Responses = {400: {"model": Problem, "description": "These vectors cannot show it."}}
UNKNOWN_WORD: Responses = {404: {"model": Problem, "description": "Not in the vocabulary."}}

"""Completion of what is typed into the search box."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from exrpca.explorer.routes.common import Explored

router = APIRouter(tags=["word"])


class FoundWord(BaseModel):
    """A word and how many senses it has."""

    word: str
    senses: int


@router.get("/words")
def words(
    explored: Explored,
    beginning: Annotated[str, Query(max_length=1000, description="What was typed.")] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 8,
) -> list[FoundWord]:
    """Return the most frequent words that begin like this, ignoring case."""
    senses = explored.senses
    n_senses = senses.n_senses
    return [
        FoundWord(word=word, senses=int(n_senses[senses.index(word)]))
        for word in explored.completion.find(beginning, limit)
    ]

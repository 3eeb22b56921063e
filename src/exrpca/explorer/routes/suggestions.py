"""Words to begin with, for the start page."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from exrpca.explorer.routes.common import BAD_INPUT, WORKING, Explored

router = APIRouter(tags=["about"])


class Suggested(BaseModel):
    """A word with the telling neighbors of its meanings."""

    word: str
    names: list[list[str]]


class SuggestionsView(BaseModel):
    """Words to begin with, by verdict, and one that is shown in full with a sentence."""

    worked: str | None
    sentence: str
    real: list[Suggested]
    pseudo: list[Suggested]
    undecided: list[Suggested]


@router.get("/suggestions", responses=WORKING | BAD_INPUT)
def suggestions(explored: Explored) -> SuggestionsView:
    """Return words to begin with."""
    found = explored.suggestions.result()

    def suggested(words: list[str]) -> list[Suggested]:
        return [Suggested(word=word, names=explored.names.of(word, n=1)) for word in words]

    return SuggestionsView(
        worked=found.worked,
        sentence=found.sentence,
        real=suggested(found.real),
        pseudo=suggested(found.pseudo),
        undecided=suggested(found.undecided),
    )

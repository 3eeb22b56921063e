"""What is being explored, and its words: suggested, completed, named."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from exrpca.explorer.inventory import VERDICTS, Verdict
from exrpca.explorer.routes.common import BAD_INPUT, UNKNOWN_WORD, WORKING, Explored

router = APIRouter(tags=["words"])


class About(BaseModel):
    """The vectors in figures, and which computations are not finished."""

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
    sentences: bool
    default_rank: int
    highest_rank: int
    working: list[str]


class Suggested(BaseModel):
    """A word with the telling neighbors of its meanings."""

    word: str
    names: list[list[str]]


class SuggestionsView(BaseModel):
    """Words to begin with, by verdict, and one that is shown in full."""

    worked: str | None
    words: dict[Verdict, list[Suggested]]


class FoundWord(BaseModel):
    """A word and how many senses it has."""

    word: str
    senses: int


@router.get("/about")
def about(explored: Explored) -> About:
    """Say what is in the file."""
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
        sentences=explored.corrections is not None,
        default_rank=explored.default_rank,
        highest_rank=explored.highest_rank,
        working=explored.background.unfinished(),
    )


@router.get("/suggestions", responses=WORKING | BAD_INPUT)
def suggestions(explored: Explored) -> SuggestionsView:
    """Return words to begin with."""
    found = explored.suggestions.result()
    named = {
        verdict: [Suggested(word=w, names=explored.names.of(w, n=1)) for w in found.words[verdict]]
        for verdict in VERDICTS
    }
    return SuggestionsView(worked=found.worked, words=named)


@router.get("/words")
def words(
    explored: Explored,
    beginning: Annotated[str, Query(max_length=1000, description="What was typed.")] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 8,
) -> list[FoundWord]:
    """Return the most frequent words that begin like this, ignoring case."""
    n_senses = explored.senses.n_senses
    return [
        FoundWord(word=word, senses=int(n_senses[explored.senses.index(word)]))
        for word in explored.completion.find(beginning, limit)
    ]


@router.get("/names", responses=BAD_INPUT | UNKNOWN_WORD)
def names(
    explored: Explored,
    word: Annotated[
        list[Annotated[str, Query(max_length=1000)]],
        Query(max_length=100, description="Words of the vocabulary."),
    ],
) -> dict[str, list[list[str]]]:
    """Return the telling neighbors of each sense of some words."""
    return {each: explored.names.of(explored.known(each)) for each in word}

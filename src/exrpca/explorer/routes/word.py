"""One word: its senses with their neighbors, its pairs, and the choice of a sense."""

from __future__ import annotations

from typing import Annotated

import pandas as pd
from fastapi import APIRouter, Query
from pydantic import BaseModel

from exrpca.cleaning.merge import merged_rows
from exrpca.explorer.exploration import HIGHEST_RANK
from exrpca.explorer.inventory import Verdict
from exrpca.explorer.neighbors import Neighbors, names_of
from exrpca.explorer.routes.common import (
    BAD_INPUT,
    UNKNOWN_WORD,
    WORKING,
    Explored,
    Probability,
    Word,
)
from exrpca.senses import SenseVectors
from exrpca.text import context_words, disambiguate

router = APIRouter(tags=["word"], prefix="/word")

Rank = Annotated[int, Query(ge=0, le=HIGHEST_RANK, description="Components removed; 0: none.")]


class Neighbor(BaseModel):
    """A sense near another."""

    word: str
    sense: int
    cosine: float
    same_word: bool


class Sense(BaseModel):
    """A sense of the word; count and share are null where the file has no counts."""

    sense: int
    count: int | None
    share: float | None
    neighbors: list[Neighbor]


class WordView(BaseModel):
    """A word and its senses."""

    word: str
    rank: int
    senses: list[Sense]


class Pair(BaseModel):
    """Two senses of the word, and whether they are one meaning."""

    sense_a: int
    sense_b: int
    outlier_norm: float
    probability: Probability
    verdict: Verdict


class Pairs(BaseModel):
    """The pairs of a word, and the groups of senses that merging would leave."""

    word: str
    pairs: list[Pair]
    merged: list[list[int]]


class Choice(BaseModel):
    """How probable a sense is in the sentence."""

    sense: int
    probability: float
    cosine: float


class Choices(BaseModel):
    """The senses of the word, and the other words of the sentence that are known."""

    word: str
    context: list[str]
    senses: list[Choice]


@router.get("", responses=WORKING | BAD_INPUT | UNKNOWN_WORD)
def word(
    explored: Explored,
    word: Word,
    rank: Rank = 0,
    n: Annotated[int, Query(ge=1, le=100, description="Neighbors per sense.")] = 10,
) -> WordView:
    """Return the senses of a word with their nearest neighbors by cosine."""
    senses = explored.senses
    rows = senses.rows(word)
    cleaned = explored.cleaned(rank) if rank else None
    nearest = explored.neighbors.of(word, n, cleaned)
    counts = None if senses.counts is None else senses.counts[rows]
    total = 0 if counts is None else max(1, int(counts.sum()))
    return WordView(
        word=word,
        rank=rank,
        senses=[
            Sense(
                sense=sense,
                count=None if counts is None else int(counts[sense]),
                share=None if counts is None else float(counts[sense] / total),
                neighbors=_neighbors(senses, word, near),
            )
            for sense, near in enumerate(nearest)
        ],
    )


@router.get("/pairs", responses=WORKING | BAD_INPUT | UNKNOWN_WORD)
def pairs(explored: Explored, word: Word) -> Pairs:
    """Return the verdict on each pair of senses, and which senses would be merged."""
    n_senses = len(explored.senses[word])
    if n_senses == 1:
        return Pairs(word=word, pairs=[], merged=[[0]])
    found = explored.inventory.result().of_word(word)
    new_rows = merged_rows(explored.senses.select([word]), found)
    groups = pd.Series(range(n_senses)).groupby(new_rows).agg(list)
    return Pairs(
        word=word,
        pairs=[Pair.model_validate(row) for row in found.to_dict(orient="records")],
        merged=groups.tolist(),
    )


@router.get("/sense", responses=BAD_INPUT | UNKNOWN_WORD)
def sense(
    explored: Explored,
    word: Word,
    text: Annotated[str, Query(max_length=5000, description="A sentence, best with the word.")],
) -> Choices:
    """Choose the sense of a word that a sentence calls for."""
    table = disambiguate(explored.senses, word, text)
    return Choices(
        word=word,
        context=context_words(explored.senses, word, text),
        senses=[Choice.model_validate(row) for row in table.to_dict(orient="records")],
    )


def _neighbors(senses: SenseVectors, word: str, near: Neighbors) -> list[Neighbor]:
    names = names_of(senses, near.rows)
    return [
        Neighbor(word=other, sense=sense, cosine=float(cosine), same_word=other == word)
        for (other, sense), cosine in zip(names, near.cosines, strict=True)
    ]

"""One word: its senses with their neighbors, its pairs, and the choice of a sense."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
import pandas as pd
from fastapi import APIRouter, Query
from pydantic import BaseModel

from exrpca.cleaning.merge import merged_rows
from exrpca.cleaning.shared_neighbors import n_neighbors
from exrpca.explorer.exploration import HIGHEST_RANK
from exrpca.explorer.neighbors import Neighbors, names_of
from exrpca.explorer.routes.common import (
    BAD_INPUT,
    UNKNOWN_WORD,
    WORKING,
    Explored,
    Record,
    Word,
    records,
)
from exrpca.senses import Example, SenseVectors
from exrpca.senses.metadata import is_induced
from exrpca.text import disambiguate, read_context
from exrpca.text.disambiguation import encoded_sentence

router = APIRouter(tags=["word"], prefix="/word")

# How many words of a context are shown as deciding at most, each with at least this share of the
# highest weight.
_MOST_DECIDING = 4
_DECIDING_SHARE = 0.4

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


class Meaning(BaseModel):
    """Senses that merging would join, and the neighbors that tell them from the others."""

    senses: list[int]
    names: list[str]


class Pairs(BaseModel):
    """The pairs of a word, and the meanings that merging would leave.

    `pairs` are rows of `detect`, with the person's verdict as `yours`. `induced` says whether
    `induce` gave the verdicts, `doubt` why they are to be doubted, `neighbors` how many of each
    sense were compared. `fewest` is how many meanings would be left if the undecided pairs were
    joined, too.
    """

    word: str
    pairs: list[Record]
    induced: bool
    doubt: str = ""
    neighbors: int = 0
    names: list[list[str]]
    meanings: list[Meaning]
    fewest: int


class Choice(BaseModel):
    """How probable a sense is in the sentence; an encoder has no cosine."""

    sense: int
    probability: float
    cosine: float | None = None


Part = Literal["word", "context", "unknown", "outside"]


class Token(BaseModel):
    """A token of the sentence; `decides` if it speaks most for the chosen sense."""

    before: str
    text: str
    part: Part
    decides: bool


class Sentences(BaseModel):
    """Typical sentences of each sense; more may come while `reading`."""

    word: str
    reading: bool
    senses: list[list[list[Token]]]


class Choices(BaseModel):
    """The senses of the word, and how the sentence was read."""

    word: str
    tokens: list[Token]
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
    induced = is_induced(explored.senses.metadata)
    names = explored.names.of(word)
    if len(names) == 1:
        alone = Meaning(senses=[0], names=names[0])
        return Pairs(word=word, pairs=[], induced=induced, names=names, meanings=[alone], fewest=1)
    inventory = explored.inventory.result()
    found = inventory.of_word(word)
    given = explored.judgments.applied(found)
    groups = merged_groups(explored.senses, given)
    joined = given.assign(verdict=given["verdict"].replace("undecided", "pseudo"))
    return Pairs(
        word=word,
        pairs=[
            row | {"yours": explored.judgments.of((word, row["sense_a"], row["sense_b"]))}
            for row in records(found)
        ],
        induced=induced,
        doubt=inventory.doubt,
        neighbors=n_neighbors(len(explored.senses)),
        names=names,
        meanings=[
            Meaning(senses=group, names=name)
            for group, name in zip(groups, explored.names.of(word, groups), strict=True)
        ],
        fewest=len(merged_groups(explored.senses, joined)),
    )


@router.get("/examples", responses=BAD_INPUT | UNKNOWN_WORD)
def examples(explored: Explored, word: Word) -> Sentences:
    """Return up to three typical sentences of each sense, with the words that decided."""
    senses = explored.senses

    def tokens(example: Example) -> list[Token]:
        if is_induced(senses.metadata):
            return encoded_tokens(example)
        return read_tokens(senses, word, "".join(example))

    return Sentences(
        word=word,
        reading=not explored.evidence.is_read,
        senses=[[tokens(each) for each in own] for own in explored.evidence.of(word)],
    )


@router.get("/sense", responses=BAD_INPUT | UNKNOWN_WORD)
def sense(
    explored: Explored,
    word: Word,
    text: Annotated[str, Query(max_length=5000, description="A sentence, best with the word.")],
) -> Choices:
    """Choose the sense of a word that a sentence calls for."""
    senses, encoder = explored.senses, explored.encoder
    table = disambiguate(senses, word, text, encoder=encoder)
    if encoder is None:
        tokens = read_tokens(senses, word, text)
    else:
        tokens = encoded_tokens(encoded_sentence(senses, word, text))
    return Choices(
        word=word,
        tokens=tokens,
        senses=[Choice.model_validate(row) for row in table.to_dict(orient="records")],
    )


def encoded_tokens(example: Example) -> list[Token]:
    """Return a sentence as an encoder reads it: all of it decides, no word alone."""
    parts: tuple[Part, Part, Part] = ("context", "word", "context")
    return [
        Token(before="", text=text, part=part, decides=False)
        for text, part in zip(example, parts, strict=True)
    ]


def read_tokens(senses: SenseVectors, word: str, text: str) -> list[Token]:
    """Return the tokens of a sentence, and which of them decided."""
    read = read_context(senses, word, text)
    weights = sorted((token.weight for token in read), reverse=True)
    enough = [
        weight for weight in weights[:_MOST_DECIDING] if weight >= _DECIDING_SHARE * weights[0]
    ]
    least = min(enough, default=0.0)
    return [
        Token(
            before=token.before,
            text=token.text,
            part=token.part,
            decides=0 < token.weight >= least,
        )
        for token in read
    ]


def merged_groups(senses: SenseVectors, pairs: pd.DataFrame) -> list[list[int]]:
    """Return the groups of senses that merging leaves of one word."""
    new_rows = merged_rows(senses.select([pairs["word"].iloc[0]]), pairs)
    return [np.flatnonzero(new_rows == new).tolist() for new in range(new_rows.max() + 1)]


def _neighbors(senses: SenseVectors, word: str, near: Neighbors) -> list[Neighbor]:
    names = names_of(senses, near.rows)
    return [
        Neighbor(word=other, sense=sense, cosine=float(cosine), same_word=other == word)
        for (other, sense), cosine in zip(names, near.cosines, strict=True)
    ]

"""An encoder as the judge: whether sentences of two senses of a word are really different.

The vectors choose a sense for each occurrence of a word in a text, the encoder gives each
occurrence a vector, and the rule of `induce` says how probably two senses are different.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from exrpca.cleaning.encoded_parts import encode_in_parts
from exrpca.contextual import Encoder, Occurrences, judge_labels
from exrpca.contextual.find import find_occurrences, tables
from exrpca.contextual.targets import Targets
from exrpca.errors import InputError
from exrpca.progress import progress_bar
from exrpca.senses import Example, SenseVectors
from exrpca.senses.cosine import unit_vectors
from exrpca.senses.metadata import is_induced
from exrpca.text import Corpus, Lookup, Tokenizer
from exrpca.text.choice import sense_cosines
from exrpca.text.context import ContextSettings
from exrpca.text.corpus import Source
from exrpca.text.in_context import numbered

Integers = NDArray[np.int64]

DEFAULT_PER_SENSE = 30

# A sense with fewer occurrences is not judged: two clusters of a few are far apart by chance.
FEWEST_OCCURRENCES = 5

# Senses are not equally frequent, so more occurrences of a word are found than are encoded.
_FOUND_PER_ENCODED = 5

# Words on each side of an occurrence that the encoder reads, as in `encode`.
_WINDOW = 20


def judge_by_text(
    senses: SenseVectors,
    corpus: Source,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    *,
    words: Sequence[str] | None = None,
    per_sense: int = DEFAULT_PER_SENSE,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Return the pairs of senses that a text says enough about, judged by an encoder.

    Parameters
    ----------
    senses, corpus, encoder, words, per_sense, seed, progress
        As for `detect`.

    Returns
    -------
    DataFrame
        One row per judged pair: `word`, `sense_a`, `sense_b`, `occurrences_a`, `occurrences_b`,
        `probability` (that the two are different), and a typical sentence of each sense,
        `sentence_a` and `sentence_b`.
    """
    occurrences = find_sentences(
        senses,
        corpus,
        encoder if isinstance(encoder, Encoder) else Encoder(encoder),
        words=words,
        per_sense=per_sense,
        seed=seed,
        progress=progress,
    )
    judged = judge_sentences(occurrences, seed=seed, progress=progress)
    typical = typical_sentences(occurrences, 1)
    for side in ("a", "b"):
        keys = zip(judged["word"], judged[f"sense_{side}"], strict=True)
        judged[f"sentence_{side}"] = ["".join(typical[key][0]).strip() for key in keys]
    return judged


def find_sentences(
    senses: SenseVectors,
    corpus: Source,
    encoder: Encoder,
    *,
    words: Sequence[str] | None,
    per_sense: int,
    seed: int = 0,
    progress: bool = False,
) -> Occurrences:
    """Return encoded occurrences of words, each with the sense that the vectors choose."""
    if is_induced(senses.metadata):
        raise InputError("these senses were induced: their occurrences have judged them before")
    if per_sense < FEWEST_OCCURRENCES:
        raise InputError(f"per_sense={per_sense} must be at least {FEWEST_OCCURRENCES}")
    tokenizer = Tokenizer()
    targets = _targets(senses, words, tokenizer, encoder)
    found = _find(corpus, targets, tokenizer, _FOUND_PER_ENCODED * per_sense, progress=progress)
    sense = _chosen_senses(senses, found, tokenizer)
    found, sense = _at_most(found, sense, per_sense, seed)
    return Occurrences.from_arrays(
        found.column("word").to_pylist(),
        encode_in_parts(encoder, found, progress=progress),
        labels=sense,
        texts=found.drop_columns("word"),
    )


def judge_sentences(
    occurrences: Occurrences, *, seed: int = 0, progress: bool = False
) -> pd.DataFrame:
    """Return the pairs of senses with enough occurrences, and how probably they are different."""
    judged = judge_labels(occurrences, seed=seed, progress=progress)
    names = {"label_a": "sense_a", "label_b": "sense_b", "n_a": "occurrences_a"}
    judged = judged.rename(columns={**names, "n_b": "occurrences_b"}).drop(columns="strength")
    enough = judged[["occurrences_a", "occurrences_b"]].min(axis=1) >= FEWEST_OCCURRENCES
    return judged[enough].reset_index(drop=True)


def _targets(
    senses: SenseVectors, words: Sequence[str] | None, tokenizer: Tokenizer, encoder: Encoder
) -> Targets:
    """Return the words with several senses that can be one token of a text."""
    asked = senses.words if words is None else words
    several = [word for word in asked if len(senses[word]) > 1]
    if not several:
        raise InputError("none of the words has several senses, so there is no pair to judge")
    known = set(several).__contains__
    tokens = [
        word
        for word in several
        if list(tokenizer.tokens(word, known)) == [word] and encoder.has_pieces(word)
    ]
    if not tokens:
        raise InputError(
            f"none of the words is ever one token of a text, such as {several[0]!r}: the vectors "
            "and the text spell words differently"
        )
    return Targets(tokens)


def _find(
    corpus: Source, targets: Targets, tokenizer: Tokenizer, per_word: int, *, progress: bool
) -> pa.Table:
    """Return the occurrences found: `word`, `left`, `target`, `right` and more, word by word."""
    text = Corpus(corpus)
    with progress_bar("Reading", text.size or 1, show=progress) as report:
        drawn = find_occurrences(
            text,
            targets,
            tokenizer=tokenizer,
            per_word=per_word,
            window=_WINDOW,
            names=True,
            report=report,
        )
    found = list(tables(drawn, targets, columns=()))
    if not found:
        raise InputError(
            f"none of the {len(targets.words):,} words with several senses occurs in the text, "
            f"such as {targets.words[0]!r}: is it in another language?"
        )
    return pa.concat_tables(found)


def _chosen_senses(senses: SenseVectors, found: pa.Table, tokenizer: Tokenizer) -> Integers:
    """Return the sense that the vectors choose for each occurrence."""
    lookup = Lookup(senses)
    words = map(senses.index, found.column("word").to_pylist())
    sides = (
        (tokenizer.tokens(text, lookup.knows) for text in found.column(side).to_pylist())
        for side in ("left", "right")
    )
    places = numbered(lookup, words, *sides)
    return sense_cosines(senses, *places, ContextSettings.of(senses)).best()


def _at_most(
    found: pa.Table, sense: Integers, per_sense: int, seed: int
) -> tuple[pa.Table, Integers]:
    """Draw at most `per_sense` occurrences of each sense."""
    order = np.random.default_rng(seed).permutation(len(sense))
    table = pd.DataFrame({"word": found.column("word").to_pylist(), "sense": sense})
    kept = np.sort(order[table.iloc[order].groupby(["word", "sense"]).cumcount() < per_sense])
    return found.take(kept), sense[kept]


def typical_sentences(occurrences: Occurrences, n: int) -> dict[tuple[str, int], list[Example]]:
    """Return the sentences of each sense whose vectors are nearest to their mean, nearest first."""
    assert occurrences.texts is not None  # noqa: S101 - they were found in a text
    assert occurrences.labels is not None  # noqa: S101
    texts = occurrences.texts.select(list(Example._fields))
    sentences = {}
    for word, rows in occurrences.by_word():
        for sense in np.unique(occurrences.labels[rows]).tolist():
            own = rows[occurrences.labels[rows] == sense]
            vectors = unit_vectors(occurrences.vectors[own].astype(np.float32))
            nearest = np.argsort(-(vectors @ vectors.mean(axis=0)), kind="stable")[:n]
            typical = texts.take(own[nearest]).to_pylist()
            sentences[word, sense] = [Example(**row) for row in typical]
    return sentences

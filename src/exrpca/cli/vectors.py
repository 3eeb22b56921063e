"""How commands read vectors, by the options they share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from exrpca.cli.output import remark
from exrpca.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from exrpca.cleaning import SenseDecomposition
    from exrpca.senses import SenseVectors


def load_vectors(
    path: Path,
    reader: str | None,
    key_pattern: str | None,
    key_regex: str | None,
    columns: str | None,
    *,
    quiet: bool,
) -> SenseVectors:
    """Read a file of vectors as the options ask."""
    from exrpca.senses import load

    return load(
        path,
        reader=reader,
        key_pattern=key_pattern,
        key_regex=key_regex,
        columns=_parsed(columns),
        progress=not quiet,
    )


def _parsed(columns: str | None) -> dict[str, str] | None:
    """Return what `--columns word=lemma,vector=emb` says."""
    if columns is None:
        return None
    pairs = [part.partition("=") for part in columns.split(",")]
    if not all(role and sign and name for role, sign, name in pairs):
        raise InputError(f"--columns {columns!r}: expected for example word=lemma,vector=emb")
    return {role.strip(): name.strip() for role, _, name in pairs}


def decomposed(senses: SenseVectors, method: str, rank: int, *, quiet: bool) -> SenseDecomposition:
    """Decompose the differences of senses, and show that work is going on."""
    from exrpca.cleaning import SenseDecomposition
    from exrpca.progress import progress_bar

    with progress_bar("Finding components", None, show=not quiet):
        return SenseDecomposition.fit(senses, method=method, rank=rank)


def judged_pairs(senses: SenseVectors, lost: float, *, quiet: bool) -> pd.DataFrame:
    """Judge all pairs of senses, with a sign of life."""
    from exrpca.cleaning import detect
    from exrpca.progress import progress_bar

    with progress_bar("Judging pairs", None, show=not quiet):
        return detect(senses, lost=lost)


def asked_word(senses: SenseVectors, word: str, *, quiet: bool) -> str:
    """Return the word of the vectors that a person means, and say so if it is another form."""
    from exrpca.text import find_word

    found = find_word(senses, word)
    if found != word:
        remark(f"no word {word!r}: showing {found!r}", quiet=quiet)
    return found


def sense_number(senses: SenseVectors, word: str, sense: str) -> int:
    """Return the number of a sense that is given by its label, or by its number."""
    named = int(sense) if (word, sense) not in senses and sense.isdigit() else sense
    first = int(senses.offsets[senses.index(word)])
    return senses.row(word, named) - first


def add_labels(table: pd.DataFrame, senses: SenseVectors, word: str) -> None:
    """Add the labels of a word's senses to a table with a column `sense`, if there are labels."""
    if senses.labels is not None:
        labels = senses.labels[senses.rows(word)]
        place = list(table.columns).index("sense")
        table.insert(place + 1, "label", [labels[sense] for sense in table["sense"]])

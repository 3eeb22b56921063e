"""`exrpca detect`: which senses of words are real, and which pseudo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from exrpca.cli.options import (
    ColumnNames,
    Fdr,
    KeyPattern,
    KeyRegex,
    Method,
    Quiet,
    Rank,
    Reader,
    Score,
    TableFormat,
    TableStyle,
    VectorsFile,
)
from exrpca.cli.output import print_table, remark
from exrpca.cli.vectors import load_vectors

if TYPE_CHECKING:
    from exrpca.senses import SenseVectors


def detect(
    vectors: VectorsFile,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD...]",
            help="The words to show; by default, those with the largest outlier norms.",
        ),
    ] = None,
    n: Annotated[
        int, typer.Option("--n", "-n", min=1, help="How many words to show if none are given.")
    ] = 10,
    neighbors: Annotated[int, typer.Option(min=1, help="Neighbors to show per sense.")] = 5,
    score: Score = "surprise",
    fdr: Fdr = 0.2,
    method: Method = "exrpca",
    rank: Rank = 3,
    reader: Reader = None,
    key_pattern: KeyPattern = None,
    key_regex: KeyRegex = None,
    columns: ColumnNames = None,
    form: TableFormat = TableStyle.TABLE,
    quiet: Quiet = False,
) -> None:
    """Show which senses of words are real: each pair with neighbors, outlier norm and verdict."""
    from exrpca.analysis import describe_pairs, most_outlying_words
    from exrpca.cleaning import detect as detect_pairs

    senses = load_vectors(vectors, reader, key_pattern, key_regex, columns, quiet=quiet)
    remark_if_merged(senses, quiet=quiet)
    detected = detect_pairs(senses, score=score, fdr=fdr, method=method, rank=rank)
    wanted = words or most_outlying_words(detected, n)
    table = describe_pairs(senses, detected, wanted, n_neighbors=neighbors)
    for word in wanted:
        if len(senses[word]) == 1:
            remark(f"{word} has one sense: there is no pair", quiet=quiet)
    print_table(table, form)


def remark_if_merged(senses: SenseVectors, *, quiet: bool) -> None:
    """Say what verdicts on merged vectors are worth; also for `exrpca merge`."""
    from exrpca.senses.metadata import is_merged

    if is_merged(senses.metadata):
        remark(
            "these vectors are merged already: verdicts are relative to the other pairs in the "
            "file, so merging again merges more",
            quiet=quiet,
        )

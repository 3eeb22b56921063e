"""`exrpca pairs`: the senses of words side by side, with their noise."""

from __future__ import annotations

from typing import Annotated

import typer

from exrpca.cli.detection import remark_if_merged
from exrpca.cli.options import (
    Fdr,
    KeyPattern,
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


def pairs(
    vectors: VectorsFile,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD...]", help="The words; else those with most noise."),
    ] = None,
    n: Annotated[
        int, typer.Option("--n", "-n", min=1, help="Without words: how many to show.")
    ] = 10,
    neighbors: Annotated[int, typer.Option(min=1, help="Neighbours of each sense.")] = 5,
    score: Score = "surprise",
    fdr: Fdr = 0.2,
    method: Method = "exrpca",
    rank: Rank = 3,
    reader: Reader = None,
    key_pattern: KeyPattern = None,
    form: TableFormat = TableStyle.TABLE,
    quiet: Quiet = False,
) -> None:
    """Show the sense pairs of words: the neighbours of both senses, noise and verdict."""
    from exrpca.analysis import describe_pairs, noisiest_words
    from exrpca.cleaning import detect
    from exrpca.senses import load

    senses = load(vectors, reader=reader, key_pattern=key_pattern, progress=not quiet)
    remark_if_merged(senses, quiet=quiet)
    detected = detect(senses, score=score, fdr=fdr, method=method, rank=rank)
    wanted = words or noisiest_words(detected, n)
    table = describe_pairs(senses, detected, wanted, n_neighbors=neighbors)
    for word in wanted:
        if len(senses[word]) == 1:
            remark(f"{word} has one sense: no pair", quiet=quiet)
    print_table(table, form)

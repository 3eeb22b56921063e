"""`exrpca neighbors`: the senses nearest to the senses of a word."""

from __future__ import annotations

from typing import Annotated

import typer

from exrpca.cli.options import Format, KeyPattern, Quiet, Reader, TableFormat, VectorsFile
from exrpca.cli.output import print_table


def neighbors(
    vectors: VectorsFile,
    word: Annotated[str, typer.Argument(help="The word to look at.")],
    sense: Annotated[
        int | None, typer.Option("--sense", "-s", help="One sense, from 0; by default, all.")
    ] = None,
    n: Annotated[int, typer.Option("--n", "-n", min=1, help="How many neighbors.")] = 10,
    reader: Reader = None,
    key_pattern: KeyPattern = None,
    form: TableFormat = Format.TABLE,
    quiet: Quiet = False,
) -> None:
    """Show the nearest neighbors of each sense of a word, by cosine."""
    import pandas as pd

    from exrpca.senses import load

    senses = load(vectors, reader=reader, key_pattern=key_pattern, progress=not quiet)
    wanted = range(len(senses[word])) if sense is None else [sense]
    frames = [
        senses.neighbors(word, s, n).rename(columns={"word": "neighbor", "sense": "its_sense"})
        for s in wanted
    ]
    table = pd.concat(frames, keys=list(wanted), names=["sense"]).reset_index(level="sense")
    print_table(table, form, title=word)

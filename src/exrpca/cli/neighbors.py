"""`exrpca neighbors`: the senses nearest to the senses of a word."""

from __future__ import annotations

from typing import Annotated

import typer

from exrpca.cli import options
from exrpca.cli.output import print_table
from exrpca.cli.vectors import asked_word, sense_number


@options.reads_vectors
def neighbors(
    vectors: options.VectorsFile,
    word: Annotated[str, typer.Argument(help="The word to look at.")],
    sense: Annotated[
        str | None,
        typer.Option(
            "--sense", "-s", show_default="all", help="One sense: its label, or its number from 0."
        ),
    ] = None,
    n: Annotated[int, typer.Option("--n", "-n", min=1, help="How many neighbors.")] = 10,
    read: options.ReadOptions = options.AS_FOUND,
    form: options.TableFormat = options.TableStyle.TABLE,
    quiet: options.Quiet = False,
) -> None:
    """Show the nearest neighbors of each sense of a word, by cosine."""
    senses = read.load(vectors, quiet=quiet)
    word = asked_word(senses, word, quiet=quiet)
    number = None if sense is None else sense_number(senses, word, sense)
    print_table(senses.neighbors(word, number, n), form, title=word)

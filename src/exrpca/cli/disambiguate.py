"""`exrpca disambiguate`: which sense of a word a text calls for."""

from __future__ import annotations

from typing import Annotated

import typer

from exrpca.cli.options import (
    KeyPattern,
    ProbabilityRule,
    Quiet,
    Reader,
    TableFormat,
    TableStyle,
    VectorsFile,
)
from exrpca.cli.output import print_table
from exrpca.cli.text import SensesEncoder, Tokenizer, Window, load_encoder


def disambiguate(
    vectors: VectorsFile,
    word: Annotated[str, typer.Argument(help="The word whose sense is asked for.")],
    text: Annotated[
        str,
        typer.Argument(help="A text. The first place of the word counts, or else the whole text."),
    ],
    rule: ProbabilityRule = "inverse",
    window: Window = None,
    tokenizer: Tokenizer = "words",
    encoder: SensesEncoder = None,
    reader: Reader = None,
    key_pattern: KeyPattern = None,
    form: TableFormat = TableStyle.TABLE,
    quiet: Quiet = False,
) -> None:
    """Show how probable each sense of a word is in a text."""
    from exrpca.senses import load
    from exrpca.text import disambiguate as probabilities

    senses = load(vectors, reader=reader, key_pattern=key_pattern, progress=not quiet)
    table = probabilities(
        senses,
        word,
        text,
        rule=rule,
        window=window,
        tokenizer=tokenizer,
        encoder=load_encoder(encoder, senses),
    )
    table["neighbors"] = [
        ", ".join(senses.neighbors(word, sense, 5)["word"]) for sense in table["sense"]
    ]
    print_table(table.sort_values("probability", ascending=False), form, title=word)

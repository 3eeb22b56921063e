"""`exrpca disambiguate`: which sense of a word a text calls for."""

from __future__ import annotations

from typing import Annotated

import typer

from exrpca.cli.encoder_options import SensesEncoder, load_encoder
from exrpca.cli.options import (
    AS_FOUND,
    Quiet,
    ReadOptions,
    TableFormat,
    TableStyle,
    Tokenizer,
    VectorsFile,
    Window,
    reads_vectors,
)
from exrpca.cli.output import print_table, remark
from exrpca.cli.vectors import add_labels, asked_word, remark_choice


@reads_vectors
def disambiguate(
    vectors: VectorsFile,
    word: Annotated[str, typer.Argument(help="The word to disambiguate.")],
    text: Annotated[
        str,
        typer.Argument(
            help="The text. The first occurrence of the word counts; without one, the whole text."
        ),
    ],
    window: Window = None,
    tokenizer: Tokenizer = "words",
    encoder: SensesEncoder = None,
    read: ReadOptions = AS_FOUND,
    form: TableFormat = TableStyle.TABLE,
    quiet: Quiet = False,
) -> None:
    """Show how probable each sense of a word is in a text."""
    from exrpca.senses.neighbors import neighbor_words
    from exrpca.text import context_words
    from exrpca.text import disambiguate as probabilities

    senses = read.load(vectors, quiet=quiet)
    word = asked_word(senses, word, quiet=quiet)
    loaded = load_encoder(encoder, senses)
    table = probabilities(senses, word, text, window=window, tokenizer=tokenizer, encoder=loaded)
    if loaded is None:
        remark_choice(senses, quiet=quiet)
        if not context_words(senses, word, text, window=window, tokenizer=tokenizer):
            remark(
                "no word of the context is in the vocabulary, so the text cannot decide",
                quiet=quiet,
            )
    add_labels(table, senses, word)
    table["neighbors"] = [
        ", ".join(neighbor_words(senses, word, sense, 5)) for sense in table["sense"]
    ]
    print_table(table.sort_values("probability", ascending=False), form, title=word)

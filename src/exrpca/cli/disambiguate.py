"""`exrpca disambiguate`: which sense of a word a text calls for."""

from __future__ import annotations

from typing import Annotated

import typer

from exrpca.cli import options
from exrpca.cli.encoder_options import SensesEncoder, load_encoder
from exrpca.cli.output import print_table, remark
from exrpca.cli.vectors import add_labels, asked_word, remark_choice


@options.reads_vectors
def disambiguate(
    vectors: options.VectorsFile,
    word: Annotated[str, typer.Argument(help="The word to disambiguate.")],
    text: Annotated[
        str,
        typer.Argument(
            help="The text. The first occurrence of the word counts; without one, the whole text."
        ),
    ],
    window: options.Window = None,
    tokenizer: options.Tokenizer = "words",
    encoder: SensesEncoder = None,
    read: options.ReadOptions = options.AS_FOUND,
    form: options.TableFormat = options.TableStyle.TABLE,
    quiet: options.Quiet = False,
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

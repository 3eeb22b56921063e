"""`exrpca tag`: name the sense of every word of a text."""

from __future__ import annotations

from typing import Annotated

import typer

from exrpca.cli.options import Quiet, Reader, VectorsFile
from exrpca.cli.text import (
    CorpusFiles,
    SensesEncoder,
    TextOutput,
    Tokenizer,
    Window,
    load_encoder,
    write_lines,
)


def tag(
    vectors: VectorsFile,
    corpus: CorpusFiles,
    output: TextOutput = None,
    key_pattern: Annotated[
        str | None,
        typer.Option("--key-pattern", metavar="NAME", help="How the output shows word and sense."),
    ] = None,
    window: Window = None,
    tokenizer: Tokenizer = "words",
    encoder: SensesEncoder = None,
    reader: Reader = None,
    quiet: Quiet = False,
) -> None:
    """Write a text with the most probable sense after each word, as in bank#1.

    A word that is not in the vocabulary as it is written is tried in lower case. The rest of
    the text stays as it is.
    """
    from exrpca.files import check_output
    from exrpca.senses import load
    from exrpca.senses.formats.key_patterns import DEFAULT_KEY_PATTERN
    from exrpca.text import Corpus
    from exrpca.text import tag as tag_lines

    if output is not None:
        check_output(output, other_than=[vectors])
    senses = load(vectors, reader=reader, progress=not quiet)
    text = Corpus(corpus)
    lines = tag_lines(
        senses,
        text.lines(),
        key_pattern=key_pattern or DEFAULT_KEY_PATTERN,
        window=window,
        tokenizer=tokenizer,
        encoder=load_encoder(encoder, senses),
    )
    write_lines(lines, text, output, label="Tagging", quiet=quiet)

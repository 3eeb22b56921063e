"""`exrpca tag`: name the sense of every word of a text."""

from __future__ import annotations

from typing import Annotated

import typer

from exrpca.cli.options import Quiet, Reader, VectorsFile
from exrpca.cli.text import CorpusFiles, TextOutput, write_lines


def tag(
    vectors: VectorsFile,
    corpus: CorpusFiles,
    output: TextOutput = None,
    key_pattern: Annotated[
        str | None,
        typer.Option("--key-pattern", metavar="NAME", help="How the output shows word and sense."),
    ] = None,
    lowercase: Annotated[
        bool | None,
        typer.Option(
            "--lowercase/--no-lowercase",
            show_default="as in training",
            help="Turn text lower case.",
        ),
    ] = None,
    window: Annotated[int, typer.Option(min=1, help="Words that count on each side.")] = 5,
    reader: Reader = None,
    quiet: Quiet = False,
) -> None:
    """Write a text with the most probable sense behind each word, as in bank#1.

    Words that have no vector stay as they are.
    """
    from exrpca.files import check_output
    from exrpca.senses import load
    from exrpca.senses.formats.key_patterns import DEFAULT_KEY_PATTERN
    from exrpca.senses.metadata import trained_in_lowercase
    from exrpca.senses.tagging import tag as tag_lines
    from exrpca.training.corpus import Corpus

    if output is not None:
        check_output(output, other_than=[vectors])
    senses = load(vectors, reader=reader, progress=not quiet)
    if lowercase is None:
        lowercase = trained_in_lowercase(senses.metadata)
    text = Corpus(corpus, lowercase=lowercase)
    lines = tag_lines(senses, text, key_pattern=key_pattern or DEFAULT_KEY_PATTERN, window=window)
    write_lines(lines, text, output, label="Tagging", quiet=quiet)

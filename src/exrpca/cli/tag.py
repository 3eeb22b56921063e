"""`exrpca tag`: name the sense of every word of a text."""

from __future__ import annotations

from typing import Annotated

import typer

from exrpca.cli import options
from exrpca.cli.encoder_options import SensesEncoder, load_encoder
from exrpca.cli.output import remark, write_lines
from exrpca.cli.vectors import remark_choice
from exrpca.errors import InputError


@options.reads_vectors
def tag(
    vectors: options.VectorsFile,
    corpus: options.CorpusFiles,
    output: options.TextOutput = None,
    key_pattern: Annotated[
        str | None,
        typer.Option(
            "--key-pattern",
            metavar="NAME",
            show_default="word#0, or the labels of the vectors",
            help="How the output combines word and sense: word#0, word_s0, word:0, word|0, word_0, "
            "word|NOUN, …",
        ),
    ] = None,
    window: options.Window = None,
    tokenizer: options.Tokenizer = "words",
    forms: options.FormsTable = None,
    encoder: SensesEncoder = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Leave the word as it is: BANK|bank#1.")
    ] = False,
    vertical: Annotated[
        bool,
        typer.Option(
            "--vertical", help="One token per line, with its sense after a tab, for concordancers."
        ),
    ] = False,
    read: options.ReadOptions = options.AS_FOUND,
    quiet: options.Quiet = False,
) -> None:
    """Write a text with the most probable sense after each word, as in bank#1.

    A word that is not in the vocabulary as written is tried in lower case. With --forms,
    "banks" becomes bank#1 if only "bank" has senses. The rest of the text stays as it is.
    """
    from exrpca.files import check_output
    from exrpca.text import Corpus
    from exrpca.text import tag as tag_lines

    if keep and vertical:
        raise InputError("--vertical keeps the words already: leave out --keep")
    if output is not None:
        check_output(output, other_than=[vectors])
    senses = read.load(vectors, quiet=quiet)
    loaded = load_encoder(encoder, senses)
    text = Corpus(corpus)
    lines = tag_lines(
        senses,
        text.lines(),
        key_pattern=key_pattern,
        window=window,
        tokenizer=tokenizer,
        forms=forms,
        encoder=loaded,
        form="vertical" if vertical else "keep" if keep else "sense",
    )
    if loaded is None:
        remark_choice(senses, quiet=quiet)
    write_lines(lines, text, output, label="Tagging", quiet=quiet)
    remark(str(lines), quiet=quiet)
    if not lines.n_tagged:
        remark(
            "no token of the text is in the vocabulary: is the text in the same language?",
            quiet=quiet,
        )

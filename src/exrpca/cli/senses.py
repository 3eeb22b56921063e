"""`exrpca senses`: from text to a report on the senses of words, in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.encoder_options import EncoderName, hide_download, remark_default
from exrpca.cli.options import CorpusFiles, Quiet, TableStyle, Words, words_given
from exrpca.cli.output import counted, print_table, remark, remarked_warnings
from exrpca.cli.report import Every
from exrpca.errors import InputError

# The columns of a comparison that fit a screen; the report and `exrpca compare` have the others.
_SHOWN = ["word", "group_a", "group_b", "n_a", "n_b", "prt", "prt_q", "jsd", "gained", "lost"]


def senses(
    corpus: CorpusFiles,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="A .xlsx, .html, .csv or .json file."),
    ],
    words: Words = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            show_default="none",
            help="Count and compare the senses per group: folder, or a column of a table of texts.",
        ),
    ] = None,
    every: Every = None,
    encoder: EncoderName = None,
    quiet: Quiet = False,
) -> None:
    """Find the senses of words in text and report them: encode, induce, report, compare.

    The occurrences are kept next to the report, for induce and compare with
    other settings. If you press Ctrl-C, run the command again: it continues.
    """
    from exrpca.contextual import Encoder, Occurrences, induce
    from exrpca.contextual.compare import compare
    from exrpca.contextual.encode import Search, encode_file
    from exrpca.contextual.report import checked_output, report

    if words is None:
        raise InputError("pass --words: a file, or words separated by commas")
    checked_output(output, 0)
    kept = output.with_name(output.stem + ".occurrences.parquet")
    remark_default(encoder, quiet=quiet)
    hide_download(quiet=quiet)
    encode_file(
        corpus,
        kept,
        Search(words_given(words)),
        Encoder(encoder),
        resume=True,
        progress=not quiet,
    )
    occurrences = Occurrences.load(kept, progress=not quiet)
    with remarked_warnings(quiet=quiet):
        _, assigned = induce(occurrences, progress=not quiet)
        made = report(assigned, output, by=by, every=every)
        if by is not None:
            compared = compare(assigned, occurrences, by=by, every=every, progress=not quiet)
            print_table(compared[_SHOWN], TableStyle.TABLE)
    remark(
        f"{output}: {counted(len(made.senses), 'sense')} of "
        f"{counted(made.senses['word'].nunique(), 'word')}; occurrences in {kept}",
        quiet=quiet,
    )

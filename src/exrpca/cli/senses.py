"""`exrpca senses`: from text to a report on the senses of words, in one command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from exrpca.cli.encode import Language, TextColumn, summarize
from exrpca.cli.encoder_options import EncoderName, hide_download, remark_default
from exrpca.cli.options import CorpusFiles, Quiet, TableStyle, Words, words_given
from exrpca.cli.output import counted, print_table, remark, remarked_warnings
from exrpca.cli.report import Every, ReportFile
from exrpca.errors import InputError

if TYPE_CHECKING:
    from exrpca.text import Corpus

# The columns of a comparison that fit a screen; the report has the others.
_SHOWN = ["word", "group_a", "group_b", "n_a", "n_b", "prt", "prt_q", "jsd", "gained", "lost"]


def senses(
    corpus: CorpusFiles,
    output: ReportFile,
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
    language: Language = "en",
    text_column: TextColumn = "text",
    encoder: EncoderName = None,
    quiet: Quiet = False,
) -> None:
    """Find the senses of words in text and report them: encode, induce, report, compare.

    Writes REPORT.occurrences.parquet, REPORT.senses.parquet and
    REPORT.assigned.csv next to the report, for explore, induce, tag and compare.
    If you press Ctrl-C, run the command again: it continues.
    """
    from exrpca.contextual import Encoder, Occurrences, induce
    from exrpca.contextual.compare import compare
    from exrpca.contextual.encode import DEFAULT_PER_WORD, Search, encode_file
    from exrpca.contextual.report import checked_output, report
    from exrpca.files import together
    from exrpca.senses import save
    from exrpca.tables import write_table

    if words is None:
        raise InputError("pass --words: a file, or words separated by commas")
    if every is not None and by is None:
        raise InputError("--every needs --by: the column with dates or years")
    checked_output(output, 0)
    kept, vectors, table = (
        output.with_name(f"{output.stem}.{ending}")
        for ending in ("occurrences.parquet", "senses.parquet", "assigned.csv")
    )
    search = Search(words_given(words), language=language, text_column=text_column)
    if by is not None:
        _check_groups(search.corpus(corpus, kept), by)
    remark_default(encoder, quiet=quiet)
    hide_download(quiet=quiet)
    loaded = Encoder(encoder)
    encoded = encode_file(corpus, kept, search, loaded, resume=True, progress=not quiet)
    summarize(kept, encoded, DEFAULT_PER_WORD, quiet=quiet)
    occurrences = Occurrences.load(kept, progress=not quiet)
    with remarked_warnings(quiet=quiet):
        found, assigned = induce(occurrences, progress=not quiet)
        changes = None
        if by is not None:
            changes = compare(assigned, occurrences, by=by, every=every, progress=not quiet)
            print_table(changes[_SHOWN], TableStyle.TABLE)
    with together():
        save(found, vectors)
        write_table(assigned, table)
        report(assigned, output, by=by, every=every, changes=changes)
    n_senses = counted(len(found.vectors), "sense")
    remark(f"{output}: {n_senses} of {counted(len(found), 'word')}", quiet=quiet)
    remark(
        f"to correct them: exrpca explore {vectors} --assigned {table} "
        f"--corrections {output.with_name(output.stem)}.corrections.csv",
        quiet=quiet,
    )


def _check_groups(corpus: Corpus, by: str) -> None:
    """Refuse groups that the texts don't have, before they are encoded."""
    if by in corpus.columns or not corpus.can_be_read_again:
        return
    if by != "folder":
        known = ", ".join(["folder", *corpus.columns])
        raise InputError(f"the texts have no column {by!r}: choose one of {known}")
    if len(corpus.folders) < 2:
        raise InputError(
            f"all texts are in one folder, {min(corpus.folders)}: put each group into its own"
        )

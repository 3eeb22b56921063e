"""`exrpca report`: the senses of words with counts, sentences and a concordance."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.options import Quiet
from exrpca.cli.output import counted, remark

AssignedFile = Annotated[
    Path,
    typer.Argument(
        metavar="ASSIGNED",
        help="Occurrences with their senses: what induce --assignments writes (csv, parquet, "
        "json, xlsx).",
    ),
]
ReportFile = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="FILE", help="A .xlsx, .html, .csv or .json file."),
]
Every = Annotated[
    int | None,
    typer.Option(
        "--every",
        min=1,
        show_default="none",
        help="The column of --by has dates or years: this many years make one group.",
    ),
]


def report(
    assigned: AssignedFile,
    output: ReportFile,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            show_default="none",
            help="Count the senses per group: a column of ASSIGNED such as period, or folder.",
        ),
    ] = None,
    every: Every = None,
    sentences: Annotated[
        int, typer.Option("--sentences", min=0, help="Typical sentences per sense.")
    ] = 3,
    quiet: Quiet = False,
) -> None:
    """Write the senses of words as a workbook, a page or a table.

    Names each sense by the typical words of its contexts, counts it per group,
    and lists its sentences, the surest first.
    """
    from exrpca.contextual.assigned import read_assigned
    from exrpca.contextual.report import checked_output
    from exrpca.contextual.report import report as make_report

    checked_output(output, 0)
    made = make_report(read_assigned(assigned), output, by=by, every=every, n_sentences=sentences)
    remark(
        f"{output}: {counted(len(made.senses), 'sense')} of "
        f"{counted(made.senses['word'].nunique(), 'word')}, "
        f"{counted(len(made.concordance), 'occurrence')}",
        quiet=quiet,
    )

"""`exrpca compare`: how the use of words differs between periods, authors or folders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.options import Quiet, TableFormat, TableStyle
from exrpca.cli.output import print_table, remarked_warnings
from exrpca.cli.report import AssignedFile, Every

# Of each measure the table for people shows the value and the false discovery rate.
_NOT_PRINTED = ("_low", "_high", "_p")


def compare(
    assigned: AssignedFile,
    by: Annotated[
        str,
        typer.Option(
            "--by", metavar="COLUMN", help="The column with the groups, such as period, or folder."
        ),
    ],
    occurrences: Annotated[
        Path | None,
        typer.Option(
            "--occurrences",
            metavar="FILE",
            show_default="none",
            help="What encode wrote: with these vectors prt and apd are measured, too.",
        ),
    ] = None,
    every: Every = None,
    draws: Annotated[
        int, typer.Option("--draws", min=1, help="Random regroupings behind each p-value.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")] = 0,
    form: TableFormat = TableStyle.TABLE,
    quiet: Quiet = False,
) -> None:
    """Compare how words are used in two or more groups, such as periods.

    Per word and pair of groups: the distance of the prototypes (prt), the
    average pairwise distance (apd), the divergence of the sense shares (jsd),
    senses gained and lost. CSV and JSON also have intervals and p-values.
    """
    from exrpca.contextual import Occurrences
    from exrpca.contextual.assigned import read_assigned
    from exrpca.contextual.compare import compare as compare_groups

    table = read_assigned(assigned)
    vectors = None if occurrences is None else Occurrences.load(occurrences, progress=not quiet)
    with remarked_warnings(quiet=quiet):
        compared = compare_groups(
            table, vectors, by=by, every=every, draws=draws, seed=seed, progress=not quiet
        )
    if form is TableStyle.TABLE:
        hidden = [column for column in compared if str(column).endswith(_NOT_PRINTED)]
        compared = compared.drop(columns=hidden)
    print_table(compared, form)

"""`exrpca induce`: find the senses of words from the vectors of their occurrences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.options import OutputFile, Quiet, Writer
from exrpca.cli.output import counted, remark, remark_losses, remarked_warnings


def induce(
    occurrences: Annotated[
        Path,
        typer.Argument(
            metavar="OCCURRENCES",
            help="Occurrences with vectors: the output of encode, or a table with word and vector "
            "(Parquet, CSV, npz). Clusters in a column label are merged, and nothing is split.",
        ),
    ],
    output: OutputFile,
    assignments: Annotated[
        Path | None,
        typer.Option(
            "--assignments",
            metavar="TABLE",
            show_default="none",
            help="Write the sense of each occurrence to this file: .csv, .json, .parquet or .xlsx.",
        ),
    ] = None,
    lost: Annotated[
        float,
        typer.Option(
            "--lost",
            help="The expected share of the splits people would make that is not made: from 0 (as "
            "many senses as possible) to 1 (one sense per word).",
        ),
    ] = 0.25,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed for drawing the occurrences that decide.")
    ] = 0,
    writer: Writer = None,
    quiet: Quiet = False,
) -> None:
    """Find the senses of words from the vectors of their occurrences.

    Splits the occurrences of each word where they really differ.
    """
    from exrpca.files import together
    from exrpca.senses.formats import plan_output
    from exrpca.tables import check_table, write_table

    plan = plan_output(output, writer=writer, other_than=[occurrences])
    if assignments is not None:
        check_table(assignments, other_than=[occurrences, output])
    from exrpca.contextual import Occurrences
    from exrpca.contextual import induce as induce_senses

    found = Occurrences.load(occurrences, progress=not quiet)
    with remarked_warnings(quiet=quiet):
        senses, table = induce_senses(found, lost=lost, seed=seed, progress=not quiet)
    plan.check(senses)
    remark_losses(plan, plan.losses_of(senses), quiet=quiet)
    with together():
        plan.save(senses, progress=not quiet)
        if assignments is not None:
            write_table(table, assignments)
    n_several = int((senses.n_senses > 1).sum())
    remark(
        f"{output}: {counted(len(senses.vectors), 'sense')} of {counted(len(senses), 'word')}, "
        f"{n_several:,} of them with several",
        quiet=quiet,
    )

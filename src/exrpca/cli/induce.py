"""`exrpca induce`: find the senses of words from the vectors of their occurrences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.options import OutputFile, Quiet, Writer
from exrpca.cli.output import counted, remark, remark_losses, remarked_warnings
from exrpca.cli.scheduler import Scheduler, connected
from exrpca.errors import InputError


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
            help="The expected share of people's distinctions that are lost: from 0 (as "
            "many senses as possible) to 1 (one sense per word).",
        ),
    ] = 0.15,
    n_senses: Annotated[
        str | None,
        typer.Option(
            "--n-senses",
            metavar="LIST",
            show_default="as many as --lost leaves",
            help="How many senses some words have, as bank=3,cell=2.",
        ),
    ] = None,
    corrections: Annotated[
        Path | None,
        typer.Option(
            "--corrections",
            metavar="CSV",
            show_default="none",
            help="What a person said about some sentences, from explore: it stays, and the rest "
            "follows.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed for drawing the occurrences that decide.")
    ] = 0,
    scheduler: Scheduler = None,
    writer: Writer = None,
    quiet: Quiet = False,
) -> None:
    """Find the senses of words from the vectors of their occurrences.

    Splits the occurrences of each word where they really differ. What you
    corrected and named with explore comes in through --corrections.
    """
    from exrpca.files import together
    from exrpca.senses.formats import plan_output
    from exrpca.tables import check_table, write_table

    numbers = None if n_senses is None else _numbers(n_senses)
    inputs = [occurrences, *([] if corrections is None else [corrections])]
    plan = plan_output(output, writer=writer, other_than=inputs)
    if assignments is not None:
        check_table(assignments, other_than=[*inputs, output])
    from exrpca.contextual import Occurrences
    from exrpca.contextual import induce as induce_senses

    found = Occurrences.load(occurrences, progress=not quiet)
    with remarked_warnings(quiet=quiet), connected(scheduler) as client:
        senses, table = induce_senses(
            found,
            lost=lost,
            n_senses=numbers,
            corrections=corrections,
            seed=seed,
            client=client,
            progress=not quiet,
        )
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


def _numbers(text: str) -> dict[str, int]:
    """Return the numbers that a list such as "bank=3,cell=2" states."""
    numbers = {}
    for part in text.split(","):
        word, _, number = part.rpartition("=")
        if not word or not number.strip().isdecimal():
            raise InputError(f"--n-senses takes a list such as bank=3,cell=2, not {part!r}")
        numbers[word.strip()] = int(number)
    return numbers

"""`exrpca clean`: remove the directions of pseudo senses."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from exrpca.cli import options
from exrpca.cli.output import counted, remark, remark_losses


@options.reads_vectors
def clean(
    vectors: options.VectorsFile,
    output: options.OutputFile,
    method: options.Method = "exrpca",
    rank: Annotated[
        str,
        typer.Option(
            "--rank",
            "-k",
            help="How many components to remove; auto: those that say little about the word.",
        ),
    ] = "auto",
    writer: options.Writer = None,
    read: options.ReadOptions = options.AS_FOUND,
    quiet: options.Quiet = False,
) -> None:
    """Remove the directions of pseudo senses from the sense vectors.

    The name of the output determines its format (see convert). If it does not, a text format of the
    input is kept.
    """
    from exrpca.senses.formats import plan_output

    wanted = _parsed(rank)
    plan = plan_output(
        output, writer=writer, key_pattern=read.key_pattern, source=vectors, reader=read.reader
    )
    senses = read.load(vectors, quiet=quiet)
    plan.check(senses)
    remark_losses(plan, plan.losses_of(senses), quiet=quiet)
    from exrpca.cleaning import clean as clean_senses
    from exrpca.progress import progress_bar

    with progress_bar("Finding components", None, show=not quiet):
        cleaned = clean_senses(senses, method=method, rank=wanted)
    plan.save(cleaned, progress=not quiet)
    removed = cleaned.metadata["cleaned"]["rank"]
    remark(
        f"{output}: {counted(removed, 'component')} removed from "
        f"{counted(len(senses.vectors), 'sense')}",
        quiet=quiet,
    )
    if removed == 0:
        remark("no component is worth removing: exrpca diagnose says why", quiet=quiet)


def _parsed(rank: str) -> int | Literal["auto"]:
    from exrpca.errors import InputError

    if rank == "auto":
        return "auto"
    try:
        return int(rank)
    except ValueError:
        raise InputError(f"rank={rank} must be a whole number or auto") from None

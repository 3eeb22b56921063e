"""`exrpca convert`: from one file format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.options import AS_FOUND, Quiet, ReadOptions, VectorsFile, Writer, reads_vectors
from exrpca.cli.output import counted, remark, remark_losses


@reads_vectors
def convert(
    vectors: VectorsFile,
    output: Annotated[Path, typer.Argument(metavar="OUTPUT", help="The file to write.")],
    writer: Writer = None,
    output_key_pattern: Annotated[
        str | None,
        typer.Option(
            "--output-key-pattern",
            metavar="NAME",
            show_default="as in the input, else word#0",
            help="How keys in the output combine a word and its sense.",
        ),
    ] = None,
    read: ReadOptions = AS_FOUND,
    quiet: Quiet = False,
) -> None:
    """Read vectors in one format and write them in another.

    The extension of the output determines its format, such as .parquet or .vec (word2vec text). An
    unknown extension is an error, which lists the known ones. Add .gz to compress text.
    """
    from exrpca.senses.formats import plan_output

    plan = plan_output(
        output,
        writer=writer,
        key_pattern=output_key_pattern or read.key_pattern,
        source=vectors,
        reader=read.reader,
    )
    senses = read.load(vectors, quiet=quiet)
    remark_losses(plan, plan.losses_of(senses), quiet=quiet)
    plan.save(senses, progress=not quiet)
    found = f"{counted(len(senses), 'word')}, {counted(len(senses.vectors), 'sense')}"
    remark(f"{output}: {found}", quiet=quiet)

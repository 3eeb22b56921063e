"""`exrpca merge`: join the pseudo senses of each word."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli import options
from exrpca.cli.detect import remark_detection, remark_if_judged
from exrpca.cli.encoder_options import EncoderName
from exrpca.cli.output import counted, remark, remark_losses, remarked_warnings
from exrpca.cli.vectors import check_encoder, judged_pairs


@options.reads_vectors
def merge(
    vectors: options.VectorsFile,
    output: options.OutputFile,
    map_file: Annotated[
        Path | None,
        typer.Option(
            "--map",
            metavar="TABLE",
            show_default="none",
            help="Write to this file what each sense became; retag needs CSV.",
        ),
    ] = None,
    verdicts: Annotated[
        Path | None,
        typer.Option(
            metavar="CSV",
            show_default="none",
            help="Use the verdicts in this file, written by explore --verdicts, instead of the "
            "detected ones.",
        ),
    ] = None,
    lost: options.Lost = 0.2,
    corpus: options.JudgeCorpus = None,
    encoder: EncoderName = None,
    writer: options.Writer = None,
    read: options.ReadOptions = options.AS_FOUND,
    quiet: options.Quiet = False,
) -> None:
    """Join the pseudo senses of each word; real and undecided ones stay separate.

    With the map, retag updates a text that is already tagged.
    """
    from exrpca.files import together
    from exrpca.senses.formats import plan_output
    from exrpca.tables import check_table, write_table

    check_encoder(corpus, encoder)
    plan = plan_output(
        output, writer=writer, key_pattern=read.key_pattern, source=vectors, reader=read.reader
    )
    if map_file is not None:
        check_table(map_file, other_than=[vectors, output])
    from exrpca.cleaning import merge as merge_senses
    from exrpca.cleaning import read_verdicts, with_verdicts

    senses = read.load(vectors, quiet=quiet)
    plan.check(senses)
    remark_losses(plan, plan.losses_of(senses), quiet=quiet)
    remark_if_judged(senses, quiet=quiet)
    given = {} if verdicts is None else read_verdicts(verdicts, senses)
    pairs = judged_pairs(senses, lost, corpus=corpus, encoder=encoder, quiet=quiet)
    remark_detection(pairs, lost, quiet=quiet)
    with remarked_warnings(quiet=quiet):
        merged, mapping = merge_senses(senses, with_verdicts(pairs, given))
    with together():
        plan.save(merged, progress=not quiet)
        if map_file is not None:
            write_table(mapping, map_file)
    before, after = len(senses.vectors), len(merged.vectors)
    remark(f"{output}: {counted(before, 'sense')} became {after:,}", quiet=quiet)

"""`exrpca clean`: project the directions of pseudo senses away."""

from __future__ import annotations

from exrpca.cli.options import (
    ColumnNames,
    KeyPattern,
    KeyRegex,
    Method,
    OutputFile,
    Quiet,
    Rank,
    Reader,
    VectorsFile,
    Writer,
)
from exrpca.cli.output import remark, remark_losses
from exrpca.cli.vectors import load_vectors


def clean(
    vectors: VectorsFile,
    output: OutputFile,
    method: Method = "exrpca",
    rank: Rank = 3,
    reader: Reader = None,
    writer: Writer = None,
    key_pattern: KeyPattern = None,
    key_regex: KeyRegex = None,
    columns: ColumnNames = None,
    quiet: Quiet = False,
) -> None:
    """Project the directions of pseudo senses away from the sense vectors.

    The name of the output decides its format (see convert); a name that says nothing keeps the
    format of the input.
    """
    from exrpca.senses.formats import plan_output

    plan = plan_output(
        output, writer=writer, key_pattern=key_pattern, source=vectors, reader=reader
    )
    senses = load_vectors(vectors, reader, key_pattern, key_regex, columns, quiet=quiet)
    plan.check(senses)
    remark_losses(plan, plan.losses_of(senses), quiet=quiet)
    from exrpca.cleaning import clean as clean_senses

    cleaned = clean_senses(senses, method=method, rank=rank)
    plan.save(cleaned, progress=not quiet)
    remark(f"{output}: {rank} components removed from {len(senses.vectors):,} senses", quiet=quiet)

"""`exrpca clean`: project the directions of pseudo senses away."""

from __future__ import annotations

from exrpca.cli.options import (
    KeyPattern,
    Method,
    OutputFile,
    Quiet,
    Rank,
    Reader,
    VectorsFile,
    Writer,
)
from exrpca.cli.output import remark


def clean(
    vectors: VectorsFile,
    output: OutputFile,
    method: Method = "exrpca",
    rank: Rank = 3,
    reader: Reader = None,
    writer: Writer = None,
    key_pattern: KeyPattern = None,
    quiet: Quiet = False,
) -> None:
    """Project the directions of pseudo senses away from the sense vectors.

    The output's name tells its format (see convert); a name that tells nothing keeps the
    format of the input.
    """
    from exrpca.cleaning import clean as clean_senses
    from exrpca.senses import load, save

    senses = load(vectors, reader=reader, key_pattern=key_pattern, progress=not quiet)
    cleaned = clean_senses(senses, method=method, rank=rank)
    save(cleaned, output, writer=writer, key_pattern=key_pattern, progress=not quiet)
    remark(f"{output}: {rank} components removed from {len(senses.vectors):,} senses", quiet=quiet)

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

    Without --writer the output has the format of the input.
    """
    from exrpca.cleaning import clean as clean_senses
    from exrpca.senses import detect_format, load, save

    senses = load(vectors, reader=reader, key_pattern=key_pattern, progress=not quiet)
    cleaned = clean_senses(senses, method=method, rank=rank)
    same_format = writer or reader or detect_format(vectors)
    save(cleaned, output, writer=same_format, key_pattern=key_pattern, progress=not quiet)
    remark(f"{output}: {rank} components removed from {len(senses.vectors):,} senses", quiet=quiet)

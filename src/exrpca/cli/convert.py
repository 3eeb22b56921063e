"""`exrpca convert`: from one file format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.options import KeyPattern, Quiet, Reader, VectorsFile, Writer
from exrpca.cli.output import remark


def convert(
    vectors: VectorsFile,
    output: Annotated[Path, typer.Argument(metavar="OUTPUT", help="The file to write.")],
    reader: Reader = None,
    writer: Writer = None,
    key_pattern: KeyPattern = None,
    quiet: Quiet = False,
) -> None:
    """Read vectors in one format and write them in another.

    The output's name tells its format: .parquet, .vec (word2vec text), .bin (word2vec binary),
    a name with mssg in it, _global.vec (three files); .gz after it compresses text.
    """
    from exrpca.senses import load, save

    senses = load(vectors, reader=reader, key_pattern=key_pattern, progress=not quiet)
    save(senses, output, writer=writer, key_pattern=key_pattern, progress=not quiet)
    remark(f"{output}: {len(senses):,} words, {len(senses.vectors):,} senses", quiet=quiet)

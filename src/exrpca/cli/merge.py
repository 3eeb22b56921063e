"""`exrpca merge`: join the pseudo senses of each word."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.detect import remark_if_merged
from exrpca.cli.options import (
    Fdr,
    KeyPattern,
    Method,
    OutputFile,
    Quiet,
    Rank,
    Reader,
    Score,
    VectorsFile,
    Writer,
)
from exrpca.cli.output import remark
from exrpca.errors import InputError


def merge(
    vectors: VectorsFile,
    output: OutputFile,
    map_file: Annotated[
        Path | None,
        typer.Option("--map", metavar="CSV", help="Write here which sense became which."),
    ] = None,
    score: Score = "surprise",
    fdr: Fdr = 0.2,
    method: Method = "exrpca",
    rank: Rank = 3,
    reader: Reader = None,
    writer: Writer = None,
    key_pattern: KeyPattern = None,
    quiet: Quiet = False,
) -> None:
    """Join the pseudo senses of each word into one.

    The map brings a sense-tagged text up to date (see retag).
    """
    _check_outputs(vectors, output, map_file)
    from exrpca.cleaning import detect
    from exrpca.cleaning import merge as merge_senses
    from exrpca.files import atomic_path
    from exrpca.senses import load, save

    senses = load(vectors, reader=reader, key_pattern=key_pattern, progress=not quiet)
    remark_if_merged(senses, quiet=quiet)
    pairs = detect(senses, score=score, fdr=fdr, method=method, rank=rank)
    merged, mapping = merge_senses(senses, pairs)
    save(merged, output, writer=writer, key_pattern=key_pattern, progress=not quiet)
    if map_file is not None:
        with atomic_path(map_file) as temporary:
            mapping.to_csv(temporary, index=False)
    before, after = len(senses.vectors), len(merged.vectors)
    remark(f"{output}: {before:,} senses became {after:,}", quiet=quiet)


def _check_outputs(vectors: Path, output: Path, map_file: Path | None) -> None:
    """Refuse what could not be written, before work that would be lost."""
    for path in (output, map_file):
        if path is not None and (path.is_dir() or not path.parent.is_dir()):
            raise InputError("expected a file name in an existing folder", path=path)
    if map_file is not None and map_file.resolve() in (vectors.resolve(), output.resolve()):
        raise InputError("is a file of vectors: give the map a name of its own", path=map_file)

"""`exrpca diagnose`: what was found in a file of sense vectors, and what to do about it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.options import AS_FOUND, Quiet, ReadOptions, VectorsFile, reads_vectors
from exrpca.cli.output import remark


@reads_vectors
def diagnose(
    vectors: VectorsFile,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            show_default="none",
            help="Write to this file: HTML if its name ends in .html, otherwise Markdown.",
        ),
    ] = None,
    read: ReadOptions = AS_FOUND,
    quiet: Quiet = False,
) -> None:
    """Report on one page how many pairs are real and whether cleaning and merging may help."""
    from exrpca.files import atomic_path, check_output

    if output is not None:
        check_output(output, other_than=[vectors])
    from exrpca.analysis import diagnose as diagnose_senses
    from exrpca.progress import progress_bar

    senses = read.load(vectors, quiet=quiet)
    with progress_bar("Diagnosing", None, show=not quiet):
        found = diagnose_senses(senses, name=vectors.name)
    if output is None:
        print(found.text(), end="")
        return
    page = found.html() if output.suffix.lower() in (".html", ".htm") else found.text()
    with atomic_path(output) as temporary:
        temporary.write_text(page, encoding="utf-8")
    remark(f"{output}: written", quiet=quiet)

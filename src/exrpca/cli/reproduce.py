"""`exrpca reproduce`: all tables and figures of the paper as a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli import options
from exrpca.cli.output import remark
from exrpca.cli.vectors import chosen_methods, rated_pairs


@options.reads_vectors
def reproduce(
    vectors: options.VectorsFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder to write to.")
    ],
    scws: options.ScwsFile = None,
    word_pairs: options.WordPairsFiles = None,
    methods: options.Methods = "all",
    ranks: options.Ranks = "1-5,10",
    read: options.ReadOptions = options.AS_FOUND,
    quiet: options.Quiet = False,
) -> None:
    """Write a report with all tables and figures of the paper, next to the paper's numbers.

    The folder gets report.html (self-contained), report.md, the figures as PNG and SVG, and
    results.json.
    """
    from exrpca.files import check_output_folder

    check_output_folder(output)
    from exrpca.analysis.reproduction import reproduce as reproduce_paper
    from exrpca.evaluation.methods import n_variants
    from exrpca.progress import progress_bar

    datasets = rated_pairs(scws, word_pairs, quiet=quiet)
    numbers = options.parse_ranks(ranks)
    senses = read.load(vectors, quiet=quiet)
    names = chosen_methods(methods, senses, quiet=quiet)
    with progress_bar("Scoring", n_variants(names, numbers), show=not quiet) as on_progress:
        written = reproduce_paper(
            senses,
            datasets,
            output,
            name=vectors.name,
            methods=names,
            ranks=numbers,
            on_progress=on_progress,
        )
    for path in written:
        remark(f"{path}: written", quiet=quiet)

"""`exrpca plot`: pictures of senses, components and the sweep."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exrpca.cli import options
from exrpca.cli.output import remark
from exrpca.cli.vectors import decomposed, rated_pairs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from exrpca.senses import SenseVectors

app = typer.Typer(help="Draw figures as PNG or SVG.", no_args_is_help=True)

Picture = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="FILE", help="The picture to write, as .png or .svg."),
]


@app.command()
@options.reads_vectors
def overview(
    vectors: options.VectorsFile,
    output: Picture,
    words: Annotated[
        str,
        typer.Option(
            "--words",
            metavar="LIST",
            help="2 to 7 words, separated by commas, or a file with one word per line.",
        ),
    ] = "bank,apple,plant,rock,fox",
    method: options.Method = "exrpca",
    rank: options.Rank = 3,
    read: options.ReadOptions = options.AS_FOUND,
    quiet: options.Quiet = False,
) -> None:
    """Draw the senses of some words before and after cleaning, side by side."""
    from exrpca.analysis.plots import plot_overview

    senses = _load(vectors, output, read, quiet=quiet)
    decomposition = decomposed(senses, method, rank, quiet=quiet)
    _save(plot_overview(decomposition, options.words_given(words)), output, quiet)


@app.command()
@options.reads_vectors
def components(
    vectors: options.VectorsFile,
    output: Picture,
    method: options.Method = "exrpca",
    rank: options.Rank = 3,
    read: options.ReadOptions = options.AS_FOUND,
    quiet: options.Quiet = False,
) -> None:
    """Draw what the components explain and what is left, compared with PCA."""
    from exrpca.analysis import beside_pca
    from exrpca.analysis.plots import plot_components

    senses = _load(vectors, output, read, quiet=quiet)
    decomposition = decomposed(senses, method, rank, quiet=quiet)
    _save(plot_components(*beside_pca(decomposition)), output, quiet)


@app.command()
@options.reads_vectors
def sweep(
    vectors: options.VectorsFile,
    output: Picture,
    scws: options.ScwsFile = None,
    word_pairs: options.WordPairsFiles = None,
    method: options.Method = "exrpca",
    rank: options.Rank = 3,
    read: options.ReadOptions = options.AS_FOUND,
    quiet: options.Quiet = False,
) -> None:
    """Draw the scores against the number of removed directions."""
    from exrpca.analysis import collapsed_scores
    from exrpca.analysis import sweep as sweep_scores
    from exrpca.analysis.plots import plot_sweep
    from exrpca.progress import progress_bar

    datasets = rated_pairs(scws, word_pairs, quiet=quiet)
    senses = _load(vectors, output, read, quiet=quiet)
    decomposition = decomposed(senses, method, rank, quiet=quiet)
    with progress_bar("Scoring", None, show=not quiet):
        scores = sweep_scores(decomposition, datasets)
    _save(plot_sweep(scores, collapsed=collapsed_scores(senses, datasets)), output, quiet)


def _load(
    vectors: Path,
    output: Path,
    read: options.ReadOptions,
    *,
    quiet: bool,
) -> SenseVectors:
    """Read the vectors, once it is sure that the picture can be written in that format."""
    from exrpca.analysis.plots import check_figure_path
    from exrpca.files import check_output

    check_figure_path(output)
    check_output(output, other_than=[vectors])
    return read.load(vectors, quiet=quiet)


def _save(figure: Figure, output: Path, quiet: bool) -> None:
    from exrpca.analysis.plots import save_figure

    save_figure(figure, output)
    remark(f"{output}: written", quiet=quiet)

"""`exrpca compare`: how the use of words differs between periods, authors or folders."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exrpca.cli.options import Quiet, TableFormat, TableStyle
from exrpca.cli.output import counted, print_table, remark, remarked_warnings
from exrpca.cli.report import AssignedFile, Every
from exrpca.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from exrpca.contextual import Occurrences

# Of each measure the table for people shows the value and the false discovery rate.
_NOT_PRINTED = ("_low", "_high", "_p")


def compare(
    assigned: AssignedFile,
    by: Annotated[
        str,
        typer.Option(
            "--by", metavar="COLUMN", help="The column with the groups, such as period, or folder."
        ),
    ],
    occurrences: Annotated[
        Path | None,
        typer.Option(
            "--occurrences",
            metavar="FILE",
            show_default="none",
            help="What encode wrote: with these vectors prt and apd are measured, too.",
        ),
    ] = None,
    every: Every = None,
    plots: Annotated[
        Path | None,
        typer.Option(
            "--plots",
            metavar="FOLDER",
            show_default="none",
            help="Draw a picture per word into this folder: WORD.svg.",
        ),
    ] = None,
    draws: Annotated[
        int, typer.Option("--draws", min=1, help="Random regroupings behind each p-value.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers.")] = 0,
    form: TableFormat = TableStyle.TABLE,
    quiet: Quiet = False,
) -> None:
    """Compare how words are used in two or more groups, such as periods.

    Per word and pair of groups: the distance of the prototypes (prt), the
    average pairwise distance (apd), the divergence of the sense shares (jsd),
    senses gained and lost. CSV and JSON also have intervals and p-values.
    """
    from exrpca.contextual import Occurrences
    from exrpca.contextual.assigned import read_assigned
    from exrpca.contextual.compare import compare as compare_groups

    if plots is not None and plots.exists() and not plots.is_dir():
        raise InputError("is no folder", path=plots)
    table = read_assigned(assigned)
    vectors = None if occurrences is None else Occurrences.load(occurrences, progress=not quiet)
    with remarked_warnings(quiet=quiet):
        compared = compare_groups(
            table, vectors, by=by, every=every, draws=draws, seed=seed, progress=not quiet
        )
    if plots is not None:
        _draw(table, vectors, compared["word"].unique(), by, every, plots)
        remark(f"{plots}: {counted(compared['word'].nunique(), 'picture')}", quiet=quiet)
    if form is TableStyle.TABLE:
        hidden = [column for column in compared if str(column).endswith(_NOT_PRINTED)]
        compared = compared.drop(columns=hidden)
    print_table(compared, form)


def _draw(
    table: pd.DataFrame,
    occurrences: Occurrences | None,
    words: Iterable[str],
    by: str,
    every: int | None,
    folder: Path,
) -> None:
    from exrpca.contextual import plot_change
    from exrpca.contextual.report import report
    from exrpca.files import atomic_path

    folder.mkdir(parents=True, exist_ok=True)
    # the names that a report gives to senses
    names = report(table, n_sentences=0).senses[["word", "sense", "name"]]
    table = table.drop(columns="name", errors="ignore").merge(names, "left", ["word", "sense"])
    for word in words:
        figure = plot_change(table, word, by=by, every=every, occurrences=occurrences)
        # a word may have characters that no file name has
        name = re.sub(r"[^\w-]+", "_", word)
        with atomic_path(folder / f"{name}.svg") as temporary:
            figure.savefig(temporary, format="svg")

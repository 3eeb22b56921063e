"""`exrpca components`: the directions along which the senses of a word differ."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from exrpca.cli import options
from exrpca.cli.output import print_table
from exrpca.cli.vectors import decomposed


class Table(StrEnum):
    """The tables about components."""

    COMPONENTS = "components"
    PAIRS = "pairs"
    OUTSIDE = "outside"


@options.reads_vectors
def components(
    vectors: options.VectorsFile,
    method: options.Method = "exrpca",
    rank: options.Rank = 3,
    n: Annotated[int, typer.Option("--n", "-n", min=1, help="Pairs per component.")] = 5,
    table: Annotated[
        Table | None,
        typer.Option(
            show_default="all; CSV and JSON: components",
            help="Print only one table: components, best pairs, or elements of E outside 3σ.",
        ),
    ] = None,
    read: options.ReadOptions = options.AS_FOUND,
    form: options.TableFormat = options.TableStyle.TABLE,
    quiet: options.Quiet = False,
) -> None:
    """Show the components: what they explain, and the pairs and words that fit them best.

    The table format prints three tables. CSV and JSON contain only one: the components, unless
    --table selects another.
    """
    from exrpca.analysis import (
        beside_pca,
        component_pairs,
        describe_components,
        outside_shares,
    )
    from exrpca.analysis.spectrum import in_percent
    from exrpca.progress import progress_bar

    senses = read.load(vectors, quiet=quiet)
    fitted = decomposed(senses, method, rank, quiet=quiet)
    tables = {
        Table.COMPONENTS: ("Components", lambda: describe_components(fitted)),
        Table.PAIRS: ("Pairs they explain best", lambda: component_pairs(fitted, n=n)),
        Table.OUTSIDE: ("Elements of E outside 3σ", lambda: outside_shares(*beside_pca(fitted))),
    }
    wanted = (
        [table]
        if table
        else list(Table)
        if form is options.TableStyle.TABLE
        else [Table.COMPONENTS]
    )
    for each in wanted:
        title, make = tables[each]
        with progress_bar(title, None, show=not quiet):
            frame = make()
        if each is Table.OUTSIDE and form is options.TableStyle.TABLE:
            frame = in_percent(frame, "outside_3_sigma", "expected")
        print_table(frame, form, title=title)

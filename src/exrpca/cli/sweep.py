"""`exrpca sweep`: scores against the number of removed directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exrpca.cli.options import (
    AS_FOUND,
    Method,
    Quiet,
    Rank,
    ReadOptions,
    ScwsFile,
    TableFormat,
    TableStyle,
    VectorsFile,
    WordPairsFiles,
    reads_vectors,
)
from exrpca.cli.output import print_table
from exrpca.cli.vectors import decomposed, rated_pairs

if TYPE_CHECKING:
    import pandas as pd

# The rows that people are shown; CSV and JSON have all.
_SHOWN = [*range(11), 20, 50, 100, 150, 200, 250, 300, 400, 500]


@reads_vectors
def sweep(
    vectors: VectorsFile,
    scws: ScwsFile = None,
    word_pairs: WordPairsFiles = None,
    method: Method = "exrpca",
    rank: Rank = 3,
    read: ReadOptions = AS_FOUND,
    form: TableFormat = TableStyle.TABLE,
    quiet: Quiet = False,
) -> None:
    """Score the vectors with 0, 1, …, all but one of their directions removed.

    The directions come from one decomposition at the given rank.
    """
    from exrpca.analysis import sweep as sweep_scores
    from exrpca.analysis.sweep import wide_sweep
    from exrpca.progress import progress_bar

    datasets = rated_pairs(scws, word_pairs, quiet=quiet)
    senses = read.load(vectors, quiet=quiet)
    decomposition = decomposed(senses, method, rank, quiet=quiet)
    with progress_bar("Scoring", None, show=not quiet):
        scores = sweep_scores(decomposition, datasets)
    if form is TableStyle.TABLE:
        print_table(
            _for_people(wide_sweep(scores)), form, title="Spearman's ρ × 100 by removed directions"
        )
    else:
        print_table(scores, form)


def _for_people(wide: pd.DataFrame) -> pd.DataFrame:
    shown = wide[wide["removed"].isin([*_SHOWN, wide["removed"].max()])]
    measures = [name for name in shown if name != "removed"]
    return shown[["removed"]].join(shown[measures].map(lambda rho: f"{100 * rho:.1f}"))

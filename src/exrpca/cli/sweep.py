"""`exrpca sweep`: scores against the number of removed directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exrpca.cli import options
from exrpca.cli.output import print_table
from exrpca.cli.vectors import decomposed, rated_pairs

if TYPE_CHECKING:
    import pandas as pd

# The rows that people are shown; CSV and JSON have all.
_SHOWN = [*range(11), 20, 50, 100, 150, 200, 250, 300, 400, 500]


@options.reads_vectors
def sweep(
    vectors: options.VectorsFile,
    scws: options.ScwsFile = None,
    word_pairs: options.WordPairsFiles = None,
    method: options.Method = "exrpca",
    rank: options.Rank = 3,
    read: options.ReadOptions = options.AS_FOUND,
    form: options.TableFormat = options.TableStyle.TABLE,
    quiet: options.Quiet = False,
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
    if form is options.TableStyle.TABLE:
        print_table(
            _for_people(wide_sweep(scores)), form, title="Spearman's ρ × 100 by removed directions"
        )
    else:
        print_table(scores, form)


def _for_people(wide: pd.DataFrame) -> pd.DataFrame:
    shown = wide[wide["removed"].isin([*_SHOWN, wide["removed"].max()])]
    measures = [name for name in shown if name != "removed"]
    return shown[["removed"]].join(shown[measures].map(lambda rho: f"{100 * rho:.1f}"))

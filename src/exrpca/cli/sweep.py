"""`exrpca sweep`: scores against the number of removed directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exrpca.cli.options import (
    ColumnNames,
    KeyPattern,
    KeyRegex,
    Method,
    ProbabilityRule,
    Quiet,
    Rank,
    Reader,
    TableFormat,
    TableStyle,
    VectorsFile,
)
from exrpca.cli.output import print_table
from exrpca.cli.rated_pairs import ScwsFile, WordPairsFiles, Ws353File, rated_pairs
from exrpca.cli.vectors import decomposed, load_vectors

if TYPE_CHECKING:
    import pandas as pd

# The rows that people are shown; CSV and JSON have all.
_SHOWN = [*range(11), 20, 50, 100, 150, 200, 250, 300, 400, 500]


def sweep(
    vectors: VectorsFile,
    scws: ScwsFile = None,
    ws353: Ws353File = None,
    word_pairs: WordPairsFiles = None,
    method: Method = "exrpca",
    rank: Rank = 3,
    rule: ProbabilityRule = "inverse",
    reader: Reader = None,
    key_pattern: KeyPattern = None,
    key_regex: KeyRegex = None,
    columns: ColumnNames = None,
    form: TableFormat = TableStyle.TABLE,
    quiet: Quiet = False,
) -> None:
    """Score the vectors with 0, 1, …, all but one of their directions removed.

    The directions come from one decomposition at the given rank.
    """
    from exrpca.analysis import sweep as sweep_scores
    from exrpca.analysis.sweep import wide_sweep
    from exrpca.progress import progress_bar

    datasets = rated_pairs(scws, ws353, word_pairs, quiet=quiet)
    senses = load_vectors(vectors, reader, key_pattern, key_regex, columns, quiet=quiet)
    decomposition = decomposed(senses, method, rank, quiet=quiet)
    with progress_bar("Scoring", None, show=not quiet):
        scores = sweep_scores(decomposition, datasets, rule=rule)
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

"""`exrpca evaluate`: how well similarities agree with people, before and after cleaning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exrpca.cli.options import KeyPattern, ProbabilityRule, Quiet, Reader, TableFormat, TableStyle
from exrpca.cli.output import print_table
from exrpca.cli.rated_pairs import (
    Methods,
    Ranks,
    ScwsFile,
    WordPairsFiles,
    Ws353File,
    chosen_methods,
    parse_ranks,
    rated_pairs,
)
from exrpca.cli.text import Tokenizer, Window

if TYPE_CHECKING:
    import pandas as pd

_GAINS = ["gain", "gain_low", "gain_high"]


def evaluate(
    vectors: Annotated[
        list[Path], typer.Argument(metavar="VECTORS...", help="Files of sense vectors.")
    ],
    scws: ScwsFile = None,
    ws353: Ws353File = None,
    word_pairs: WordPairsFiles = None,
    methods: Methods = "none,collapsed,abtt,pca,exrpca",
    ranks: Ranks = "1-5",
    rule: ProbabilityRule = "inverse",
    window: Window = None,
    tokenizer: Tokenizer = "whitespace",
    gains: Annotated[
        bool, typer.Option("--gains", help="Also show the gain over the vectors as they are.")
    ] = False,
    reader: Reader = None,
    key_pattern: KeyPattern = None,
    form: TableFormat = TableStyle.TABLE,
    quiet: Quiet = False,
) -> None:
    """Score similarities against people's ratings, for each method and rank.

    Spearman's ρ (× 100 in the table) with a 95% bootstrap interval (± half its width in the
    table), over the pairs whose words are in the vocabulary. The tokenizer is for the contexts of
    SCWS, which are already tokenized.
    """
    import pandas as pd

    from exrpca.evaluation.methods import compare_methods, n_variants
    from exrpca.progress import progress_bar
    from exrpca.senses import load

    datasets = rated_pairs(scws, ws353, word_pairs, tokenizer=tokenizer, quiet=quiet)
    numbers = parse_ranks(ranks)
    tables = []
    for path in vectors:
        senses = load(path, reader=reader, key_pattern=key_pattern, progress=not quiet)
        names = chosen_methods(methods, senses, quiet=quiet)
        with progress_bar(path.name, n_variants(names, numbers), show=not quiet) as on_progress:
            table = compare_methods(
                senses,
                datasets,
                methods=names,
                ranks=numbers,
                rule=rule,
                window=window,
                on_progress=on_progress,
            )
        table.insert(0, "vectors", path.name)
        tables.append(table)
    scores = pd.concat(tables, ignore_index=True)
    if form is TableStyle.TABLE:
        _print_for_people(scores, gains=gains)
    else:
        print_table(scores if gains else scores.drop(columns=_GAINS), form)


def _print_for_people(scores: pd.DataFrame, *, gains: bool) -> None:
    from exrpca.evaluation.tables import coverage, wide_scores

    print_table(
        wide_scores(scores), TableStyle.TABLE, title=f"Spearman's ρ × 100 on {coverage(scores)}"
    )
    if gains:
        table = wide_scores(scores, value="gain")
        print_table(table, TableStyle.TABLE, title="Gain over the vectors as they are")

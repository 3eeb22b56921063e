"""`exrpca evaluate`: how well similarities, or the senses chosen in text, agree with people."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exrpca.cli import options
from exrpca.cli.encoder_options import SensesEncoder, load_encoder
from exrpca.cli.output import print_table, remark
from exrpca.cli.vectors import chosen_methods, rated_pairs
from exrpca.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from exrpca.evaluation import WsiData
    from exrpca.senses import SenseVectors

_GAINS = ["gain", "gain_low", "gain_high"]
# Options that say nothing about the choice of senses.
_FOR_SIMILARITY = ("scws", "word_pairs", "methods", "ranks", "gains")


@options.reads_vectors
def evaluate(
    context: typer.Context,
    vectors: Annotated[
        list[Path], typer.Argument(metavar="VECTORS...", help="Files of sense vectors.")
    ],
    scws: options.ScwsFile = None,
    word_pairs: options.WordPairsFiles = None,
    wsi: Annotated[
        list[Path] | None,
        typer.Option(
            "--wsi",
            metavar="PATH",
            show_default="none",
            help="Instead of similarities, score the senses chosen in text on this data set of "
            "word sense induction (`exrpca datasets list`); can be given several times.",
        ),
    ] = None,
    methods: options.Methods = "none,collapsed,abtt,pca,exrpca",
    ranks: options.Ranks = "1-5",
    window: options.Window = None,
    tokenizer: options.Tokenizer = "whitespace",
    encoder: SensesEncoder = None,
    gains: Annotated[
        bool, typer.Option("--gains", help="Also show the gain over the original vectors.")
    ] = False,
    read: options.ReadOptions = options.AS_FOUND,
    form: options.TableFormat = options.TableStyle.TABLE,
    quiet: options.Quiet = False,
) -> None:
    """Compare vectors with people: word similarities or, with --wsi, senses in text.

    Similarities: Spearman's ρ (× 100 in the table) with a 95% bootstrap interval (± half its
    width in the table) for each method and rank, over the pairs whose words are in the
    vocabulary. --tokenizer is for the contexts of SCWS, which are already tokenized.

    Senses in text: ARI, B³, V-measure, paired F and their geometric mean AVG, fuzzy B³ and fuzzy
    NMI, averaged over words, and the number of clusters per word, with the baselines one cluster
    per word and one per occurrence. With several files, also the differences from the first.
    """

    def load_one(path: Path) -> SenseVectors:
        return read.load(path, quiet=quiet)

    if wsi:
        _check_options(context)
        _evaluate_wsi(
            vectors, wsi, load_one, window=window, encoder=encoder, form=form, quiet=quiet
        )
        return
    if encoder is not None:
        raise InputError("--encoder only works with --wsi: add --wsi, or leave out --encoder")

    import pandas as pd

    from exrpca.evaluation.methods import compare_methods, n_variants
    from exrpca.progress import progress_bar

    datasets = rated_pairs(scws, word_pairs, tokenizer=tokenizer, quiet=quiet)
    numbers = options.parse_ranks(ranks)
    tables = []
    for path in vectors:
        senses = load_one(path)
        names = chosen_methods(methods, senses, quiet=quiet)
        with progress_bar(path.name, n_variants(names, numbers), show=not quiet) as on_progress:
            table = compare_methods(
                senses,
                datasets,
                methods=names,
                ranks=numbers,
                window=window,
                on_progress=on_progress,
            )
        table.insert(0, "vectors", path.name)
        tables.append(table)
    scores = pd.concat(tables, ignore_index=True)
    if form is options.TableStyle.TABLE:
        _print_for_people(scores, gains=gains)
    else:
        print_table(scores if gains else scores.drop(columns=_GAINS), form)


def _print_for_people(scores: pd.DataFrame, *, gains: bool) -> None:
    from exrpca.evaluation.tables import coverage, wide_scores

    print_table(
        wide_scores(scores),
        options.TableStyle.TABLE,
        title=f"Spearman's ρ × 100 on {coverage(scores)}",
    )
    if gains:
        table = wide_scores(scores, value="gain")
        print_table(table, options.TableStyle.TABLE, title="Gain over the original vectors")


def _check_options(context: typer.Context) -> None:
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in _FOR_SIMILARITY and source is not None and source.name == "COMMANDLINE":
            raise InputError(
                f"{option.opts[0]} is for similarities, not for --wsi: run the two separately"
            )


def _evaluate_wsi(
    vectors: list[Path],
    wsi: list[Path],
    load_one: Callable[[Path], SenseVectors],
    *,
    window: int | None,
    encoder: str | None,
    form: options.TableStyle,
    quiet: bool,
) -> None:
    import pandas as pd

    from exrpca.evaluation import read_wsi, score_clusterings, sense_clusters
    from exrpca.progress import progress_bar
    from exrpca.senses.metadata import is_induced

    datasets = [read_wsi(path) for path in wsi]
    names = _distinct_names(vectors)
    clusterings: list[dict[str, NDArray[np.int64]]] = [{} for _ in datasets]
    for name, path in zip(names, vectors, strict=True):
        # one file at a time in memory
        senses = load_one(path)
        # vectors from elsewhere can be compared with induced senses in one table
        loaded = load_encoder(encoder, senses) if is_induced(senses.metadata) else None
        for data, found in zip(datasets, clusterings, strict=True):
            with progress_bar(f"{name} on {data.name}", None, show=not quiet):
                found[name] = sense_clusters(senses, data, window=window, encoder=loaded)
    tables = []
    for data, found in zip(datasets, clusterings, strict=True):
        known = {name: data.table["word"][found[name] >= 0].nunique() for name in names}
        with progress_bar(f"Scoring on {data.name}", None, show=not quiet):
            scores = score_clusterings(data, found).rename(columns={"clustering": "vectors"})
        scores["known"] = scores["vectors"].map(known).astype("Int64")
        tables.append(scores)
        for name, n_known in known.items():
            if n_known < data.n_words:
                remark(
                    f"{name}: {data.n_words - n_known} of the {data.n_words} words of {data.name} "
                    "are not in the vocabulary and count as one cluster each",
                    quiet=quiet,
                )
        if form is options.TableStyle.TABLE:
            _print_wsi_for_people(data, scores, names)
    if form is not options.TableStyle.TABLE:
        print_table(pd.concat(tables, ignore_index=True), form)


def _distinct_names(paths: list[Path]) -> list[str]:
    """Return the files' names, or their whole paths if two files have the same name."""
    names = [path.name for path in paths]
    return names if len(set(names)) == len(names) else [str(path) for path in paths]


def _print_wsi_for_people(data: WsiData, scores: pd.DataFrame, names: list[str]) -> None:
    from exrpca.evaluation.tables import wsi_ranks, wsi_table

    n_senses = data.table.groupby("word")["gold"].nunique().mean()
    title = (
        f"{data.name}: {data.n_words:,} words, {len(data):,} occurrences, "
        f"{n_senses:.1f} senses per word; × 100"
    )
    print_table(wsi_table(scores), options.TableStyle.TABLE, title=title)
    ranked = "AVG: of V and paired F (SemEval-2010); fuzzy measures (SemEval-2013)"
    print_table(wsi_ranks(scores), options.TableStyle.TABLE, title=ranked)
    if len(names) > 1:
        others = scores[scores["vectors"] != names[0]]
        table = wsi_table(others, value="difference")
        print_table(table, options.TableStyle.TABLE, title=f"Difference from {names[0]}; × 100")

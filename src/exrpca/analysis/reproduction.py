"""All tables and figures of the paper, on any sense vectors, with the paper's numbers.

H. Shi, Y. Sun, J. Hu. Understanding and Improving Multi-Sense Word Embeddings via Extended
Robust Principal Component Analysis. 2018. Its numbers were measured on the 300-dimensional NP-MSSG
vectors of Neelakantan et al. (2014).
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

from exrpca.analysis.components import component_pairs, describe_components
from exrpca.analysis.pairs import describe_pairs
from exrpca.analysis.plots import plot_components, plot_overview, plot_sweep
from exrpca.analysis.report import Section, write_report
from exrpca.analysis.spectrum import beside_pca, in_percent, outside_shares
from exrpca.analysis.sweep import collapsed_scores, sweep, wide_sweep
from exrpca.cleaning import SenseDecomposition, detect
from exrpca.evaluation import WordPairs
from exrpca.evaluation.methods import METHODS, compare_methods
from exrpca.evaluation.tables import coverage, wide_scores
from exrpca.files import atomic_path, together
from exrpca.progress import ProgressCallback
from exrpca.senses import SenseVectors

# ρ × 100. For WS-353 after cleaning we take the rank to be that of the SCWS row.
REPORTED_SCORES = pd.DataFrame(
    [
        ("SCWS", "localSim", "none", None, 59.8),
        ("SCWS", "localSim", "exrpca", 3, 65.4),
        ("SCWS", "localSim", "pca", 5, 65.3),
        ("SCWS", "localSim", "wordnet", None, 62.3),
        ("WS-353", "avgSim", "none", None, 68.6),
        ("WS-353", "avgSim", "exrpca", 3, 69.2),
    ],
    columns=["dataset", "measure", "method", "rank", "paper"],
).astype({"rank": "Int64"})

# The share of elements of E outside 3σ after PCA to fewer than five dimensions.
OUTSIDE_3_SIGMA = 0.027

# The words of Table 3: real senses (prime, yard) and pseudo senses (engine, cat).
PAIR_WORDS = ("prime", "yard", "engine", "cat")

OVERVIEW_WORDS = ("bank", "apple", "plant", "rock", "fox")
# Of the paper's tables of components.
_RANK = 3
_PACKAGES = ("exrpca", "numpy", "scipy", "scikit-learn", "numba", "pandas")

_DIFFERENCES = (
    "The vectors differ: the paper used those that Neelakantan et al. released.",
    "Each sense pair counts once here, and twice, with both signs, in the paper; the components, "
    "the explained variance and the outlier norms are the same.",
    "The context of a word is five tokens on each side; tokens outside the vocabulary do not "
    "count. A sense's probability in context is inverse to 1 − cosine unless stated otherwise.",
    "The baselines wordnet and neighbors follow the idea of the originals; the documentation of "
    "evaluation describes their details.",
)


def reproduce(
    senses: SenseVectors,
    datasets: Sequence[WordPairs],
    folder: Path,
    *,
    name: str,
    methods: Sequence[str] = METHODS,
    ranks: Sequence[int] = (1, 2, 3, 4, 5),
    on_progress: ProgressCallback | None = None,
) -> list[Path]:
    """Measure and draw everything the paper shows, and write it to a folder.

    Parameters
    ----------
    senses : SenseVectors
    datasets : sequence of WordPairs
        With SCWS, for what is measured in context.
    folder : Path
        Gets report.md, report.html, the figures as PNG and SVG, and results.json.
    name : str
        What the vectors are called in the report.
    methods, ranks, on_progress
        As for `compare_methods`.

    Returns
    -------
    list of Path
        The files.
    """
    ours = SenseDecomposition.fit(senses, rank=_RANK)
    both = beside_pca(ours)
    scores = compare_methods(
        senses, datasets, methods=methods, ranks=ranks, on_progress=on_progress
    )
    tables = {
        "scores": scores,
        "paper": beside_the_paper(scores),
        "components": describe_components(ours),
        "component_pairs": component_pairs(ours),
        "outside": outside_shares(*both).assign(paper=[OUTSIDE_3_SIGMA, float("nan")]),
        "pairs": describe_pairs(senses, detect(ours), _with_senses(senses, PAIR_WORDS)),
        "sweep": sweep(ours, datasets),
    }
    collapsed = collapsed_scores(senses, datasets)
    figures = {
        "components": plot_components(*both),
        "sweep": plot_sweep(tables["sweep"], collapsed=collapsed),
    }
    shown = _with_senses(senses, OVERVIEW_WORDS)
    if len(shown) > 1:
        figures["overview"] = plot_overview(ours, shown)
    facts = _facts(senses, name, methods, ranks)
    results = {**facts, **tables, "sweep": wide_sweep(tables["sweep"])}
    with together():
        written = write_report(f"Reproduction: {name}", _sections(facts, tables, figures), folder)
        with atomic_path(folder / "results.json") as temporary:
            temporary.write_text(_json(results), encoding="utf-8")
    return [*written, folder / "results.json"]


def _json(parts: Mapping[str, Any]) -> str:
    """Return parts, tables among them, as one JSON object."""
    content = {
        name: json.loads(part.to_json(orient="records", double_precision=6))
        if isinstance(part, pd.DataFrame)
        else part
        for name, part in parts.items()
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _with_senses(senses: SenseVectors, words: Sequence[str]) -> list[str]:
    return [word for word in words if word in senses and len(senses[word]) > 1]


def _facts(
    senses: SenseVectors, name: str, methods: Sequence[str], ranks: Sequence[int]
) -> dict[str, Any]:
    n_senses = senses.n_senses
    columns = int((n_senses * (n_senses - 1)).sum())
    return {
        "vectors": {
            "name": name,
            "words": len(senses),
            "multi_sense_words": int((n_senses > 1).sum()),
            "senses": len(senses.vectors),
            "dim": senses.dim,
            "pairs": columns // 2,
            "columns_of_the_paper": columns,
            # settings and sizes, not lists such as the count of every word
            "metadata": {k: v for k, v in senses.metadata.items() if not isinstance(v, list)},
        },
        "settings": {
            "methods": list(methods),
            "ranks": list(ranks),
            "rule": "inverse",
            "window": 5,
            "bootstrap_resamples": 1000,
            "seed": 0,
            "rank_of_tables_and_figures": _RANK,
        },
        "versions": {
            "python": platform.python_version(),
            **{package: version(package) for package in _PACKAGES},
        },
    }


def sizes(vectors: Mapping[str, Any]) -> str:
    """Return the sizes of vectors, as in the `vectors` of results.json, in words."""
    return (
        f"{vectors['words']:,} words, {vectors['multi_sense_words']:,} of them with several "
        f"senses; {vectors['senses']:,} senses of {vectors['dim']} dimensions; "
        f"{vectors['pairs']:,} sense pairs ({vectors['columns_of_the_paper']:,} columns as the "
        "paper counts them)."
    )


def one_decimal(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose real numbers are printed with one decimal, and 0 without a sign."""
    return table.map(
        lambda v: f"{round(v, 1) + 0:.1f}" if isinstance(v, float) and not pd.isna(v) else v
    )


def _sections(
    facts: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], figures: Mapping[str, Any]
) -> list[Section]:
    scores = tables["scores"]
    note = (
        f"Spearman's ρ × 100 ± half the width of its 95% bootstrap interval, on {coverage(scores)}."
    )
    sections = [
        Section("Results", [sizes(facts["vectors"]), *findings(scores)]),
        Section(
            "The paper's scores and ours",
            ["ρ × 100 at the same method and rank, and the gain over the original vectors."],
            [one_decimal(tables["paper"])],
        ),
        Section("Table 4: all methods", [note], [wide_scores(scores)]),
        Section(
            "Gains over the original vectors",
            ["The interval is that of the paired difference."],
            [wide_scores(scores, value="gain")],
        ),
        Section(
            "The last figure: scores by number of removed directions",
            [f"The directions come from Ex-RPCA at rank {_RANK}."],
            figure=figures["sweep"],
            figure_name="sweep",
        ),
        Section(
            "Tables 1 and 2: components and the pairs they explain best",
            ["Cosines are with the difference as it is (X) and without outliers (X − S)."],
            [tables["components"], tables["component_pairs"]],
        ),
        Section(
            "The residual E",
            [f"The paper reports {OUTSIDE_3_SIGMA:.1%} outside 3σ after PCA."],
            [in_percent(tables["outside"], "outside_3_sigma", "expected", "paper")],
            figure=figures["components"],
            figure_name="components",
        ),
        Section(
            "Table 3: pairs and their outlier norms",
            [
                "The outlier norm is the 2-norm of a pair's row of S, the paper's indicator: a "
                "large one points at real senses. Probability and verdict are those of "
                "exrpca.detect."
            ],
            [tables["pairs"]],
        ),
        Section("Differences from the paper", _DIFFERENCES),
    ]
    if "overview" in figures:
        first = Section(
            "The first figure: senses before and after cleaning",
            ["The numbers are senses, and the legend lists the nearest neighbors of each."],
            figure=figures["overview"],
            figure_name="overview",
        )
        sections.insert(-1, first)
    return sections


def beside_the_paper(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's scores with those of `compare_methods` at the same method and rank.

    Returns
    -------
    DataFrame
        `dataset`, `measure`, `method`, `rank`, `paper`, `ours`, and the gains of both over
        the vectors as trained, `paper_gain` and `our_gain`; all × 100.
    """
    keys = ["dataset", "measure", "method", "rank"]
    table = REPORTED_SCORES.merge(scores[[*keys, "rho", "gain"]], how="left", on=keys)
    as_trained = REPORTED_SCORES["method"] == "none"
    trained = REPORTED_SCORES.loc[as_trained, ["dataset", "measure", "paper"]]
    start = table.merge(trained, on=["dataset", "measure"], suffixes=("", "_trained"))
    return pd.DataFrame(
        {
            **{key: table[key] for key in keys},
            "paper": table["paper"],
            "ours": 100 * table["rho"],
            "paper_gain": start["paper"] - start["paper_trained"],
            "our_gain": 100 * table["gain"],
        }
    ).round(1)


def best_cleaning(scores: pd.DataFrame) -> pd.Series | None:
    """Return the row of localSim on SCWS at the best rank of Ex-RPCA; None if there is none."""
    rows = scores.query("dataset == 'SCWS' and measure == 'localSim' and method == 'exrpca'")
    return None if rows.empty else rows.iloc[int(rows["rho"].argmax())]


def findings(scores: pd.DataFrame) -> list[str]:
    """Return sentences on the gain of Ex-RPCA in context and on what scores above it.

    Parameters
    ----------
    scores : DataFrame
        From `compare_methods`.
    """
    best = best_cleaning(scores)
    if best is None:
        return ["Without SCWS, centers and global vectors localSim could not be measured."]
    low, high = 100 * best["gain_low"], 100 * best["gain_high"]
    ranks = [
        str(rank) for rank in sorted(scores.loc[scores["method"] == "exrpca", "rank"].unique())
    ]
    above = _above(scores, float(best["rho"]))
    return [
        f"SCWS localSim: the best of Ex-RPCA's ranks {_enumerate(ranks)} is rank {best['rank']}, "
        f"{100 * best['rho']:.1f}, a gain of {100 * best['gain']:+.1f} points over the vectors as "
        f"trained (95% interval {low:+.1f} to {high:+.1f}, "
        f"{'which excludes 0' if low > 0 else 'which includes 0'}).",
        f"Scores above it: {_enumerate(above)}." if above else "No baseline scores above it.",
    ]


def _above(scores: pd.DataFrame, rho: float) -> list[str]:
    """Return the baselines with a higher localSim, and globalSim where it is higher."""
    scws = scores[scores["dataset"] == "SCWS"]
    local = scws.query("measure == 'localSim' and method != 'exrpca'")
    best = local.loc[local.groupby("method", sort=False)["rho"].idxmax()]
    names = [
        method if pd.isna(rank) else f"{method} at rank {rank}"
        for method, rank in zip(best["method"], best["rank"], strict=True)
    ]
    rivals = pd.Series(best["rho"].to_numpy(dtype=float), index=names)
    rivals = pd.concat([rivals, scws.query("measure == 'globalSim'").set_index("measure")["rho"]])
    higher = rivals[rivals > rho].sort_values(ascending=False)
    return [f"{name} ({100 * value:.1f})" for name, value in higher.items()]


def _enumerate(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]

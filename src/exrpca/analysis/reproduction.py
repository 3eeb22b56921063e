"""All tables and figures of the paper, on any sense vectors, with the paper's numbers."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

from exrpca.analysis import paper
from exrpca.analysis.components import component_pairs, describe_components
from exrpca.analysis.findings import findings
from exrpca.analysis.pairs import describe_pairs
from exrpca.analysis.plots import plot_components, plot_overview, plot_sweep
from exrpca.analysis.report import Section, write_report
from exrpca.analysis.residual import beside_pca, in_percent, outside_shares
from exrpca.analysis.sweep import collapsed_scores, sweep, wide_sweep
from exrpca.cleaning import SenseDecomposition, detect
from exrpca.evaluation import WordPairs
from exrpca.evaluation.methods import METHODS, compare_methods
from exrpca.evaluation.tables import coverage, wide_scores
from exrpca.files import atomic_path, together
from exrpca.progress import ProgressCallback
from exrpca.senses import SenseVectors

OVERVIEW_WORDS = ("bank", "apple", "plant", "rock", "fox")
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


@dataclass(frozen=True, eq=False)
class Reproduction:
    """Everything the paper shows, measured on one set of vectors.

    Attributes
    ----------
    name : str
        What the vectors are called.
    facts : mapping
        Sizes, settings and versions: the conditions of the numbers.
    tables : mapping of str to DataFrame
        `scores`, `paper`, `components`, `component_pairs`, `outside`, `pairs`, `sweep`.
    sections : sequence of Section
        The report.
    """

    name: str
    facts: Mapping[str, Any]
    tables: Mapping[str, pd.DataFrame]
    sections: Sequence[Section]

    def write(self, folder: Path) -> list[Path]:
        """Write report.md, report.html, the figures and results.json; return the files."""
        content = _json({**self.facts, **self.tables, "sweep": wide_sweep(self.tables["sweep"])})
        with together():
            written = write_report(f"Reproduction: {self.name}", self.sections, folder)
            with atomic_path(folder / "results.json") as temporary:
                temporary.write_text(content, encoding="utf-8")
        return [*written, folder / "results.json"]


def reproduce(
    senses: SenseVectors,
    datasets: Sequence[WordPairs],
    *,
    name: str,
    methods: Sequence[str] = METHODS,
    ranks: Sequence[int] = (1, 2, 3, 4, 5),
    on_progress: ProgressCallback | None = None,
) -> Reproduction:
    """Measure and draw everything the paper shows.

    Parameters
    ----------
    senses : SenseVectors
    datasets : sequence of WordPairs
        With SCWS, for what is measured in context.
    name : str
        What the vectors are called in the report.
    methods, ranks, on_progress
        As for `compare_methods`.

    Returns
    -------
    Reproduction
    """
    ours = SenseDecomposition.fit(senses, rank=_RANK)
    both = beside_pca(ours)
    scores = compare_methods(
        senses, datasets, methods=methods, ranks=ranks, fitted=both, on_progress=on_progress
    )
    tables = {
        "scores": scores,
        "paper": paper.beside_ours(scores),
        "components": describe_components(ours),
        "component_pairs": component_pairs(ours),
        "outside": outside_shares(*both).assign(paper=[paper.OUTSIDE_3_SIGMA, float("nan")]),
        "pairs": describe_pairs(senses, detect(ours), _with_senses(senses, paper.PAIR_WORDS)),
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
    return Reproduction(name, facts, tables, _sections(facts, tables, figures))


def _json(parts: Mapping[str, Any]) -> str:
    """Return parts as one JSON object, with each row of a table on its own line."""
    texts = []
    for name, part in parts.items():
        if isinstance(part, pd.DataFrame):
            lines = part.to_json(
                orient="records", lines=True, double_precision=6, force_ascii=False
            )
            text = "[\n  " + ",\n  ".join(lines.splitlines()) + "\n]"
        else:
            text = json.dumps(part, ensure_ascii=False)
        texts.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(texts) + "\n}\n"


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


def _one_decimal(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose real numbers are printed with one decimal, and 0 without a sign."""
    return table.map(
        lambda v: f"{round(v, 1) + 0:.1f}" if isinstance(v, float) and not pd.isna(v) else v
    )


def _sections(
    facts: Mapping[str, Any], tables: Mapping[str, pd.DataFrame], figures: Mapping[str, Any]
) -> list[Section]:
    vectors, scores = facts["vectors"], tables["scores"]
    about = (
        f"{vectors['words']:,} words, {vectors['multi_sense_words']:,} of them with several "
        f"senses; {vectors['senses']:,} senses of {vectors['dim']} dimensions; "
        f"{vectors['pairs']:,} sense pairs ({vectors['columns_of_the_paper']:,} columns as the "
        "paper counts them)."
    )
    note = (
        f"Spearman's ρ × 100 ± half the width of its 95% bootstrap interval, on {coverage(scores)}."
    )
    sections = [
        Section("Results", [about, *findings(scores)]),
        Section(
            "The paper's scores and ours",
            ["ρ × 100 at the same method and rank, and the gain over the original vectors."],
            [_one_decimal(tables["paper"])],
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
            [f"The paper reports {paper.OUTSIDE_3_SIGMA:.1%} outside 3σ after PCA."],
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

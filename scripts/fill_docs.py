"""Fill the tables of the docs from benchmarks/results.

Usage: python scripts/fill_docs.py

A table stands between `<!-- results NAME -->` and `<!-- end -->`; NAME is a key of TABLES. What
stands there is replaced, so that no number of a table is ever typed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from statistics import fmean
from typing import Any

import pandas as pd

from exrpca.analysis.findings import findings
from exrpca.analysis.report import markdown_table
from exrpca.analysis.residual import in_percent
from exrpca.evaluation.tables import coverage, wide_scores
from exrpca.files import atomic_path

ROOT = Path(__file__).resolve().parent.parent
PAGES = (*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md")
MARKED = re.compile(r"(<!-- results (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


@cache
def results(name: str) -> Any:
    """Return a committed result by the name of its file."""
    return json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text())


def filled(text: str) -> str:
    """Return a page with its tables made anew."""
    return MARKED.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n\n{found[3]}", text)


def table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as a Markdown table; what a row lacks stays empty."""
    return markdown_table(pd.DataFrame(list(rows)).fillna(""))


def number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:,.{digits}f}"


# --- decomposition -------------------------------------------------------------------------------


def decomposition_exrpca() -> str:
    return table(
        {
            "": row["name"],
            "seconds": number(row.get("seconds"), 2),
            "×PCA": number(row.get("times_pca"), 1),
            "rounds": str(row.get("rounds", "")),
            "error of L": number(row.get("error_of_L"), 4),
            "precision of S": number(row.get("precision"), 3),
            "recall of S": number(row.get("recall"), 3),
        }
        for row in results("decomposition")["exrpca"]["rows"]
    )


def decomposition_convex() -> str:
    return table(
        {
            "": row["name"],
            "seconds": number(row.get("seconds"), 2),
            "iterations": str(row.get("iterations", "")),
            "rank": str(row.get("rank", "")),
            "error of L": number(row.get("error_of_L"), 4),
            "precision of S": number(row.get("precision"), 3),
            "recall of S": number(row.get("recall"), 3),
            "objective of pursuit": number(row.get("pursuit_objective"), 2),
            "extra memory, × X": number(row.get("extra_memory_of_x"), 1),
        }
        for row in results("decomposition")["convex"]["rows"]
    )


def decomposition_growth() -> str:
    rows = results("decomposition")["growth"]["rows"]
    return table(
        {"": row["name"], "seconds": number(row["seconds"], 2), "rounds": row["rounds"]}
        for row in rows
    )


# --- training ------------------------------------------------------------------------------------


def training_speed() -> str:
    return table(
        {
            "run": row["run"],
            "tokens a second": f"{row['tokens_per_second']:,}",
            "slowest run": f"{row['slowest']:,}",
            "× gensim": f"{row['times_gensim']:.2f}",
            "× one thread": number(row.get("times_one_thread"), 2),
        }
        for row in results("training")["speed"]
    )


def training_threads() -> str:
    return table(
        {
            "negatives": row["negatives"],
            "one thread, tokens a second": f"{row['one']:,}",
            "two threads": f"{row['two']:,}",
            "two over one: median": f"{row['median']:.2f}",
            "10th percentile": f"{row['low']:.2f}",
            "90th percentile": f"{row['high']:.2f}",
        }
        for row in results("training")["threads_gain"]
    )


def training_memory() -> str:
    return table(
        {
            "preset": row["preset"],
            "arrays, MiB": row["arrays"] >> 20,
            "peak, MiB": row["peak"] >> 20,
            "peak over arrays": f"{row['ratio']:.2f}",
        }
        for row in results("training")["memory"]
    )


def training_quality(names: Mapping[str, Sequence[str]]) -> str:
    return table({"vectors": shown, **_mean_scores(runs)} for shown, runs in names.items())


def _mean_scores(runs: Sequence[str]) -> dict[str, str]:
    found = [results("training_quality")[name] for name in runs]

    def mean(vectors: str, measure: str = "localSim") -> float:
        return fmean(run["scws"][vectors][measure] for run in found)

    ranks = {name: mean(name) for name in found[0]["scws"] if name.startswith("exrpca")}
    best = max(ranks, key=lambda name: ranks[name])
    return {
        "runs": str(len(runs)),
        "senses a word": f"{fmean(run['mean_senses'] for run in found):.2f}",
        "localSim": f"{mean('as trained'):.1f}",
        "… cleaned, at its best rank": f"{ranks[best]:.1f} ({best.split()[-1]})",
        "avgSimC": f"{mean('as trained', 'avgSimC'):.1f}",
        "globalSim": f"{mean('as trained', 'globalSim'):.1f}",
        "collapsed": f"{mean('collapsed'):.1f}",
    }


def training_neighbors() -> str:
    found = results("training_quality")
    names = {"npmssg300": "the paper's settings", "default300": "default"}
    return table(
        {"word": word, **{shown: _senses(found[name], word) for name, shown in names.items()}}
        for word in found["default300"]["neighbors"]
    )


def _senses(found: Mapping[str, Any], word: str) -> str:
    senses = found["neighbors"].get(word, [])
    others = [[near for near in sense.split(", ") if near != word] for sense in senses]
    return " **·** ".join(", ".join(near[:4]) for near in others)


# What the table calls them: the runs it takes the mean of.
PRESETS = {
    "`neelakantan2014`, NP-MSSG, 300-d": ["npmssg300"],
    "`neelakantan2014` with `--model mssg`, 300-d": ["mssg300"],
    "`default`, 300-d": ["default300"],
    "`default`, 100-d": ["default100"],
}
CHOICES = {
    "the default: 15 negatives, shared": ["default100", "default100-seed2"],
    "5 negatives per context word": ["own-negatives100", "own-negatives100-seed2"],
    "4 epochs with senses from the start": ["cold-start100"],
}


# --- detection -----------------------------------------------------------------------------------

SCORE_NAMES = {
    "surprise (default)": "**`surprise`, the default**",
    "noise, iterative": "‖S_p‖₂, iterative Ex-RPCA at rank 3",
    "noise, convex": "‖S_p‖₂, convex Ex-RPCA",
    "residual, rank 3": "‖T d‖₂ at rank 3",
    "neighbours not shared": "nearest 20 words not shared (LREC 2018)",
    "WordNet neighbours": "1 − cos of WordNet profiles of the nearest 20 words",
}


def detection_scores() -> str:
    def cell(row: Mapping[str, Any], key: str) -> str:
        low, high = row[f"{key} interval"]
        return f"{row[key]:.3f} ({low:.3f}–{high:.3f})"

    keys = {f"{m.upper()}, {k}": f"{m} {k}" for m in ("auc", "ap") for k in ("MSSG", "NP-MSSG")}
    return table(
        {
            "score": SCORE_NAMES.get(row["score"], row["score"].replace(" - ", " − ")),
            **{shown: cell(row, key) for shown, key in keys.items()},
        }
        for row in results("pseudowords")["scores"]
    )


def detection_reliability() -> str:
    return table(
        {
            "probability": f"{row['from']:.1f} to {row['from'] + 0.1:.1f}",
            "pairs": f"{row['pairs']:,}",
            "mean probability": f"{row['probability']:.2f}",
            "real": f"{row['real']:.2f}",
            "chance": f"±{row['chance']:.2f}",
        }
        for row in results("pseudowords")["reliability"]["both"]
    )


def detection_merging(name: str) -> str:
    return table(
        {
            "vectors": row["vectors"],
            "senses": f"{row['senses']:,}",
            "words that keep two": f"{row['multi-sense words that keep two or more']:.0%}",
            **{measure: f"{row[measure]:.1f}" for measure in ("localSim", "avgSimC", "globalSim")},
        }
        for row in results("merging")["vectors"][name]["rows"]
    )


def detection_words(name: str) -> str:
    return table(
        {
            "word": row["word"],
            "senses": f"{row['sense_a']}, {row['sense_b']}",
            "neighbours": row["neighbors_a"],
            "neighbours of the other": row["neighbors_b"],
            "noise": f"{row['noise']:.1f}",
            "probability": f"{row['probability']:.2f}",
            "verdict": row["verdict"],
        }
        for row in results("merging")["vectors"][name]["words"]
    )


# --- reproduction --------------------------------------------------------------------------------

MODELS = {"np-mssg": "NP-MSSG", "mssg": "MSSG"}


def reproduced(model: str, name: str) -> pd.DataFrame:
    frame = pd.DataFrame(results(f"reproduction-{model}")[name])
    return frame.astype({"rank": "Int64"}) if "rank" in frame else frame


def reproduction_about(model: str) -> str:
    of = results(f"reproduction-{model}")["vectors"]
    return (
        f"{of['words']:,} words, {of['multi_sense_words']:,} of them with several senses; "
        f"{of['senses']:,} senses; {of['pairs']:,} sense pairs "
        f"({of['columns_of_the_paper']:,} columns as the paper counts them).\n\n"
        + "\n".join(f"- {finding}" for finding in findings(reproduced(model, "scores")))
    )


def reproduction_paper(model: str) -> str:
    frame = reproduced(model, "paper")
    # + 0: no minus sign before 0
    return markdown_table(
        frame.map(lambda v: f"{round(v, 1) + 0:.1f}" if isinstance(v, float) else v)
    )


def reproduction_scores(model: str) -> str:
    scores = reproduced(model, "scores")
    return f"{MODELS[model]}, on {coverage(scores)}:\n\n{markdown_table(wide_scores(scores))}"


def reproduction_gains() -> str:
    columns: dict[str, list[str]] = {}
    for model, name in MODELS.items():
        scores = reproduced(model, "scores")
        of = scores.query("dataset == 'SCWS' and measure == 'localSim' and method != 'none'")
        columns["method"] = of["method"].tolist()
        columns["rank"] = ["" if pd.isna(rank) else str(rank) for rank in of["rank"]]
        ends = zip(of["gain"], of["gain_low"], of["gain_high"], strict=True)
        columns[name] = [f"{100 * g:+.1f} ({100 * a:+.1f} to {100 * b:+.1f})" for g, a, b in ends]
    return markdown_table(pd.DataFrame(columns))


def reproduction_components(model: str) -> str:
    examples = reproduced(model, "component_pairs").groupby("component").head(3)
    components = markdown_table(reproduced(model, "components"))
    return f"{components}\n\n{markdown_table(examples)}"


def reproduction_outside(model: str) -> str:
    shares = reproduced(model, "outside")
    return markdown_table(in_percent(shares, "outside_3_sigma", "expected", "paper"))


def reproduction_pairs(model: str) -> str:
    return markdown_table(reproduced(model, "pairs"))


TABLES: dict[str, Callable[[], str]] = {
    "decomposition.exrpca": decomposition_exrpca,
    "decomposition.convex": decomposition_convex,
    "decomposition.growth": decomposition_growth,
    "training.speed": training_speed,
    "training.threads": training_threads,
    "training.memory": training_memory,
    "training.presets": partial(training_quality, PRESETS),
    "training.choices": partial(training_quality, CHOICES),
    "training.neighbors": training_neighbors,
    "detection.scores": detection_scores,
    "detection.reliability": detection_reliability,
    **{
        f"detection.merging.{name}": partial(detection_merging, name)
        for name in ("npmssg300", "mssg300", "default300", "default100")
    },
    "detection.words": partial(detection_words, "default300"),
    "reproduction.gains": reproduction_gains,
    **{
        f"reproduction.{part.__name__.removeprefix('reproduction_')}.{model}": partial(part, model)
        for model in MODELS
        for part in (
            *(reproduction_about, reproduction_paper, reproduction_scores),
            *(reproduction_components, reproduction_outside, reproduction_pairs),
        )
    },
}


def main() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if filled(text) != text:
            with atomic_path(page) as temporary:
                temporary.write_text(filled(text), encoding="utf-8")
            print(f"filled {page.name}")


if __name__ == "__main__":
    main()

"""The paper's tables and figures on vectors trained with the paper's settings.

The vectors are those that `training_quality` trains into the folder EXRPCA_VECTORS; what is
recorded is the results.json of `exrpca reproduce`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.harness import SkippedError, data_file, results, vectors_folder
from exrpca.analysis.report import markdown_table
from exrpca.analysis.reproduction import best_cleaning, findings, one_decimal, sizes
from exrpca.analysis.spectrum import in_percent
from exrpca.evaluation.tables import coverage, wide_scores

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pandas")
MODELS = {"np-mssg": "NP-MSSG", "mssg": "MSSG"}
VECTORS = {"np-mssg": "npmssg300", "mssg": "mssg300"}


def measure(model: str) -> dict[str, Any]:
    """Run `exrpca reproduce` on the vectors of a model."""
    vectors = vectors_folder() / f"{VECTORS[model]}.parquet"
    if not vectors.exists():
        raise SkippedError(f"{vectors} does not exist; the benchmark training_quality makes it")
    program = Path(sys.executable).with_name("exrpca")
    with tempfile.TemporaryDirectory() as folder:
        scws = data_file("scws/ratings.txt")
        subprocess.run(
            [program, "reproduce", vectors, "-o", folder, "--scws", scws, "--quiet"], check=True
        )
        found: dict[str, Any] = json.loads((Path(folder) / "results.json").read_text())
    return found


SECTIONS = {model: partial(measure, model) for model in MODELS}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables and numbers of README and docs."""
    texts = {"gains": _gains()}
    for model in MODELS:
        for name, make in TABLES.items():
            texts[f"{name}.{model}"] = make(model)
        texts |= {f"{name}.{model}": text for name, text in _numbers(model).items()}
    return texts


def _frame(model: str, name: str) -> pd.DataFrame:
    frame = pd.DataFrame(results("reproduction")[model][name])
    return frame.astype({"rank": "Int64"}) if "rank" in frame else frame


def _about(model: str) -> str:
    found = findings(_frame(model, "scores"))
    return "\n".join(
        [sizes(results("reproduction")[model]["vectors"]), "", *(f"- {each}" for each in found)]
    )


def _paper(model: str) -> str:
    return markdown_table(one_decimal(_frame(model, "paper")))


def _scores(model: str) -> str:
    scores = _frame(model, "scores")
    return f"{MODELS[model]}, on {coverage(scores)}:\n\n{markdown_table(wide_scores(scores))}"


def _gains() -> str:
    columns: dict[str, list[str]] = {}
    for model, name in MODELS.items():
        of = _frame(model, "scores").query(
            "dataset == 'SCWS' and measure == 'localSim' and method != 'none'"
        )
        columns["method"] = of["method"].tolist()
        columns["rank"] = ["" if pd.isna(rank) else str(rank) for rank in of["rank"]]
        ends = zip(of["gain"], of["gain_low"], of["gain_high"], strict=True)
        columns[name] = [f"{100 * g:+.1f} ({100 * a:+.1f} to {100 * b:+.1f})" for g, a, b in ends]
    return markdown_table(pd.DataFrame(columns))


def _components(model: str) -> str:
    examples = _frame(model, "component_pairs").groupby("component").head(3)
    return f"{markdown_table(_frame(model, 'components'))}\n\n{markdown_table(examples)}"


def _outside(model: str) -> str:
    shares = _frame(model, "outside")
    return markdown_table(in_percent(shares, "outside_3_sigma", "expected", "paper"))


def _pairs(model: str) -> str:
    return markdown_table(_frame(model, "pairs"))


TABLES: dict[str, Callable[[str], str]] = {
    "about": _about,
    "paper": _paper,
    "scores": _scores,
    "components": _components,
    "outside": _outside,
    "pairs": _pairs,
}


def _numbers(model: str) -> dict[str, str]:
    scores = _frame(model, "scores")
    best = best_cleaning(scores)
    if best is None:
        raise ValueError(f"{model}: no localSim")
    scws = scores.query("dataset == 'SCWS'")
    local = scws.query("measure == 'localSim'").set_index("method")
    trained = scws.query("method == 'none'").set_index("measure")["rho"]
    rank3 = local.loc["exrpca"].set_index("rank").loc[3]
    spread = local.loc[["pca", "exrpca", "convex", "rpca"]].groupby("rank")["rho"]
    outside = _frame(model, "outside").set_index("method")["outside_3_sigma"]
    return {
        "gain": f"{100 * best['gain']:+.1f}",
        "gain_at_rank_3": f"{100 * rank3['gain']:.1f}",
        "robust_spread": f"{100 * (spread.max() - spread.min()).max():.1f}",
        "lost_by_choosing": f"{100 * (trained['avgSimC'] - trained['localSim']):.0f}",
        "outside_after_pca": f"{outside['pca']:.1%}",
    }

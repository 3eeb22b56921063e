"""How the senses of trained vectors agree with people's labels; `merging` has merged ones.

The bundled vectors come with the package. The others are in the folder EXRPCA_VECTORS:
`training_quality` trains those of the default recipe. Version 0.1 trained those of its own
default recipe on the same text: to measure them again, put them there.
"""

from __future__ import annotations

from typing import Any

import exrpca
from benchmarks.harness import SkippedError, data_file, results, table, vectors_folder
from exrpca.evaluation import read_wsi, score_clusterings, sense_clusters
from exrpca.evaluation.tables import wsi_table

PACKAGES = ("numpy", "scipy", "numba", "pandas")
DATASETS = ("semeval-2010", "coarsewsd-20", "semcor-wsi/dev.csv")
# What the table calls the vectors: their file name without ending.
RECIPES = {
    "default of version 0.1, 300-d": "first-version300",
    "default, 300-d": "default300",
    "default, 100-d": "default100",
}


def measure(variants: dict[str, exrpca.SenseVectors]) -> dict[str, Any]:
    """Score vectors on each data set, along with the baselines."""
    found = []
    for path in [data_file(f"wsi/{name}") for name in DATASETS]:
        data = read_wsi(path)
        clusterings = {name: sense_clusters(senses, data) for name, senses in variants.items()}
        known = data.table["word"][next(iter(clusterings.values())) >= 0].nunique()
        scores = score_clusterings(data, clusterings).rename(columns={"clustering": "vectors"})
        found.append(
            {
                "dataset": data.name,
                "words": data.n_words,
                "known": known,
                "occurrences": len(data),
                "rows": wsi_table(scores).to_dict("records"),
                "differences": wsi_table(scores, value="difference").to_dict("records"),
            }
        )
    return {"datasets": found}


def measure_bundled() -> dict[str, Any]:
    """Score the bundled vectors."""
    return measure({"as trained": exrpca.bundled()})


def measure_recipes() -> dict[str, Any]:
    """Score the vectors of the recipes; differences are to the first."""
    paths = {shown: vectors_folder() / f"{name}.parquet" for shown, name in RECIPES.items()}
    missing = [str(path) for path in paths.values() if not path.exists()]
    if missing:
        raise SkippedError(f"needs {', '.join(missing)}")
    return measure({shown: exrpca.load(path) for shown, path in paths.items()})


SECTIONS = {"bundled": measure_bundled, "recipes": measure_recipes}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables of the docs."""
    found = results("wsi")
    bundled, recipes = found["bundled"]["datasets"], found["recipes"]["datasets"]
    known = ", ".join(f"{d['known']:,} of {d['words']:,} ({d['dataset']})" for d in bundled)
    return {
        "bundled": table(_rows(bundled)),
        "known": known,
        "recipes": table(_rows(recipes)),
        "gain": recipes[0]["differences"][1]["ARI"],
        "gain.semcor": recipes[2]["differences"][1]["ARI"],
    }


def _rows(datasets: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{"data set": data["dataset"], **row} for data in datasets for row in data["rows"]]

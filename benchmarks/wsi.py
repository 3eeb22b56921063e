"""How the senses of trained vectors agree with people's labels, as trained and merged.

The bundled vectors come with the package. The others are in the folder EXRPCA_VECTORS:
`training_quality` trains those of the default recipe; those of version 0.1 were trained by that
version, on the same text, and have to be put there.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import exrpca
from benchmarks.harness import SkippedError, data_file, results, table, vectors_folder
from exrpca.evaluation import read_wsi, score_clusterings, sense_clusters
from exrpca.evaluation.tables import wsi_table

PACKAGES = ("numpy", "scipy", "numba", "pandas")
DATASETS = ("semeval-2010", "coarsewsd-20", "semcor-wsi/dev.csv")
# file name without ending: what the table calls the vectors
VECTORS = {
    "bundled": "bundled",
    "default300": "default recipe",
    "first-version300": "default recipe of version 0.1",
}


def senses_of(name: str) -> exrpca.SenseVectors:
    if name == "bundled":
        return exrpca.bundled()
    path = vectors_folder() / f"{name}.parquet"
    if not path.exists():
        raise SkippedError(f"{path} does not exist")
    return exrpca.load(path)


def measure(name: str) -> dict[str, Any]:
    """Score vectors on each data set, as trained and merged at the defaults."""
    senses = senses_of(name)
    variants = {"as trained": senses, "merged": exrpca.merge(senses, exrpca.detect(senses))[0]}
    found = []
    for path in [data_file(f"wsi/{dataset}") for dataset in DATASETS]:
        data = read_wsi(path)
        clusterings = {name: sense_clusters(each, data) for name, each in variants.items()}
        known = data.table["word"][clusterings["as trained"] >= 0].nunique()
        scores = score_clusterings(data, clusterings).rename(columns={"clustering": "vectors"})
        found.append(
            {
                "dataset": data.name,
                "words": data.n_words,
                "known": known,
                "occurrences": len(data),
                "rows": wsi_table(scores).to_dict("records"),
            }
        )
    return {"datasets": found}


SECTIONS = {name: partial(measure, name) for name in VECTORS}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables of the docs."""
    found = results("wsi")
    bundled = found["bundled"]["datasets"]
    known = ", ".join(f"{d['known']:,} of {d['words']:,} ({d['dataset']})" for d in bundled)
    return {
        "bundled": table(_rows(bundled)),
        "known": known,
        "recipes": table(_recipe_rows(found)),
    }


def _rows(datasets: list[dict[str, Any]]) -> list[dict[str, str]]:
    return [{"data set": data["dataset"], **row} for data in datasets for row in data["rows"]]


def _recipe_rows(found: dict[str, Any]) -> list[dict[str, str]]:
    """Return the rows of the recipes, data set by data set; the baselines once for each."""
    rows = []
    for i in range(len(DATASETS)):
        for name in ("first-version300", "default300"):
            data = found[name]["datasets"][i]
            for row in data["rows"][:2]:
                shown = f"{VECTORS[name]}, {row['vectors']}"
                rows.append({"data set": data["dataset"], **row, "vectors": shown})
        rows += [{"data set": data["dataset"], **row} for row in data["rows"][2:]]
    return rows

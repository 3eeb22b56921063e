"""How the senses of the bundled vectors agree with people's labels, as trained and merged."""

from __future__ import annotations

from typing import Any

from benchmarks.harness import data_file, results, table
from exrpca import bundled, detect, merge
from exrpca.evaluation import read_wsi, score_clusterings, sense_clusters
from exrpca.evaluation.tables import wsi_table

PACKAGES = ("numpy", "scipy", "numba", "pandas")
DATASETS = ("semeval-2010", "coarsewsd-20", "semcor-wsi/dev.csv")


def measure_bundled() -> dict[str, Any]:
    """Score the bundled vectors on each data set, as trained and merged at the defaults."""
    paths = [data_file(f"wsi/{name}") for name in DATASETS]
    senses = bundled()
    variants = {"as trained": senses, "merged": merge(senses, detect(senses))[0]}
    found = []
    for path in paths:
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


SECTIONS = {"bundled": measure_bundled}


def fills() -> dict[str, str]:
    """Return the table of the docs."""
    found = results("wsi")["bundled"]["datasets"]
    rows = [{"data set": data["dataset"], **row} for data in found for row in data["rows"]]
    known = ", ".join(f"{d['known']:,} of {d['words']:,} ({d['dataset']})" for d in found)
    return {"bundled": table(rows), "known": known}

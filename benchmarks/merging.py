"""What merging pseudo senses does to SCWS, beside cleaning and beside having no senses at all.

The vectors are those that `training_quality` trains into the folder EXRPCA_VECTORS.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from benchmarks.harness import SkippedError, data_file, results, table, timed, vectors_folder
from exrpca.cleaning import clean, detect, merge
from exrpca.evaluation.evaluate import compare, evaluate
from exrpca.evaluation.scws import read_scws
from exrpca.evaluation.word_pairs import WordPairs
from exrpca.senses import SenseVectors, load
from exrpca.senses.neighbors import neighbor_words

PACKAGES = ("numpy", "scipy")
VECTORS = ("npmssg300", "mssg300", "default300", "default100")
RANKS = (1, 3)
MEASURES = ("localSim", "avgSimC", "avgSim", "globalSim")
# the paper's Table 3, and ten more chosen before looking at any of their senses
WORDS = (
    *("prime", "yard", "engine", "cat"),
    *("bank", "rock", "apple", "bass", "spring", "cell", "plant", "star", "court", "wave"),
)


def variants(senses: SenseVectors) -> dict[str, SenseVectors]:
    """Return the vectors as trained, cleaned, merged and collapsed."""
    pairs = detect(senses)
    made = {"as trained": senses, "merged": merge(senses, pairs)[0]}
    for rank in RANKS:
        cleaned = clean(senses, rank=rank)
        made[f"cleaned at rank {rank}"] = cleaned
        made[f"cleaned at rank {rank}, merged"] = merge(cleaned, pairs)[0]
    return {**made, "collapsed": senses.collapse()}


def verdicts(senses: SenseVectors) -> list[dict[str, Any]]:
    """Return the pairs of WORDS with the neighbors of both senses."""
    pairs = detect(senses)
    pairs = pairs[pairs["word"].isin(WORDS)].copy()
    for side in ("a", "b"):
        pairs[f"neighbors_{side}"] = [
            neighbor_words(senses, word, sense, 5)
            for word, sense in zip(pairs["word"], pairs[f"sense_{side}"], strict=True)
        ]
    pairs["order"] = pairs["word"].map(WORDS.index)
    shown = pairs.sort_values("order", kind="stable").drop(columns="order")
    return [{str(k): v for k, v in row.items()} for row in shown.to_dict("records")]


def measure(name: str) -> dict[str, Any]:
    """Score the vectors of a recipe before and after merging."""
    scws = read_scws(data_file("scws/ratings.txt"))
    path = vectors_folder() / f"{name}.parquet"
    if not path.exists():
        raise SkippedError(f"{path} does not exist; the benchmark training_quality makes it")
    return describe(load(path), scws)


def describe(senses: SenseVectors, scws: WordPairs) -> dict[str, Any]:
    seconds, pairs = timed(partial(detect, senses))
    several = senses.n_senses > 1
    made = variants(senses)
    rows = []
    for name, vectors in made.items():
        scores = evaluate(vectors, scws).set_index("measure")
        rows.append(
            {
                "vectors": name,
                "senses": len(vectors.vectors),
                "multi-sense words that keep two or more": float(
                    (vectors.n_senses[several] > 1).mean()
                ),
                **{m: 100 * float(scores["rho"][m]) for m in MEASURES},
            }
        )
    gains = {
        f"{name}, merged, above {name}": [
            {
                "measure": row["measure"],
                **{key: 100 * float(row[key]) for key in ("difference", "low", "high")},
            }
            for row in compare(made[f"{name}, merged"], made[name], scws).to_dict("records")
            if row["measure"] in ("localSim", "avgSimC")
        ]
        for name in (f"cleaned at rank {rank}" for rank in RANKS)
    }
    used, total = evaluate(senses, scws)[["used", "total"]].iloc[0]
    return {
        "training": dict(senses.metadata).get("training"),
        "pairs of SCWS": f"{used}/{total}",
        "sense pairs": len(pairs),
        "seconds to detect": seconds,
        "rows": rows,
        "gains": gains,
        "words": verdicts(senses),
    }


SECTIONS = {name: partial(measure, name) for name in VECTORS}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables and numbers of README and docs."""
    found = results("merging")
    return {
        **{name: table(_row(row) for row in found[name]["rows"]) for name in VECTORS},
        "words": table(_pair_row(row) for row in found["default300"]["words"]),
        **_numbers(found["default300"]),
    }


def _row(row: Mapping[str, Any]) -> dict[str, str]:
    return {
        "vectors": row["vectors"],
        "senses": f"{row['senses']:,}",
        "words that keep two": f"{row['multi-sense words that keep two or more']:.0%}",
        **{measure: f"{row[measure]:.1f}" for measure in ("localSim", "avgSimC", "globalSim")},
    }


def _pair_row(row: Mapping[str, Any]) -> dict[str, str]:
    return {
        "word": row["word"],
        "senses": f"{row['sense_a']}, {row['sense_b']}",
        "neighbors": row["neighbors_a"],
        "neighbors of the other": row["neighbors_b"],
        "outlier norm": f"{row['outlier_norm']:.1f}",
        "probability": f"{row['probability']:.2f}",
        "verdict": row["verdict"],
    }


def _numbers(found: Mapping[str, Any]) -> dict[str, str]:
    rows = {row["vectors"]: row for row in found["rows"]}
    merged, collapsed = rows["merged"], rows["collapsed"]
    return {
        "localSim": f"{merged['localSim']:.1f}",
        "collapsed": f"{collapsed['localSim']:.1f}",
        "above_collapsed": f"{merged['localSim'] - collapsed['localSim']:.1f}",
        "keep_two": f"{merged['multi-sense words that keep two or more']:.0%}",
        "pairs": f"{found['sense pairs']:,}",
        "seconds": f"{found['seconds to detect']:.1f}",
    }

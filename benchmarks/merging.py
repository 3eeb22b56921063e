"""What merging pseudo senses does to SCWS, beside cleaning and beside having no senses at all.

Usage: EXRPCA_DATA=folder EXRPCA_VECTORS=folder python benchmarks/merging.py

EXRPCA_DATA has `scws/ratings.txt`, EXRPCA_VECTORS the vectors that benchmarks/training_quality.py
trains, of which those in VECTORS are merged.
"""

from __future__ import annotations

import json
import os
import platform
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

THREADS = os.cpu_count() or 1
# before numpy and numba are imported
for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = str(THREADS)

import pandas as pd  # noqa: E402

from exrpca.analysis.pairs import neighbor_words  # noqa: E402
from exrpca.cleaning import clean, detect, merge  # noqa: E402
from exrpca.evaluation.evaluate import compare, evaluate  # noqa: E402
from exrpca.evaluation.scws import read_scws  # noqa: E402
from exrpca.evaluation.word_pairs import WordPairs  # noqa: E402
from exrpca.senses import SenseVectors, load  # noqa: E402

RESULT = Path(__file__).parent / "results" / "merging.json"
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
    """Return the pairs of WORDS with the neighbours of both senses."""
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


def measure(senses: SenseVectors, scws: WordPairs) -> dict[str, Any]:
    start = time.perf_counter()
    n_pairs = len(detect(senses))
    seconds = time.perf_counter() - start
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
        "sense pairs": n_pairs,
        "seconds to detect": seconds,
        "rows": rows,
        "gains": gains,
        "words": verdicts(senses),
    }


def main() -> None:
    ratings = Path(os.environ.get("EXRPCA_DATA", "")) / "scws" / "ratings.txt"
    folder = Path(os.environ.get("EXRPCA_VECTORS", ""))
    paths = [folder / f"{name}.parquet" for name in VECTORS]
    if not (ratings.is_file() and all(path.is_file() for path in paths)):
        print("merging: skipped, needs EXRPCA_DATA (SCWS) and EXRPCA_VECTORS (trained vectors)")
        return
    scws = read_scws(ratings)
    results = {}
    for path in paths:
        results[path.stem] = measure(load(path), scws)
        print(path.stem)
        print(pd.DataFrame(results[path.stem]["rows"]).round(3).to_string(index=False))
    record = {
        "vectors": results,
        "versions": {
            "python": platform.python_version(),
            **{package: version(package) for package in ("exrpca", "numpy", "scipy")},
        },
        "threads": THREADS,
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()

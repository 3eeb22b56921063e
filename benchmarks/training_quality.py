"""What the recipes of training are worth: SCWS before and after Ex-RPCA, senses, neighbours.

Usage: EXRPCA_DATA=folder EXRPCA_VECTORS=folder python benchmarks/training_quality.py [--only NAME…]

The folder EXRPCA_DATA has enwiki-65m.txt.xz and scws/ratings.txt. Vectors that are not in the
folder EXRPCA_VECTORS are trained into it with 2 threads, which takes minutes for each recipe.
Recipes not run keep the result of their last run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

THREADS = 2
# before numpy and numba are imported
for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = str(THREADS)

import exrpca  # noqa: E402
from exrpca.evaluation import WordPairs, evaluate, read_scws, wordsim353  # noqa: E402
from exrpca.files import atomic_path  # noqa: E402

RESULT = Path(__file__).parent / "results" / "training_quality.json"
RANKS = range(1, 6)
WORDS = (
    *("prime", "yard", "engine", "cat", "bank", "apple"),
    *("plant", "rock", "fox", "bass", "star", "cell"),
)
# file name without ending: what is passed to `exrpca.train`
RECIPES: dict[str, dict[str, Any]] = {
    "npmssg300": {"preset": "neelakantan2014"},
    "mssg300": {"preset": "neelakantan2014", "model": "mssg"},
    "default300": {},
    # the default recipe in fewer dimensions, and what it would be with one choice made otherwise
    "default100": {"dim": 100},
    "own-negatives100": {"dim": 100, "window_negatives": 0},
    "cold-start100": {"dim": 100, "single_sense_epochs": 0, "epochs": 4},
    # differences are small: a further seed
    "default100-seed2": {"dim": 100, "seed": 2},
    "own-negatives100-seed2": {"dim": 100, "window_negatives": 0, "seed": 2},
}


def scores(senses: exrpca.SenseVectors, data: WordPairs) -> dict[str, float]:
    table = evaluate(senses, data, n_resamples=100)
    found = dict(zip(table["measure"], (100 * table["rho"]).round(1).tolist(), strict=True))
    return {**found, "used": int(table["used"].iloc[0]), "total": len(data)}


def neighbors(senses: exrpca.SenseVectors, word: str) -> list[str]:
    return [
        ", ".join(dict.fromkeys(senses.neighbors(word, sense, 6)["word"]))
        for sense in range(len(senses[word]))
    ]


def describe(senses: exrpca.SenseVectors, scws: WordPairs) -> dict[str, Any]:
    collapsed = senses.collapse()
    cleaned = {
        str(rank): scores(exrpca.clean(senses, method="exrpca", rank=rank), scws) for rank in RANKS
    }
    return {
        "settings": senses.metadata["training"],
        "tokens": senses.metadata["tokens"],
        "words": len(senses),
        "mean_senses": round(float(senses.n_senses.mean()), 2),
        "scws": {
            "as trained": scores(senses, scws),
            "collapsed": scores(collapsed, scws),
            **{f"exrpca rank {rank}": row for rank, row in cleaned.items()},
        },
        "ws353": {
            "as trained": scores(senses, wordsim353()),
            "collapsed": scores(collapsed, wordsim353()),
        },
        "neighbors": {word: neighbors(senses, word) for word in WORDS if word in senses},
    }


def reported(name: str, senses: exrpca.SenseVectors, scws: WordPairs) -> dict[str, Any]:
    found = describe(senses, scws)
    print(f"{name}: {found['mean_senses']} senses a word")
    for vectors, row in found["scws"].items():
        print(f"  {vectors:<14}", *(f"{measure} {value}" for measure, value in row.items()))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", nargs="+", choices=RECIPES, default=list(RECIPES))
    arguments = parser.parse_args()
    data = Path(os.environ.get("EXRPCA_DATA", ""))
    corpus, ratings = data / "enwiki-65m.txt.xz", data / "scws" / "ratings.txt"
    folder = os.environ.get("EXRPCA_VECTORS")
    if not (corpus.is_file() and ratings.is_file() and folder):
        print("training_quality: skipped, needs EXRPCA_DATA (corpus and SCWS) and EXRPCA_VECTORS")
        return
    scws = read_scws(ratings)
    result: dict[str, Any] = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    result |= {
        "threads": THREADS,
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("exrpca", "numpy", "numba")},
        },
    }
    for name in arguments.only:
        path = Path(folder) / f"{name}.parquet"
        if path.exists():
            senses = exrpca.load(path)
        else:
            senses = exrpca.train(
                corpus, output=path, threads=THREADS, progress=True, **RECIPES[name]
            )
        result[name] = reported(name, senses, scws)
    result["bundled"] = reported("bundled", exrpca.bundled(), scws)
    with atomic_path(RESULT) as temporary:
        temporary.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

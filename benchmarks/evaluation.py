"""How long SCWS's five measures and the sweep over all ranks take, vectors in memory.

Usage: EXRPCA_DATA=folder python benchmarks/evaluation.py [--dim 300] [--repeats 3]

The folder has scws/ratings.txt. The vectors are random ones for the words of SCWS and its
contexts and 40,000 more: time depends on sizes, not on values.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

THREADS = 2
# before numpy and numba are imported
for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = str(THREADS)

import numpy as np  # noqa: E402

from exrpca.analysis import Decomposed, sweep  # noqa: E402
from exrpca.evaluation import PairSimilarity, WordPairs, evaluate, read_scws  # noqa: E402
from exrpca.senses import SenseVectors  # noqa: E402

RESULT = Path(__file__).parent / "results" / "evaluation.json"
N_MORE_WORDS = 40_000


def make_vectors(data: WordPairs, dim: int) -> SenseVectors:
    near = (
        word for pair in data.contexts or () for side in pair for word in (*side.left, *side.right)
    )
    known = {word.lower() for pair in data.words for word in pair} | {word.lower() for word in near}
    words = [*sorted(known), *(f"word{i}" for i in range(N_MORE_WORDS))]
    rng = np.random.default_rng(0)
    n_senses = rng.integers(1, 4, len(words))
    total = int(n_senses.sum())
    vectors, centers = rng.standard_normal((2, total, dim), dtype=np.float32)
    return SenseVectors(
        words,
        vectors,
        n_senses,
        centers=centers,
        globals=rng.standard_normal((len(words), dim), dtype=np.float32),
    )


def seconds(task: Callable[[], Any], repeats: int) -> float:
    task()  # what is compiled or loaded at first use does not count
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--dim", type=int, default=300)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    path = Path(os.environ.get("EXRPCA_DATA", "")) / "scws" / "ratings.txt"
    if not path.is_file():
        print(f"evaluation: skipped, {path} is not there (set EXRPCA_DATA)")
        return
    data = read_scws(path)
    senses = make_vectors(data, arguments.dim)
    decomposed = Decomposed.of(senses, method="pca", rank=3)
    tasks: dict[str, Callable[[], Any]] = {
        "read SCWS": lambda: read_scws(path),
        "five measures": lambda: PairSimilarity(senses, data).scores(),
        "five measures with intervals": lambda: evaluate(senses, data),
        f"sweep of {arguments.dim} ranks": lambda: sweep(decomposed, [data]),
    }
    rows = [
        {"task": name, "seconds": round(seconds(task, arguments.repeats), 3)}
        for name, task in tasks.items()
    ]
    for row in rows:
        print(f"{row['task']:<32} {row['seconds']:8.3f} s")
    result = {
        "pairs": len(data),
        "words": len(senses),
        "senses": len(senses.vectors),
        "sense_pairs": len(decomposed.differences),
        "dim": senses.dim,
        "threads": THREADS,
        "repeats": arguments.repeats,
        "bootstrap_resamples": 1000,
        "load_average": os.getloadavg()[0],
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("exrpca", "numpy", "scipy", "numba", "pandas")},
        },
        "rows": rows,
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()

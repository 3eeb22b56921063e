"""How long SCWS's five measures and the sweep over all ranks take, vectors in memory.

The vectors are random ones for the words of SCWS and its contexts and 40,000 more: time depends on
sizes, not on values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import data_file, interleaved, medians, results, table
from exrpca.analysis import sweep
from exrpca.cleaning import SenseDecomposition
from exrpca.evaluation import PairSimilarity, WordPairs, evaluate, read_scws
from exrpca.senses import SenseVectors

PACKAGES = ("numpy", "scipy", "numba", "pandas")
N_MORE_WORDS, DIM, REPEATS = 40_000, 300, 3


def make_vectors(data: WordPairs) -> SenseVectors:
    near = (
        word for pair in data.contexts or () for side in pair for word in (*side.left, *side.right)
    )
    known = {word.lower() for pair in data.words for word in pair} | {word.lower() for word in near}
    words = [*sorted(known), *(f"word{i}" for i in range(N_MORE_WORDS))]
    rng = np.random.default_rng(0)
    n_senses = rng.integers(1, 4, len(words))
    total = int(n_senses.sum())
    vectors, centers = rng.standard_normal((2, total, DIM), dtype=np.float32)
    return SenseVectors(
        words,
        vectors,
        n_senses,
        centers=centers,
        globals=rng.standard_normal((len(words), DIM), dtype=np.float32),
    )


def measure() -> dict[str, Any]:
    """Time the measures, with and without intervals, and the sweep."""
    path = data_file("scws/ratings.txt")
    data = read_scws(path)
    senses = make_vectors(data)
    decomposition = SenseDecomposition.fit(senses, method="pca", rank=3)
    tasks: dict[str, Callable[[], Any]] = {
        "read SCWS": lambda: read_scws(path),
        "five measures": lambda: PairSimilarity(senses, data).scores(),
        "five measures with intervals": lambda: evaluate(senses, data),
        f"sweep of {DIM} ranks": lambda: sweep(decomposition, [data]),
    }
    for task in tasks.values():
        task()  # what is compiled or loaded at first use does not count
    seconds = medians(interleaved(tasks, REPEATS))
    return {
        "pairs": len(data),
        "words": len(senses),
        "senses": len(senses.vectors),
        "sense_pairs": len(decomposition.differences),
        "dim": senses.dim,
        "repeats": REPEATS,
        "bootstrap_resamples": 1000,
        "rows": [{"task": name, "seconds": round(value, 3)} for name, value in seconds.items()],
    }


SECTIONS = {"tasks": measure}


def fills() -> dict[str, str]:
    """Return the table of the docs and the sizes it is about."""
    found = results("evaluation")["tasks"]
    return {
        "tasks": table(
            {"task": row["task"], "seconds": f"{row['seconds']:.2f}"} for row in found["rows"]
        ),
        "senses": f"{found['senses']:,}",
    }

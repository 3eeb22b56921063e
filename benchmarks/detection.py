"""Whether `detect` finds the share of real pairs and the real pairs, at any planted share.

Planted data is made from our own assumptions: this shows that detection adapts to the share, not
that it agrees with people. For that, see the benchmark `merging`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import results, table
from exrpca import SenseVectors, detect, make_senses

PACKAGES = ("numpy", "scipy", "pandas")
REAL_SHARES = (0.05, 0.12, 0.25, 0.39, 0.54, 0.8)
DIMENSIONS = (50, 100, 300, 768)
N_WORDS = 2000
N_MANY_PAIRS = 100_000

# Simulated clusters of an encoder's vectors: the distance of two meanings, in units of the spread
# of the occurrences of one, and the share of words that have two.
GAPS = (0.5, 0.7, 1.0)
CLUSTERS_REAL_SHARE = 0.25
CLUSTERS_DIM = 768
N_SHARED = 3


def measure_planted(dim: int) -> list[dict[str, Any]]:
    """Return what `detect` finds at each planted share, with and without counts."""
    found = []
    for real_share in REAL_SHARES:
        truth = make_senses(n_words=N_WORDS, dim=dim, real_share=real_share)
        real = truth.pairs["real"].to_numpy()
        # without centers, since planted centers would give the truth away
        senses = truth.senses.replace(centers=None)
        found += [{"dimensions": dim, **row} for row in with_and_without_counts(senses, real)]
    return found


def with_and_without_counts(senses: SenseVectors, real: NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Return what `detect` finds, given which pairs are real."""
    found = []
    for counts in (True, False):
        pairs = detect(senses if counts else senses.replace(counts=None))
        called = (pairs["verdict"] == "real").to_numpy()
        share = pairs.attrs["real_share"]
        row = {
            "counts": counts,
            "real": float(real.mean()),
            "estimate": share.estimate,
            "low": share.low,
            "high": share.high,
            "basis": share.basis,
            "recall": float(called[real].mean()),
            "false_discoveries": float((~real[called]).mean()) if called.any() else 0.0,
            "undecided": float((pairs["verdict"] == "undecided").mean()),
        }
        found.append(row)
    return found


def measure_clusters() -> list[dict[str, Any]]:
    """Return what `detect` finds among clusters of simulated occurrences."""
    return [{"gap": gap, **row} for gap in GAPS for row in with_and_without_counts(*clusters(gap))]


def clusters(gap: float) -> tuple[SenseVectors, NDArray[np.bool_]]:
    """Simulate two clusters of occurrences per word; return them, and which pairs are real.

    Occurrences of a meaning spread as vectors of encoders do: the variance along the k-th
    direction falls with 1 / k. Two meanings are `gap` spreads apart, in any direction. A word
    with one meaning is cut in two across one of three directions. A cluster is the mean of 5 to
    500 occurrences, which blurs it.
    """
    rng = np.random.default_rng(0)
    shape = N_WORDS, CLUSTERS_DIM
    spread = 1 / np.sqrt(np.arange(1, CLUSTERS_DIM + 1))
    spread /= np.linalg.norm(spread)
    real = rng.random(N_WORDS) < CLUSTERS_REAL_SHARE
    apart = rng.standard_normal(shape)
    apart *= gap / np.linalg.norm(apart, axis=1, keepdims=True)
    across = rng.integers(N_SHARED, size=N_WORDS)
    # the means of the two halves of a normal distribution are 2 √(2/π) standard deviations apart
    cut = np.eye(CLUSTERS_DIM)[across] * spread * 2 * np.sqrt(2 / np.pi)
    halves = np.where(real[:, None], apart, cut) / 2
    counts = np.exp(rng.uniform(np.log(5), np.log(500), (N_WORDS, 2))).astype(np.int64)
    blur = rng.standard_normal((N_WORDS, 2, CLUSTERS_DIM)) * spread / np.sqrt(counts)[:, :, None]
    middle = rng.standard_normal(shape) / np.sqrt(CLUSTERS_DIM)
    vectors = middle[:, None] + np.stack([halves, -halves], axis=1) + blur
    rows = vectors.reshape(-1, CLUSTERS_DIM).astype(np.float32)
    senses = SenseVectors(map(str, range(N_WORDS)), rows, [2] * N_WORDS, counts=counts.ravel())
    return senses, real


def measure_time() -> dict[str, float]:
    """Time `detect` on many pairs in 300 dimensions that only other words can judge.

    The time of all threads together does not depend on what else the machine does.
    """
    rng = np.random.default_rng(0)
    shape = 2 * N_MANY_PAIRS, 300
    vectors, centers = (rng.standard_normal(shape, dtype=np.float32) for _ in range(2))
    senses = SenseVectors(
        map(str, range(N_MANY_PAIRS)),
        vectors,
        [2] * N_MANY_PAIRS,
        centers=centers,
        counts=rng.integers(20, 20_000, 2 * N_MANY_PAIRS),
    )
    start = time.process_time()
    detect(senses)
    return {"pairs": N_MANY_PAIRS, "cpu_seconds": time.process_time() - start}


SECTIONS: dict[str, Callable[[], Any]] = {
    **{f"planted{dim}": partial(measure_planted, dim) for dim in DIMENSIONS},
    "clusters": measure_clusters,
    "time": measure_time,
}


def fills() -> dict[str, str]:
    """Return the table and numbers of the docs."""
    found = results("detection")
    rows = [row for dim in DIMENSIONS for row in found.get(f"planted{dim}", [])]
    off = [abs(row["estimate"] - row["real"]) for row in rows if row["estimate"] is not None]
    return {
        "planted": table(_row(row) for row in rows),
        "clusters": table(_row(row) for row in found["clusters"]),
        "points": f"{len(rows)}",
        "off": f"{max(off):.3f}",
        "recall": f"{min(row['recall'] for row in rows):.2f}",
        "false_discoveries": f"{max(row['false_discoveries'] for row in rows):.2f}",
        "pairs": f"{found['time']['pairs']:,}",
        "seconds": f"{found['time']['cpu_seconds']:.0f}",
    }


def _row(row: dict[str, Any]) -> dict[str, str]:
    first: dict[str, str] = {k: f"{row[k]:g}" for k in ("dimensions", "gap") if k in row}
    estimate = row["estimate"]
    bounds = f" ({row['low']:.3f}–{row['high']:.3f})"
    return {
        **first,
        "counts": "yes" if row["counts"] else "no",
        "real": f"{row['real']:.3f}",
        "estimated": "unknown" if estimate is None else f"{estimate:.3f}{bounds}",
        "recall": f"{row['recall']:.2f}",
        "false discoveries": f"{row['false_discoveries']:.2f}",
    }

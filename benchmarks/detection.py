"""Whether `detect` finds the share of real pairs and the real pairs, at any planted share.

Planted data is made from our own assumptions: this shows that detection adapts to the share, not
that it agrees with people. For that, see the benchmark `merging_labels`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import results, table
from exrpca import SenseVectors, detect, make_senses

PACKAGES = ("numpy", "scipy", "pandas")
REAL_SHARES = (0.05, 0.12, 0.25, 0.39, 0.54, 0.8)
DIMENSIONS = (50, 100, 300, 768)
N_WORDS = 2000
N_MANY_PAIRS = 100_000


def measure_planted(dim: int) -> list[dict[str, Any]]:
    """Return what `detect` finds at each planted share, with and without counts."""
    found = []
    for real_share in REAL_SHARES:
        truth = make_senses(n_words=N_WORDS, dim=dim, real_share=real_share)
        real = truth.pairs["real"].to_numpy()
        for counts in (True, False):
            # without centers, since planted centers would give the truth away
            missing = {"centers": None} if counts else {"centers": None, "counts": None}
            pairs = detect(truth.senses.replace(**missing))
            called = (pairs["verdict"] == "real").to_numpy()
            share = pairs.attrs["real_share"]
            row = {
                "dimensions": dim,
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
    "time": measure_time,
}


def fills() -> dict[str, str]:
    """Return the table and numbers of the docs."""
    found = results("detection")
    rows = [row for dim in DIMENSIONS for row in found.get(f"planted{dim}", [])]
    off = [abs(row["estimate"] - row["real"]) for row in rows if row["estimate"] is not None]
    return {
        "planted": table(_row(row) for row in rows),
        "points": f"{len(rows)}",
        "off": f"{max(off):.3f}",
        "recall": f"{min(row['recall'] for row in rows):.2f}",
        "false_discoveries": f"{max(row['false_discoveries'] for row in rows):.2f}",
        "pairs": f"{found['time']['pairs']:,}",
        "seconds": f"{found['time']['cpu_seconds']:.0f}",
    }


def _row(row: dict[str, Any]) -> dict[str, str]:
    estimate = row["estimate"]
    bounds = f" ({row['low']:.3f}–{row['high']:.3f})"
    return {
        "dimensions": f"{row['dimensions']}",
        "counts": "yes" if row["counts"] else "no",
        "real": f"{row['real']:.3f}",
        "estimated": "unknown" if estimate is None else f"{estimate:.3f}{bounds}",
        "recall": f"{row['recall']:.2f}",
        "false discoveries": f"{row['false_discoveries']:.2f}",
    }

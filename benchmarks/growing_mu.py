"""How far from the optimum of the convex problem a μ that only grows stops, as the paper's does.

Usage: python benchmarks/growing_mu.py
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from exrpca.decomposition import ConvexExRPCA, make_low_rank
from exrpca.files import atomic_path

RESULT = Path(__file__).parent / "results" / "growing_mu.json"
LAMBDA1, LAMBDA2 = 1.0, 0.1
FACTORS = (1.1, 2.0, 6.0)
ITERATIONS = 500


def with_growing_mu(X: Any, factor: float) -> float:
    """Return the objective that the paper's scheme reaches, its updates corrected."""
    E, S, Y = (np.zeros_like(X) for _ in range(3))
    mu = float(1.25 / np.linalg.norm(X, 2))
    for _ in range(ITERATIONS):
        U, s, V = np.linalg.svd(X - E - S + Y / mu, full_matrices=False)
        L = U * np.maximum(s - 1 / mu, 0) @ V
        target = X - L - E + Y / mu
        S = np.sign(target) * np.maximum(np.abs(target) - LAMBDA2 / mu, 0)
        E = mu / (mu + 2 * LAMBDA1) * (X - L - S + Y / mu)
        Y = Y + mu * (X - L - E - S)
        mu = min(mu * factor, 1e12)
    # At the feasible point that L belongs to.
    size = np.abs(X - L)
    noise = np.minimum(size, LAMBDA2 / (2 * LAMBDA1))
    loss = LAMBDA1 * (noise**2).sum() + LAMBDA2 * (size - noise).sum()
    return float(np.linalg.norm(L, "nuc") + loss)


def main() -> None:
    X = make_low_rank(20, 60, n_components=3).matrix
    model = ConvexExRPCA(lambda1=LAMBDA1, lambda2=LAMBDA2, center=False, tol=1e-9)
    optimum = model.fit(X).objective_
    gaps = {str(factor): with_growing_mu(X, factor) / optimum - 1 for factor in FACTORS}
    print(f"optimum {optimum:.6f}")
    for factor, gap in gaps.items():
        print(f"μ grows by {factor}: relative gap {gap:.1e}")
    result = {
        "shape": list(X.shape),
        "lambda1": LAMBDA1,
        "lambda2": LAMBDA2,
        "iterations": ITERATIONS,
        "optimum": optimum,
        "relative_gap_by_growth_of_mu": gaps,
        "versions": {name: version(name) for name in ("numpy", "exrpca")},
    }
    with atomic_path(RESULT) as temporary:
        temporary.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()

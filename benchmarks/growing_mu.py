"""How far from the optimum of the convex problem a μ that only grows stops, as the paper's does."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import results
from exrpca.decomposition import ConvexExRPCA, make_low_rank

PACKAGES = ("numpy",)
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


def measure() -> dict[str, Any]:
    """Compare what the scheme reaches with the optimum, for several factors."""
    X = make_low_rank(20, 60, n_components=3).matrix
    model = ConvexExRPCA(lambda1=LAMBDA1, lambda2=LAMBDA2, center=False, tol=1e-9)
    optimum = model.fit(X).objective_
    return {
        "shape": list(X.shape),
        "lambda1": LAMBDA1,
        "lambda2": LAMBDA2,
        "iterations": ITERATIONS,
        "optimum": optimum,
        "relative_gap_by_growth_of_mu": {
            str(factor): with_growing_mu(X, factor) / optimum - 1 for factor in FACTORS
        },
    }


SECTIONS = {"gaps": measure}


def fills() -> dict[str, str]:
    """Return the gaps that the docs quote."""
    gaps = results("growing_mu")["gaps"]["relative_gap_by_growth_of_mu"]
    return {
        "gap_6": f"{gaps['6.0']:.0%}",
        "gap_2": f"{gaps['2.0']:.1%}",
        "gap_1.1": f"{gaps['1.1']:.0e}",
    }

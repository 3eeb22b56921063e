"""Broken rows, typos and false alarms: what they do to the fit, and what is said of them.

- `simulation`: 100 rows of 20 features near a plane of rank 2 (`make_low_rank` with noise of 0.45);
  a fifth of the rows is moved off the plane, all along one direction at right angles to it, so that
  the root mean square of what is added to their cells is the size (elements of L have variance 1).
  In "cells", a tenth of all cells is moved by the size up or down. The measure is the largest angle
  between the components and the true plane, over ten runs.
- `real`: rows of real sets shifted along one direction by 25 standard deviations; the measure of
  `real_matrices`. `real_peers` has the others.
- `flagged`: how many of the rows of clean sets `predict` flags, and the rank of scrambled rows.
- `typos`: three cells of 100,000 in one column of wine; how that changes the column's loadings.
- `closed`: cells moved as in `real_matrices`, and the table standardized after that, not before.
- `gears`: gaps of the Top Gear table, as in the paper of MacroPCA.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import scipy.linalg
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.preprocessing import RobustScaler, StandardScaler

from benchmarks.harness import number, results, table
from benchmarks.peers import run_in, versions
from benchmarks.real_data import FRESH, NAMED, UNSEEN, Condition, Matrix, Subspace, pca, split
from benchmarks.real_matrices import TITLES, fitted
from exrpca.decomposition import ExRPCA, RobustFitWarning, make_low_rank

PACKAGES = ("scikit-learn", "numpy", "scipy", "numba")
RUNS = range(10)
SIZES = (2, 5, 10)
SHARES = (0.1, 0.2)
SHIFTED = ("digits", "cancer", "cancer_raw", "wine", "word_vectors")
# name, share of the rows that are shifted, share of the cells that are moved
BREAKS = (
    ("clean", 0.0, 0.0),
    ("10% of the cells", 0.0, 0.1),
    ("20% of the rows", 0.2, 0.0),
    ("both", 0.2, 0.1),
)
METHODS = ("ExRPCA", "PCA", "spherical PCA", "robpca")
NAMES = {"robpca": "ROBPCA (robpy)", "robpca_median": "ROBPCA (robpy), around the median"}
TYPO, TYPED = 1e5, (5, 60, 150)
SCALINGS: dict[str, Callable[[Matrix], Matrix]] = {
    "raw": np.asarray,
    "StandardScaler": lambda X: StandardScaler().fit_transform(X),
    "RobustScaler": lambda X: RobustScaler().fit_transform(X),
}


# --- the simulation ------------------------------------------------------------------------------


def simulated(seed: int, size: float, rows: float, cells: float) -> tuple[Matrix, Matrix]:
    """Return a broken matrix, and the directions of the true plane."""
    planted = make_low_rank(100, 20, n_components=2, noise=0.45, outlier_share=0, seed=seed)
    plane = np.linalg.svd(planted.low_rank, full_matrices=False)[2][:2]
    X, random = planted.matrix, np.random.default_rng(4000 + seed)
    direction = random.normal(size=20)
    direction -= direction @ plane.T @ plane
    broken = random.permutation(100)[: round(rows * 100)]
    X[broken] += size * np.sqrt(20) * direction / np.linalg.norm(direction)
    moved = random.random(X.shape) < cells
    return X + moved * np.where(random.random(X.shape) < 0.5, -1, 1) * size, plane


def section_simulation() -> dict[str, Any]:
    rows = []
    for method in METHODS:
        for name, of_rows, of_cells in BREAKS:
            for size in SIZES if name != "clean" else SIZES[:1]:
                angles = []
                for seed in RUNS:
                    X, plane = simulated(seed, size, of_rows, of_cells)
                    found = fitted(method, X, 2)[1].components
                    apart = scipy.linalg.subspace_angles(found.T, plane.T).max()
                    angles.append(float(np.degrees(apart)))
                row = {"method": method, "broken": name, "size": size}
                rows.append(row | {"median": float(np.median(angles)), "worst": max(angles)})
    return {"runs": len(RUNS), "rows": rows, "peers": versions("robpy")}


# --- rows of real sets ---------------------------------------------------------------------------


def shift_rows(X: Matrix, seed: int, share: float) -> Matrix:
    """Return the rows with some of them shifted by 25 standard deviations along one direction."""
    random = np.random.default_rng(2000 + seed)
    normal = random.normal(size=X.shape[1])
    chosen = random.permutation(len(X))[: round(share * len(X))]
    shifted = X.copy()
    shifted[chosen] += 25 * normal / np.linalg.norm(normal) * X.std(axis=0)
    return shifted


def section_real(methods: tuple[str, ...]) -> dict[str, Any]:
    rows = []
    for name in SHIFTED:
        for share in SHARES:
            for method in methods:
                ratios = []
                for seed in RUNS:
                    train, test, rank = split(name, seed)
                    found = fitted(method, shift_rows(train, seed, share), rank)[1]
                    ratios.append(found.residual(test) / pca(train, rank).residual(test))
                row = {"name": name, "share": share, "method": method}
                rows.append(row | {"residual": float(np.mean(ratios))})
    peers = {"peers": versions("robpy")} if "robpca" in methods else {}
    return {"seeds": len(RUNS), "rows": rows, **peers}


# --- false alarms --------------------------------------------------------------------------------


def section_flagged() -> dict[str, Any]:
    """Count the rows of clean sets that are flagged, and see where scrambled rows are."""
    sets = {"wine": (load_wine, 4), "cancer": (load_breast_cancer, 5), "digits": (load_digits, 10)}
    rows = []
    for name, (load, rank) in sets.items():
        X = load().data
        X = X if name == "digits" else StandardScaler().fit_transform(X)
        for k in (2, rank):
            flagged = ExRPCA(k).fit(X).predict(X) == -1
            rows.append({"name": name, "rank": k, "flagged": float(flagged.mean())})
    X, hits = load_wine().data, 0
    for seed in RUNS:
        random = np.random.default_rng(seed)
        broken, chosen = X.copy(), random.permutation(len(X))[:3]
        for i in chosen:
            broken[i] = random.permutation(broken[i])
        worst = np.argsort(ExRPCA(units="robust").fit(broken).score_samples(broken))[:3]
        hits += set(worst) == set(chosen)
    return {"rows": rows, "scrambled": hits, "runs": len(RUNS)}


# --- typos ---------------------------------------------------------------------------------------


def section_typos() -> dict[str, Any]:
    """Compare the length of a column's loadings with and without typos in the column."""
    data, names = load_wine().data, load_wine().feature_names
    rows = []
    for name, scaled in SCALINGS.items():
        clean = ExRPCA().fit(scaled(data)).components_
        for j, column in enumerate(names):
            typed = data.copy()
            typed[TYPED, j] = TYPO
            found = ExRPCA().fit(scaled(typed)).components_
            before, after = (float(np.linalg.norm(c[:, j])) for c in (clean, found))
            plain = float(np.linalg.norm(pca(scaled(typed), 2).components[:, j]))
            row = {"scaling": name, "column": column, "clean": before, "typos": after}
            rows.append(row | {"pca": plain})
    return {"rows": rows}


# --- tables standardized after cells are broken --------------------------------------------------


def section_closed() -> dict[str, Any]:
    """Standardize the training rows after their cells are moved, as a user must."""
    tables = ("wine", "cancer", *UNSEEN, *FRESH)
    rows = []
    for name in tables:
        for share in (0.0, 0.05, 0.2):
            ratios: dict[str, list[float]] = {"as given": [], "standardized after": []}
            for seed in range(2):
                train, test, rank = split(name, seed)
                broken, ideal = Condition(share, 10).breaks(train, seed), pca(train, rank)
                scaler = StandardScaler().fit(broken)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", RobustFitWarning)
                    given = ExRPCA(rank).fit(broken)
                    after = ExRPCA(rank).fit(scaler.transform(broken))
                found = {
                    "as given": Subspace(given.mean_, given.components_),
                    "standardized after": in_clean_units(after, scaler),
                }
                for key, plane in found.items():
                    ratios[key].append(plane.residual(test) / ideal.residual(test))
            means = {key: float(np.mean(values)) for key, values in ratios.items()}
            kind = "named" if name in NAMED else "unseen" if name in UNSEEN else "fresh"
            rows.append({"name": name, "kind": kind, "share": share, **means})
    return {"seeds": 2, "rows": rows}


def in_clean_units(model: ExRPCA, scaler: StandardScaler) -> Subspace:
    """Return the plane of a model of standardized rows, as one of the rows before that."""
    directions = model.components_ * model.scale_ * scaler.scale_
    mean = model.mean_ * model.scale_ * scaler.scale_ + scaler.mean_
    return Subspace(mean, np.linalg.qr(directions.T)[0].T)


# --- Top Gear ------------------------------------------------------------------------------------

# The missing weights, in kilograms, and what the paper says that MacroPCA and ICPCA fill in.
GEARS = {
    "Ford Kuga": {"truth": 1605.0, "MacroPCA (published)": 1654.9, "ICPCA (published)": 1774.3},
    "Mini Coupe": {"truth": 1165.0, "MacroPCA (published)": 1125.9, "ICPCA (published)": 1001.7},
}
WEIGHT = "Weight"


def section_gears() -> dict[str, Any]:
    """Fill the two missing weights, and count the outlying cells."""
    import pandas as pd

    found = run_in("robpy", "data.gears", {}).arrays
    X = pd.DataFrame(found["X"], found["index"].astype(str), found["columns"].astype(str))
    model = ExRPCA(2, missing="impute", units="robust").fit(X)
    filled = model.decompose(X)[0]
    weights = {name: float(filled.loc[name, WEIGHT]) for name in GEARS}
    flagged = len(model.outlying_cells(X))
    return {"shape": list(X.shape), "weights": weights, "cells": flagged}


SECTIONS: dict[str, Callable[[], Any]] = {
    "simulation": section_simulation,
    "real": partial(section_real, ("ExRPCA",)),
    "real_peers": partial(section_real, ("PCA", "spherical PCA", "robpca", "robpca_median")),
    "flagged": section_flagged,
    "typos": section_typos,
    "closed": section_closed,
    "gears": section_gears,
}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables and numbers of the docs."""
    found = results("rows")
    filled = {
        "simulation": lambda: table(_simulation(found["simulation"]["rows"])),
        "real": lambda: table(_real(found["real"]["rows"] + found["real_peers"]["rows"])),
        "flagged": lambda: table(_flagged(found["flagged"]["rows"])),
        "flagged.scrambled": lambda: "{scrambled} of {runs}".format(**found["flagged"]),
        "typos": lambda: table(_typos(found["typos"]["rows"])),
        "closed": lambda: table(_closed(found["closed"]["rows"])),
        "gears": lambda: table(_gears(found["gears"]["weights"])),
        "gears.cells": lambda: str(found["gears"]["cells"]),
    }
    return {
        name: fill() if name.split(".")[0] in found else "not measured yet"
        for name, fill in filled.items()
    }


def _simulation(rows: list[dict[str, Any]]) -> Iterable[dict[str, str]]:
    for method in METHODS:
        cells = {
            row["broken"] if row["broken"] == "clean" else f"{row['broken']}, {row['size']}": (
                f"{row['median']:.1f} ({row['worst']:.0f})"
            )
            for row in rows
            if row["method"] == method
        }
        yield {"": _name(method), **cells}


def _real(rows: list[dict[str, Any]]) -> Iterable[dict[str, str]]:
    for method in dict.fromkeys(row["method"] for row in rows):
        cells = {
            f"{TITLES.get(row['name'], row['name'])}, {row['share']:.0%}": number(
                row["residual"], 2
            )
            for row in rows
            if row["method"] == method
        }
        yield {"": _name(method), **cells}


def _flagged(rows: list[dict[str, Any]]) -> Iterable[dict[str, str]]:
    for row in rows:
        name = TITLES.get(row["name"], row["name"])
        yield {"": name, "rank": str(row["rank"]), "rows flagged": f"{row['flagged']:.1%}"}


def _typos(rows: list[dict[str, Any]]) -> Iterable[dict[str, str]]:
    for scaling in SCALINGS:
        chosen = [row for row in rows if row["scaling"] == scaling]
        changes = [abs(row["typos"] / row["clean"] - 1) for row in chosen]
        [color] = [row for row in chosen if row["column"] == "color_intensity"]
        yield {
            "": scaling,
            "color intensity: clean": number(color["clean"], 3),
            "with typos": number(color["typos"], 3),
            "PCA with typos": number(color["pca"], 3),
            "columns within 10%": f"{sum(c <= 0.1 for c in changes)} of {len(changes)}",
        }


def _closed(rows: list[dict[str, Any]]) -> Iterable[dict[str, str]]:
    for kind in dict.fromkeys(row["kind"] for row in rows):
        for key in ("as given", "standardized after"):
            cells = {
                f"{share:.0%}": number(_mean(rows, kind, share, key), 2)
                for share in (0.0, 0.05, 0.2)
            }
            n = sum(row["kind"] == kind and row["share"] == 0 for row in rows)
            yield {"": f"{kind} ({n} tables), {key}", **cells}


def _mean(rows: list[dict[str, Any]], kind: str, share: float, key: str) -> float:
    logs = [np.log(row[key]) for row in rows if row["kind"] == kind and row["share"] == share]
    return float(np.exp(np.mean(logs)))


def _gears(weights: dict[str, float]) -> Iterable[dict[str, str]]:
    for name, known in GEARS.items():
        filled = {"ExRPCA": weights[name], **known}
        yield {"": name, **{key: number(value, 0) for key, value in filled.items()}}


def _name(method: str) -> str:
    return NAMES.get(method, method)

"""Robust PCA on real matrices with its peers: quality and time in one table.

For each data set there are two sections, so that ours can run again while the peers' results are
kept: `digits` and `digits_peers`, and so on. A method fits 80% of the rows, some of whose cells are
moved; the measure is the residual of its rank-k components on the other, clean rows, over that of
PCA fitted to clean rows (1 is ideal; less than 1 is chance). The seconds are processor time, on one
thread. Further sections: `units` (columns multiplied by powers of ten), `gaps` (cells hidden),
`trees` (a person in a video), `unseen` (tables that had no part in the development), the last three
with `_peers` as well. Broken rows are in `rows`.
"""

from __future__ import annotations

import contextlib
import io
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.covariance import MinCovDet
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning

from benchmarks.harness import data_file, number, results, table
from benchmarks.peers import PeerError, run_in, versions
from benchmarks.real_data import (
    FEW,
    FURTHER,
    NAMED,
    SETS,
    UNSEEN,
    Condition,
    Matrix,
    Subspace,
    conditions_of,
    matrix,
    pca,
    split,
)
from exrpca.decomposition import ConvexExRPCA, ExRPCA, RobustFitWarning, RobustPCA
from exrpca.senses.cosine import unit_vectors

PACKAGES = ("scikit-learn", "numpy", "scipy", "numba")
SEEDS = range(10)
# What the slow peers are measured on: clean rows, 5% and 20% of the cells moved.
MAIN = [Condition(0, 10), Condition(0.05, 10), Condition(0.20, 10)]

# A method takes rows and a rank.
Method = Callable[[Matrix, int], Subspace]


def ours(kind: Any, X: Matrix, rank: int) -> Subspace:
    model = kind(rank).fit(X)
    return Subspace(model.mean_, model.components_)


OURS: dict[str, Method] = {
    kind.__name__: partial(ours, kind) for kind in (ExRPCA, ConvexExRPCA, RobustPCA)
}


# --- peers ---------------------------------------------------------------------------------------


def min_cov_det(X: Matrix, rank: int) -> Subspace:
    """Return the components of scikit-learn's robust covariance."""
    if len(X) <= X.shape[1]:
        raise PeerError("needs more rows than columns")
    model = MinCovDet(random_state=0).fit(X)
    return Subspace(model.location_, np.linalg.eigh(model.covariance_)[1][:, ::-1].T[:rank])


def spherical(X: Matrix, rank: int) -> Subspace:
    """Return the components of spherical PCA: PCA of the directions from the median row."""
    median = np.median(X, axis=0)
    return Subspace(median, pca(unit_vectors(X - median), rank).components)


# The environment of each peer that has one.
PEERS = {
    "pyrpca": "pursuit",
    "rpca": "pursuit",
    "godec": "pursuit",
    "skpcp": "pursuit",
    "robpca": "robpy",
    "robpca_median": "robpy",
    "qolmat": "qolmat",
}
FAST_PEERS = ("PCA", "pyrpca", "rpca", "godec")
SLOW_PEERS = ("skpcp", "robpca", "qolmat", "MinCovDet")
HERE: dict[str, Method] = {"PCA": pca, "MinCovDet": min_cov_det, "spherical PCA": spherical}
NAMES = {
    "godec": "GoDec (hyperspy)",
    "robpca": "ROBPCA (robpy)",
    "robpca_median": "ROBPCA (robpy), around the median",
    "MinCovDet": "MinCovDet (scikit-learn)",
    "PCA": "PCA (scikit-learn)",
}


def fitted(method: str, X: Matrix, rank: int) -> tuple[float, Subspace]:
    """Return how long a method takes, and what it finds."""
    if method in PEERS:
        answer = run_in(PEERS[method], method, {"X": X, "rank": rank})
        return answer.seconds, Subspace(**answer.arrays)
    start = time.process_time()
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", RobustFitWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        found = (OURS | HERE)[method](X, rank)
    return time.process_time() - start, found


# --- sections ------------------------------------------------------------------------------------


def measured(
    method: str, name: str, breaks: Callable[[Matrix, int], Matrix]
) -> dict[str, float | str]:
    """Return the mean residual of a method over the seeds, and its median time."""
    ratios, seconds = [], []
    for seed in SEEDS:
        train, test, rank = split(name, seed)
        try:
            spent, found = fitted(method, breaks(train, seed), rank)
        except PeerError as problem:
            return {"method": method, "failed": str(problem)}
        ratios.append(found.residual(test) / pca(train, rank).residual(test))
        seconds.append(spent)
    return {
        "method": method,
        "residual": float(np.mean(ratios)),
        "spread": float(np.std(ratios)),
        "seconds": float(np.median(seconds)),
    }


def section_cells(name: str, methods: Mapping[str, Iterable[Condition]]) -> dict[str, Any]:
    """Measure methods on a data set, each under its conditions."""
    rows = []
    for method, conditions in methods.items():
        if method in OURS:
            fitted(method, *split(name, 0)[::2])  # compiles
        for condition in conditions:
            rows.append({**condition._asdict(), **measured(method, name, condition.breaks)})
            if "failed" in rows[-1]:
                break
    found: dict[str, Any] = {"shape": list(matrix(name).shape), "rank": SETS[name][1]}
    used = {PEERS[method] for method in methods if method in PEERS}
    packages = {key: value for name in sorted(used) for key, value in versions(name).items()}
    return found | {"seeds": len(SEEDS), "rows": rows} | ({"peers": packages} if used else {})


def methods_of(name: str) -> dict[str, list[Condition]]:
    """Return our estimators with their conditions."""
    return {
        "ExRPCA": conditions_of[name],
        "RobustPCA": conditions_of[name],
        "ConvexExRPCA": MAIN,
    }


def peers_of(name: str) -> dict[str, list[Condition]]:
    """Return the peers with their conditions."""
    return dict.fromkeys(FAST_PEERS, conditions_of[name]) | dict.fromkeys(SLOW_PEERS, MAIN)


def section_unseen(methods: Iterable[str]) -> dict[str, Any]:
    """Measure methods on tables that had no part in the development."""
    rows: list[dict[str, Any]] = []
    for name in UNSEEN:
        for method in methods:
            rows += [
                {"name": name, **condition._asdict(), **measured(method, name, condition.breaks)}
                for condition in conditions_of[name]
            ]
    return {"seeds": len(SEEDS), "rows": rows}


def section_units() -> dict[str, Any]:
    """Multiply the columns by powers of ten, and count the cells of S that change."""
    rows = []
    for name in ("digits", "cancer", "cancer_raw", "wine"):
        changed = []
        for seed in SEEDS:
            train, _, rank = split(name, seed)
            X = Condition(0.05, 10).breaks(train, seed)
            factors = 10.0 ** np.random.default_rng(seed).integers(-3, 4, size=X.shape[1])
            one, other = (ExRPCA(rank).fit(rows).sparse_.astype(bool) for rows in (X, X * factors))
            changed.append((one.toarray() != other.toarray()).mean())
        rows.append({"name": name, "changed": float(np.mean(changed))})
    return {"seeds": len(SEEDS), "rows": rows}


# --- gaps ----------------------------------------------------------------------------------------

Filler = Callable[[Matrix, int], Matrix]


def filled_by(kind: Any, X: Matrix, rank: int) -> Matrix:
    """Return the matrix with its gaps filled by one of our estimators."""
    L = kind(rank, missing="impute").fit(X).decompose(X)[0]
    return np.where(np.isnan(X), L, X)


def iterative_pca(X: Matrix, rank: int) -> Matrix:
    """Fill gaps by PCA, fitted again and again to the filled matrix until it settles."""
    gaps = np.isnan(X)
    filled = np.where(gaps, np.nanmean(X, axis=0), X)
    for _ in range(1000):
        last = filled
        model = PCA(rank, svd_solver="covariance_eigh").fit(filled)
        filled = np.where(gaps, model.inverse_transform(model.transform(filled)), X)
        if np.linalg.norm(filled - last) <= 1e-5 * np.linalg.norm(filled):
            break
    return filled


FILLERS: dict[str, Filler] = {
    "ExRPCA": partial(filled_by, ExRPCA),
    "ConvexExRPCA": partial(filled_by, ConvexExRPCA),
    "RobustPCA": partial(filled_by, RobustPCA),
    "iterative PCA": iterative_pca,  # the measure of the others
}
OTHER_FILLERS: dict[str, Filler] = {
    "qolmat": lambda X, rank: run_in("qolmat", "qolmat_filled", {"X": X, "rank": rank}).arrays[
        "filled"
    ],
}


def section_gaps(fillers: Mapping[str, Filler]) -> dict[str, Any]:
    """Hide 20% of the cells and compare what fills them with what was there."""
    rows = []
    for name in ("digits", "cancer"):
        X, rank = matrix(name), SETS[name][1]
        for share in (0.0, 0.05):
            for method, fill in fillers.items():
                errors = []
                for seed in SEEDS:
                    hidden = np.random.default_rng(3000 + seed).random(X.shape) < 0.2
                    broken = Condition(share, 10).breaks(X, seed)
                    filled = fill(np.where(hidden, np.nan, broken), rank)
                    errors.append(np.sqrt(np.mean((filled - X)[hidden] ** 2)))
                row = {"name": name, "share": share, "method": method}
                rows.append(row | {"error": float(np.mean(errors))})
    return {"seeds": len(SEEDS), "rows": rows}


# --- a person in front of moving trees -----------------------------------------------------------

TREES_RANK = 5


def section_trees(methods: Iterable[str]) -> dict[str, Any]:
    """Find the person in frame 247 of Waving Trees, given frames 0 to 199 without one.

    S of ExRPCA is compared with the mask as it is; a difference from a low-rank part or the median
    frame is cut where the mask shows it to be best.
    """
    with np.load(data_file("matrices/waving_trees.npz")) as file:
        frames, mask, number = file["frames"], file["mask"].ravel() > 0, int(file["mask_frame"])
    X = frames.reshape(len(frames), -1).astype(np.float64)
    background, frame = X[:200], X[number]
    rows = []
    for method in methods:
        if method == "ExRPCA":
            L, _, S = ExRPCA(TREES_RANK).fit(background).decompose(frame[None])
            rows.append({"method": "ExRPCA, S itself", **_found(S.toarray()[0] != 0, mask)})
            low_rank = L[0]
        elif method == "median frame":
            low_rank = np.median(background, axis=0)
        elif method == "PCA":
            model = pca(background, TREES_RANK)
            low_rank = model.mean + (frame - model.mean) @ model.components.T @ model.components
        else:  # these have no model for a new row
            given = {"X": np.concatenate([background, frame[None]]), "rank": TREES_RANK}
            low_rank = run_in(PEERS[method], f"{method}_parts", given).arrays["low_rank"][-1]
        sizes = np.abs(frame - low_rank)
        cuts = np.quantile(sizes, np.linspace(0.4, 0.999, 150))
        best = max((_found(sizes > cut, mask) for cut in cuts), key=lambda found: found["F"])
        rows.append({"method": f"{NAMES.get(method, method)}, best cut", **best})
    return {"rank": TREES_RANK, "rows": rows}


def _found(found: NDArray[np.bool_], mask: NDArray[np.bool_]) -> dict[str, float]:
    hits = float((found & mask).sum())
    precision, recall = hits / max(found.sum(), 1), hits / mask.sum()
    return {"precision": precision, "recall": recall, "F": 2 * hits / (found.sum() + mask.sum())}


SECTIONS: dict[str, Callable[[], Any]] = {
    **{name: partial(lambda name: section_cells(name, methods_of(name)), name) for name in SETS},
    "units": section_units,
    "gaps": partial(section_gaps, FILLERS),
    "trees": partial(section_trees, ("ExRPCA",)),
    "unseen": partial(section_unseen, ("ExRPCA", "RobustPCA")),
    "unseen_peers": partial(section_unseen, ("PCA", "pyrpca")),
    "gaps_peers": partial(section_gaps, OTHER_FILLERS),
    "trees_peers": partial(section_trees, ("PCA", "median frame", "pyrpca", "godec")),
    **{
        f"{name}_peers": partial(lambda name: section_cells(name, peers_of(name)), name)
        for name in SETS
    },
}


# --- for the docs --------------------------------------------------------------------------------

TITLES = {
    "cancer": "breast cancer",
    "cancer_raw": "breast cancer, raw",
    "china": "china.jpg",
    "word_vectors": "word vectors",
}
SHOWN = ("ExRPCA", "RobustPCA", "ConvexExRPCA", *FAST_PEERS, *SLOW_PEERS)
# The limits: on clean rows, and against the better one of the two pursuits for few and many cells.
CLEAN_LIMIT, FEW_LIMIT, MANY_LIMIT = 1.12, 1.05, 1.12
# A peer wins where it leaves less than this share of what ExRPCA leaves.
WINNING = 0.99

Residuals = dict[tuple[str, Condition], float]


def fills() -> dict[str, str]:
    """Return the tables and numbers of the docs, for the data sets that have been measured."""
    found = results("real_matrices")
    named, further = (
        [name for name in names if name in found and f"{name}_peers" in found]
        for names in (NAMED, FURTHER)
    )
    return {
        "summary": table(_summary(found, method, named) for method in SHOWN),
        "further": table(_summary(found, method, further) for method in SHOWN),
        **{f"conditions.{name}": table(_by_condition(_residuals(found, name))) for name in named},
        **_counts(found, "named", named),
        **_counts(found, "further", further),
        **_counts(found, "unseen", UNSEEN),
        "unseen": table(_unseen(found)),
        "unseen.tables": str(len(UNSEEN)),
        "peers_win": table(_wins(found, [*named, *further])),
        **{
            key: table(make([row for section in sections for row in _section_rows(found, section)]))
            for key, (make, sections) in _TABLES.items()
            if sections[0] in found
        },
        "seeds": str(len(SEEDS)),
    }


def _section_rows(found: Any, section: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = found[section]["rows"] if section in found else []
    return rows


def _title(name: str) -> str:
    return TITLES.get(name, name)


def _rows(found: Any, name: str) -> list[dict[str, Any]]:
    if name in UNSEEN:
        rows = [*found["unseen"]["rows"], *found["unseen_peers"]["rows"]]
        return [row for row in rows if row["name"] == name]
    return [*found[name]["rows"], *found[f"{name}_peers"]["rows"]]


def _residuals(found: Any, name: str) -> Residuals:
    """Return the residuals on a data set, by method and condition."""
    return {
        (row["method"], Condition(row["share"], row["size"])): row["residual"]
        for row in _rows(found, name)
        if "residual" in row
    }


def _summary(found: Any, method: str, names: list[str]) -> dict[str, str]:
    """Return a method's row: residuals on each set when clean, at 5% and at 20%; its time."""
    row = {"": NAMES.get(method, method)}
    seconds = []
    for name in names:
        residuals = _residuals(found, name)
        values = [residuals.get((method, condition)) for condition in MAIN]
        row[_title(name)] = "" if None in values else " / ".join(number(v, 2) for v in values)
        seconds += [
            line["seconds"]
            for line in _rows(found, name)
            if line["method"] == method
            and (line["share"], line["size"]) == MAIN[1]
            and "seconds" in line
        ]
    return row | {"seconds": number(sum(seconds), 2) if len(seconds) == len(names) else ""}


def _by_condition(residuals: Residuals) -> Iterable[dict[str, str]]:
    """Yield a row per method: its residuals under every condition it was measured on."""
    for method in dict.fromkeys(method for method, _ in residuals):
        mine = {c: value for (name, c), value in residuals.items() if name == method}
        yield {
            "": NAMES.get(method, method),
            **{f"{c.share:.0%}, {c.size:g} sd": number(mine.get(c), 2) for c in _shown(residuals)},
        }


def _shown(residuals: Residuals) -> list[Condition]:
    return list(dict.fromkeys(condition for _, condition in residuals))


def _counts(found: Any, key: str, names: Iterable[str]) -> dict[str, str]:
    """Count the conditions in which ExRPCA is within the limits."""
    clean, few, many = [], [], []
    for name in names:
        residuals = _residuals(found, name)
        for condition in conditions_of[name]:
            ours = residuals["ExRPCA", condition]
            best = min(residuals[peer, condition] for peer in ("RobustPCA", "pyrpca"))
            if condition.share == 0:
                clean.append(ours <= CLEAN_LIMIT)
            elif condition.share <= 0.10:
                few.append(ours <= FEW_LIMIT * best)
            elif condition.share <= 0.20:
                many.append(ours <= MANY_LIMIT * best)
    counted = {"clean": clean, "few": few, "many": many}
    return {f"{key}.{kind}": f"{sum(v)} of {len(v)}" for kind, v in counted.items()}


def _unseen(found: Any) -> Iterable[dict[str, str]]:
    """Yield a row per method: the geometric mean of its residuals over the unseen tables."""
    of_table = {name: _residuals(found, name) for name in UNSEEN}
    conditions = _shown(next(iter(of_table.values())))
    for method in ("ExRPCA", "RobustPCA", "PCA", "pyrpca"):
        means = {
            f"{condition.share:.0%}": np.exp(
                np.mean([np.log(residuals[method, condition]) for residuals in of_table.values()])
            )
            for condition in conditions
        }
        yield {"": NAMES.get(method, method), **{k: number(v, 2) for k, v in means.items()}}


def _wins(found: Any, names: Iterable[str]) -> Iterable[dict[str, str]]:
    """Yield a row per data set on which another method leaves less than ExRPCA."""
    for name in names:
        residuals = _residuals(found, name)
        row = {"": _title(name)}
        for condition in FEW[:4]:
            rest = {m: v for (m, c), v in residuals.items() if c == condition and m != "ExRPCA"}
            # On clean rows PCA is the measure itself.
            if condition.share == 0:
                rest.pop("PCA")
            best = min(rest, key=lambda method: rest[method])
            mine = residuals["ExRPCA", condition]
            if rest[best] < WINNING * mine:
                label = "clean" if condition.share == 0 else f"{condition.share:.0%}"
                row[label] = f"{NAMES.get(best, best)} {rest[best]:.2f} (ExRPCA {mine:.2f})"
        if len(row) > 1:
            yield {key: row.get(key, "") for key in ("", "clean", "5%", "10%", "20%")}


def _gaps(rows: list[dict[str, Any]]) -> Iterable[dict[str, str]]:
    for method in dict.fromkeys(row["method"] for row in rows):
        yield {
            "": NAMES.get(method, method),
            **{
                _title(row["name"]) + (", 5% outliers" if row["share"] else ""): number(
                    row["error"], 3
                )
                for row in rows
                if row["method"] == method
            },
        }


def _units(rows: list[dict[str, Any]]) -> Iterable[dict[str, str]]:
    for row in rows:
        yield {"": _title(row["name"]), "cells of S that change": f"{row['changed']:.1%}"}


def _trees(rows: list[dict[str, Any]]) -> Iterable[dict[str, str]]:
    for row in rows:
        measures = {key: number(row[key], 2) for key in ("precision", "recall", "F")}
        yield {"": row["method"], **measures}


# The tables made of whole sections: what makes the rows, and of which sections. The first is ours;
# the peers' may be missing.
_TABLES = {
    "units": (_units, ("units",)),
    "gaps": (_gaps, ("gaps", "gaps_peers")),
    "trees": (_trees, ("trees", "trees_peers")),
}

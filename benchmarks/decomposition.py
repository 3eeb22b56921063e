"""Robust PCA side by side: time, memory and error, on planted matrices in one run.

The sections: exrpca (100,000 × 300 against PCA, the two variants and the peers that are fast
enough), convex (20,000 × 300 against the peers with a full SVD in each iteration), growth (time
against the number of rows), map (a memory map that need not fit into memory).
"""

from __future__ import annotations

import contextlib
import io
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA

from benchmarks.harness import interleaved, medians, number, own_memory, results, table, timed
from exrpca.decomposition import (
    ConvexExRPCA,
    ExRPCA,
    PlantedMatrix,
    RobustPCA,
    make_low_rank,
)

PACKAGES = (
    *("scikit-learn", "numpy", "scipy", "numba"),
    *("pyrpca", "skpcp", "tensorly", "hyperspy", "rpca"),
)
REPEATS = 5
ROWS, ROWS_CONVEX, ROWS_MAP = 100_000, 20_000, 4_000_000
RANK, FEATURES, SHARE, NOISE = 5, 300, 0.05, 0.1
Matrix = NDArray[np.float32]
# What a method finds: L, and S where it has one.
Found = tuple[Matrix, Any]


def planted(n: int) -> PlantedMatrix:
    """Make a matrix of `n` rows, the same each time."""
    return make_low_rank(
        n, FEATURES, n_components=RANK, noise=NOISE, outlier_share=SHARE, dtype=np.float32
    )


def quality(parts: PlantedMatrix, found: Found) -> dict[str, Any]:
    """Compare what was found with what was planted."""
    low_rank, sparse = found
    error = np.linalg.norm(low_rank - parts.low_rank) / np.linalg.norm(parts.low_rank)
    row: dict[str, Any] = {"error_of_L": float(error)}
    if sparse is not None:
        marked, true = np.asarray(sparse) != 0, parts.sparse != 0
        both = float((marked & true).sum())
        row |= {"precision": both / max(marked.sum(), 1), "recall": both / true.sum()}
    return row


def low_rank_of(model: Any, X: Matrix) -> Matrix:
    """Return the model's L of the rows it was fitted on."""
    clean = X - model.sparse_.toarray()
    return np.asarray(model.inverse_transform(model.transform(clean)))


def plain_pca(X: NDArray[np.floating[Any]]) -> PCA:
    return PCA(RANK, svd_solver="covariance_eigh").fit(X)


# --- peers: each takes X and returns L and S -----------------------------------------------------


def pyrpca(X: Matrix) -> Found:
    from pyrpca import rpca_pcp_ialm

    L, S = rpca_pcp_ialm(X, 1 / np.sqrt(max(X.shape)), verbose=False)
    return L, S


def godec(X: Matrix) -> Found:
    from hyperspy.learn._rpca import rpca_godec

    # Told the noise, as its default threshold does not know the scale of the data, and stopped when
    # it stands still: its tolerance is absolute and never met by a matrix with noise.
    _, sparse, U, S, V = rpca_godec(X, RANK, lambda1=3 * NOISE, maxiter=20, random_state=0)
    return (U * S) @ V.T, sparse


def accelerated_projections(X: Matrix) -> Found:
    from rpca import RobustPCA as Peer

    peer = Peer(n_components=RANK, verbose=False)
    L, S, *_ = peer._fit(X)
    return L + peer.mean_, S


def skpcp(X: Matrix) -> Found:
    from skpcp import PCP

    peer = PCP()
    L = peer.fit_transform(X)
    return L, X - L


def tensorly(X: Matrix) -> Found:
    from tensorly.decomposition import robust_pca

    L, S = robust_pca(X, reg_E=1 / np.sqrt(max(X.shape)), verbose=0)
    return L, S


def row_of(name: str, parts: PlantedMatrix, run: Callable[[Matrix], Found]) -> dict[str, Any]:
    """Run a peer once; if it fails, the table shows the reason."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            seconds, found = timed(lambda: run(parts.matrix))
    except Exception as problem:
        return {"name": name, "failed": f"{type(problem).__name__}: {problem}"}
    return {"name": name, "seconds": seconds, **quality(parts, found)}


# --- sections ------------------------------------------------------------------------------------


def section_exrpca() -> dict[str, Any]:
    """ExRPCA against PCA on the same array, interleaved; then the fast peers."""
    parts = planted(ROWS)
    X = parts.matrix
    variants = {
        "ExRPCA (recompute)": ExRPCA(RANK),
        "ExRPCA (accumulate)": ExRPCA(RANK, update="accumulate"),
    }
    for model in variants.values():
        model.fit(X[:5000])  # compiles
    tasks: dict[str, Callable[[], Any]] = {"PCA (scikit-learn)": partial(plain_pca, X)}
    tasks |= {name: partial(model.fit, X) for name, model in variants.items()}
    seconds = medians(interleaved(tasks, REPEATS))
    pca_median = seconds["PCA (scikit-learn)"]
    rows: list[dict[str, Any]] = [{"name": "PCA (scikit-learn)", "seconds": pca_median}]
    pca = plain_pca(X)
    rows[0] |= quality(parts, (pca.inverse_transform(pca.transform(X)), None))
    for name, model in variants.items():
        row: dict[str, Any] = {"name": name, "seconds": seconds[name], "rounds": model.n_iter_}
        rows.append(row | quality(parts, (low_rank_of(model, X), model.sparse_.toarray())))
    clean = parts.low_rank + parts.noise
    oracle = plain_pca(clean)
    found = oracle.inverse_transform(oracle.transform(clean))
    rows.append({"name": "oracle: PCA of L + E", **quality(parts, (found, None))})
    rows.append(row_of("GoDec (hyperspy), 20 iterations", parts, godec))
    rows.append(row_of("accelerated projections (rpca)", parts, accelerated_projections))
    for row in rows:
        if "seconds" in row:
            row["times_pca"] = row["seconds"] / pca_median
    extra = _extra_memory(repr(ExRPCA(RANK)), ROWS)
    shape = [ROWS, FEATURES]
    return {"shape": shape, "repeats": REPEATS, "rows": rows, "extra_memory_of_x": extra}


def _in_own_process(function: str, *arguments: object) -> Any:
    """Return what a function of this module prints as JSON in a process of its own."""
    call = f"from benchmarks import decomposition as d; d.{function}{arguments!r}"
    answer = subprocess.run(
        [sys.executable, "-c", call], capture_output=True, text=True, check=True
    )
    return json.loads(answer.stdout)


def _extra_memory(model: str, n: int) -> float:
    """Return the peak of memory that a fit adds, over the size of X."""
    return float(_in_own_process("measure_memory", model, n))


def measure_memory(model: str, n: int) -> None:
    estimators = {"ExRPCA": ExRPCA, "ConvexExRPCA": ConvexExRPCA, "RobustPCA": RobustPCA}
    fresh = eval(model, estimators)  # noqa: S307 - the repr of one of our own estimators
    X = planted(n).matrix
    fresh.fit(X[:5000])
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # forget the peak so far
    before = own_memory("VmRSS")
    fresh.fit(X)
    print((own_memory("VmHWM") - before) / X.nbytes)


def pursuit_objective(L: Matrix, X: Matrix) -> float:
    """Return ‖L‖_* + λ‖X − L‖₁, the objective at the feasible point that L belongs to."""
    residual = X.astype(np.float64) - L
    nuclear = float(np.linalg.norm(L.astype(np.float64), "nuc"))
    return nuclear + float(np.abs(residual).sum() / np.sqrt(max(X.shape)))


def section_convex() -> dict[str, Any]:
    """Run the convex models against peers that call a full SVD in each iteration."""
    parts = planted(ROWS_CONVEX)
    X = parts.matrix
    rows = []
    ours: dict[str, Any] = {
        "ConvexExRPCA": ConvexExRPCA(),
        "ConvexExRPCA (no refit)": ConvexExRPCA(refit=False),
        "ConvexExRPCA (ialm, no refit)": ConvexExRPCA(solver="ialm", refit=False),
        "RobustPCA": RobustPCA(center=False),
        "ExRPCA": ExRPCA(RANK),
    }
    for name, model in ours.items():
        model.fit(X[:1000])  # compiles
        seconds, _model = timed(partial(model.fit, X))
        decompose_seconds, (L, _E, S) = timed(partial(model.decompose, X))
        row = {"name": name, "seconds": seconds, "decompose_seconds": decompose_seconds}
        row |= {"iterations": model.n_iter_, **quality(parts, (L, S.toarray()))}
        row |= {"rank": getattr(model, "rank_", RANK), "dtype": str(L.dtype)}
        row["extra_memory_of_x"] = _extra_memory(repr(model), ROWS_CONVEX)
        if name == "RobustPCA":
            row["pursuit_objective"] = pursuit_objective(L, X)
        rows.append(row)
    for name, peer in (("pyrpca", pyrpca), ("skpcp", skpcp), ("tensorly", tensorly)):
        kept: list[Matrix] = []

        def keeping(X: Matrix, peer: Any = peer, kept: list[Matrix] = kept) -> Found:
            found: Found = peer(X)
            kept.append(found[0])
            return found

        row = row_of(name, parts, keeping)
        if kept:
            row["pursuit_objective"] = pursuit_objective(kept[0], X)
            row["dtype"] = str(kept[0].dtype)
        rows.append(row)
    return {"shape": [ROWS_CONVEX, FEATURES], "rows": rows}


def section_growth() -> dict[str, Any]:
    """Time against the number of rows, and the exponent of n."""
    sizes = [25_000, 50_000, 100_000, 200_000, 400_000]
    X = planted(sizes[-1]).matrix
    ExRPCA(RANK).fit(X[:5000])
    rows: list[dict[str, Any]] = []
    for n in sizes:
        runs = [timed(partial(ExRPCA(RANK).fit, X[:n])) for _ in range(REPEATS)]
        seconds = statistics.median(run[0] for run in runs)
        rows.append({"name": f"{n:,} rows", "seconds": seconds, "rounds": runs[0][1].n_iter_})
    times = [float(row["seconds"]) for row in rows]
    exponent = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
    return {"sizes": sizes, "exponent": exponent, "rows": rows}


def section_map() -> dict[str, Any]:
    """Fit a memory map; count the memory that belongs to the process and not to the map.

    The map repeats one block of rows: time and memory do not depend on it.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.npy"
        X = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(ROWS_MAP, FEATURES))
        block = 100_000
        part = planted(block).matrix
        for start in range(0, ROWS_MAP, block):
            X[start : start + block] = part[: ROWS_MAP - start]
        X.flush()
        del X
        measured = _in_own_process("measure_map", str(path))
    row = {"name": f"memory map of {ROWS_MAP:,} rows", **measured}
    return {"shape": [ROWS_MAP, FEATURES], "rows": [row]}


def measure_map(path: str) -> None:
    X = np.load(path, mmap_mode="r")
    ExRPCA(RANK).fit(np.array(X[:5000]))
    before = own_memory("RssAnon")
    seen = [before]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            seen.append(own_memory("RssAnon"))

    watcher = threading.Thread(target=watch)
    watcher.start()
    seconds, model = timed(partial(ExRPCA(RANK).fit, X))
    done.set()
    watcher.join()
    share = model.sparse_.nnz / X.size
    print(
        json.dumps(
            {
                "seconds": seconds,
                "rounds": model.n_iter_,
                "set_aside": share,
                "map_bytes": X.nbytes,
                "extra_bytes": max(seen) - before,
                "peak_resident_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            }
        )
    )


SECTIONS = {
    "exrpca": section_exrpca,
    "convex": section_convex,
    "growth": section_growth,
    "map": section_map,
}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables and numbers of the docs."""
    found = results("decomposition")
    return {
        "exrpca": table(_exrpca_row(row) for row in found["exrpca"]["rows"]),
        "convex": table(_convex_row(row) for row in found["convex"]["rows"]),
        "growth": table(
            {"": row["name"], "seconds": number(row["seconds"], 2), "rounds": row["rounds"]}
            for row in found["growth"]["rows"]
        ),
        **_exrpca_numbers(found["exrpca"]),
        **_convex_numbers({row["name"]: row for row in found["convex"]["rows"]}),
        "exponent": number(found["growth"]["exponent"], 2),
        **_map_numbers(found["map"]["rows"][0]),
    }


def _exrpca_row(row: dict[str, Any]) -> dict[str, str]:
    return {
        "": row["name"],
        "seconds": number(row.get("seconds"), 2),
        "× PCA": number(row.get("times_pca"), 1),
        "rounds": str(row.get("rounds", "")),
        "error of L": number(row.get("error_of_L"), 4),
        "precision of S": number(row.get("precision"), 3),
        "recall of S": number(row.get("recall"), 3),
    }


def _convex_row(row: dict[str, Any]) -> dict[str, str]:
    return {
        "": row["name"],
        "seconds": number(row.get("seconds"), 2),
        "iterations": str(row.get("iterations", "")),
        "rank": str(row.get("rank", "")),
        "error of L": number(row.get("error_of_L"), 4),
        "precision of S": number(row.get("precision"), 3),
        "recall of S": number(row.get("recall"), 3),
        "objective of pursuit": number(row.get("pursuit_objective"), 2),
        "extra memory, × X": number(row.get("extra_memory_of_x"), 1),
    }


def _exrpca_numbers(found: dict[str, Any]) -> dict[str, str]:
    rows = {row["name"]: row for row in found["rows"]}
    ours = rows["ExRPCA (recompute)"]
    peers = [row for name, row in rows.items() if name.startswith(("GoDec", "accelerated"))]
    fastest = min(row["seconds"] for row in peers)
    return {
        "exrpca.times_pca": number(ours["times_pca"], 1),
        "exrpca.faster_than_peers": number(fastest / ours["seconds"], 0),
        "exrpca.extra_memory": number(found["extra_memory_of_x"], 2),
    }


def _convex_numbers(rows: dict[str, Any]) -> dict[str, str]:
    ours, pyrpca = rows["RobustPCA"], rows["pyrpca"]["seconds"]
    both = ours["seconds"] + ours["decompose_seconds"]
    return {
        "pursuit.decompose_seconds": number(ours["decompose_seconds"], 1),
        "pursuit.faster_than_pyrpca": number(pyrpca / ours["seconds"], 1),
        "pursuit.faster_with_decompose": number(pyrpca / both, 1),
        "pursuit.extra_memory": number(ours["extra_memory_of_x"], 1),
        "convex.faster_than_skpcp": number(
            rows["skpcp"]["seconds"] / rows["ConvexExRPCA"]["seconds"], 0
        ),
    }


def _map_numbers(row: dict[str, Any]) -> dict[str, str]:
    return {
        "map.gigabytes": number(row["map_bytes"] / 1e9, 1),
        "map.seconds": number(row["seconds"], 0),
        "map.extra_gigabytes": number(row["extra_bytes"] / 1e9, 2),
    }

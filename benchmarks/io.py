"""How fast sense vectors are read, side by side with gensim, on the same vectors in one run.

Usage: python benchmarks/io.py [--words 10000] [--dim 300] [--repeats 5]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

THREADS = 1
# before numpy and numba are imported
for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = str(THREADS)

import numpy as np  # noqa: E402
import pyarrow as pa  # noqa: E402
from gensim.models import KeyedVectors  # noqa: E402

from exrpca.senses import SenseVectors, load, save  # noqa: E402

RESULT = Path(__file__).parent / "results" / "io.json"
BASELINE = "gensim word2vec text"

# name, file, reader
READERS: tuple[tuple[str, str, Callable[[str], Any]], ...] = (
    (BASELINE, "a.vec", KeyedVectors.load_word2vec_format),
    ("gensim word2vec binary", "a.bin", partial(KeyedVectors.load_word2vec_format, binary=True)),
    ("word2vec text", "a.vec", load),
    ("word2vec binary", "a.bin", load),
    ("MSSG text, with centres and globals", "a.mssg", load),
    ("MSSG text, gzip", "a.mssg.gz", load),
    ("Parquet", "vectors.parquet", load),
    ("Parquet, with counts, centres and globals", "a.parquet", load),
)  # fmt: skip


def make_vectors(n_words: int, dim: int) -> SenseVectors:
    rng = np.random.default_rng(0)
    n_senses = rng.integers(1, 4, n_words)
    total = int(n_senses.sum())

    def normal(n_rows: int) -> Any:
        return 0.1 * rng.standard_normal((n_rows, dim), dtype=np.float32)

    return SenseVectors(
        [f"word{i}" for i in range(n_words)],
        normal(total),
        n_senses,
        counts=rng.integers(1, 10_000, total),
        centers=normal(total),
        globals=normal(n_words),
    )


def write_files(senses: SenseVectors, folder: Path) -> None:
    for name in {file for _, file, _ in READERS} - {"vectors.parquet"}:
        save(senses, folder / name)
    alone = senses.replace(counts=None, centers=None, globals=None)
    save(alone, folder / "vectors.parquet")


def measure(senses: SenseVectors, folder: Path, repeats: int) -> list[dict[str, Any]]:
    seconds: dict[str, list[float]] = {name: [] for name, _, _ in READERS}
    for _ in range(repeats):
        for name, file, read in READERS:  # interleaved: a slow moment hits all alike
            start = time.perf_counter()
            vectors = read(str(folder / file))
            seconds[name].append(time.perf_counter() - start)
            np.testing.assert_array_equal(vectors.vectors, senses.vectors)
    baseline = statistics.median(seconds[BASELINE])
    rows = []
    for name, file, _ in READERS:
        median = statistics.median(seconds[name])
        rows.append(
            {
                "reader": name,
                "file_megabytes": round((folder / file).stat().st_size / 1e6, 1),
                "median_seconds": round(median, 4),
                "all_seconds": [round(value, 4) for value in seconds[name]],
                "sense_vectors_per_second": round(len(senses.vectors) / median),
                "ratio_to_gensim_text": round(baseline / median, 2),
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--words", type=int, default=10_000)
    parser.add_argument("--dim", type=int, default=300)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--output", type=Path, default=RESULT)
    options = parser.parse_args()
    pa.set_cpu_count(THREADS)

    with tempfile.TemporaryDirectory() as folder:
        write_files(make_vectors(20, options.dim), Path(folder))
        measure(make_vectors(20, options.dim), Path(folder), 1)  # compiles, fills caches
        senses = make_vectors(options.words, options.dim)
        write_files(senses, Path(folder))
        rows = measure(senses, Path(folder), options.repeats)
        load_average = round(os.getloadavg()[0], 1)  # over 1 when other work ran beside it

    print(f"{senses!r}, median of {options.repeats} runs, {THREADS} thread")
    print(f"{'reader':42} {'MB':>8} {'seconds':>8} {'sense vectors/s':>16} {'× gensim':>9}")
    for row in rows:
        print(
            f"{row['reader']:42} {row['file_megabytes']:8.1f} {row['median_seconds']:8.3f} "
            f"{row['sense_vectors_per_second']:16,} {row['ratio_to_gensim_text']:9.1f}"
        )
    result = {
        "words": len(senses),
        "sense_vectors": len(senses.vectors),
        "dim": senses.dim,
        "repeats": options.repeats,
        "threads": {"numba": THREADS, "blas": THREADS, "arrow": pa.cpu_count()},
        "versions": {
            name: version(name) for name in ("exrpca", "gensim", "numba", "numpy", "pyarrow")
        },
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} processors",
        "load_average": load_average,
        "readers": rows,
    }
    options.output.write_text(json.dumps(result, indent=2) + "\n")
    print(f"written to {options.output}", file=sys.stderr)


if __name__ == "__main__":
    main()

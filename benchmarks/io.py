"""How fast sense vectors are read, side by side with gensim, on the same vectors in one run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from gensim.models import KeyedVectors

from benchmarks.harness import interleaved, medians, results, table, threads
from exrpca.senses import SenseVectors, load, save

PACKAGES = ("gensim", "numba", "numpy", "pyarrow")
N_WORDS, DIM, REPEATS = 10_000, 300, 5
BASELINE = "gensim word2vec text"

# name, file, reader
READERS: tuple[tuple[str, str, Callable[[str], Any]], ...] = (
    (BASELINE, "a.vec", KeyedVectors.load_word2vec_format),
    ("gensim word2vec binary", "a.bin", partial(KeyedVectors.load_word2vec_format, binary=True)),
    ("word2vec text", "a.vec", load),
    ("word2vec binary", "a.bin", load),
    ("MSSG text, with centers and globals", "a.mssg", load),
    ("MSSG text, gzip", "a.mssg.gz", load),
    ("Parquet", "vectors.parquet", load),
    ("Parquet, with counts, centers and globals", "a.parquet", load),
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


def check(senses: SenseVectors, folder: Path) -> None:
    """Read every file once: compiles, fills caches, and shows that all return the same vectors."""
    for _, file, read in READERS:
        np.testing.assert_array_equal(read(str(folder / file)).vectors, senses.vectors)


def measure() -> dict[str, Any]:
    """Time all readers on the same vectors."""
    pa.set_cpu_count(threads())
    senses = make_vectors(N_WORDS, DIM)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(senses, folder)
        check(senses, folder)
        tasks = {name: partial(read, str(folder / file)) for name, file, read in READERS}
        seconds = interleaved(tasks, REPEATS)
        sizes = {name: (folder / file).stat().st_size for name, file, _ in READERS}
    median = medians(seconds)
    rows = [
        {
            "reader": name,
            "file_megabytes": round(sizes[name] / 1e6, 1),
            "median_seconds": round(median[name], 4),
            "all_seconds": [round(value, 4) for value in seconds[name]],
            "sense_vectors_per_second": round(len(senses.vectors) / median[name]),
            "ratio_to_gensim_text": round(median[BASELINE] / median[name], 2),
        }
        for name in tasks
    ]
    sizes_of_all = {"words": len(senses), "sense_vectors": len(senses.vectors), "dim": senses.dim}
    return {**sizes_of_all, "repeats": REPEATS, "rows": rows}


SECTIONS = {"readers": measure}


def fills() -> dict[str, str]:
    """Return the table of the docs."""
    found = results("io")["readers"]
    return {
        "readers": table(
            {
                "reader": row["reader"],
                "sense vectors per second": f"{row['sense_vectors_per_second']:,}",
                "× gensim, text": f"{row['ratio_to_gensim_text']:.1f}",
            }
            for row in found["rows"]
        ),
        "sense_vectors": f"{found['sense_vectors']:,}",
    }

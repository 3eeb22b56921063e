"""One small good file of each format, to be damaged."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import numpy as np

from exrpca import SenseVectors, make_senses, save
from exrpca.senses.example import Example


def small_senses(n_words: int = 12, dim: int = 4) -> SenseVectors:
    """Return vectors with everything that vectors may have."""
    senses = make_senses(n_words=n_words, dim=dim, n_components=1, seed=0).senses
    n_rows = len(senses.vectors)
    return senses.replace(
        counts=np.arange(n_rows) + 1,
        centers=senses.vectors[::-1],
        globals=senses.collapse().vectors,
        labels=[f"label{row}" for row in range(n_rows)],
        examples=[[Example("to the ", "left", " of it")]] * n_rows,
        metadata={"tokens": 1000},
    )


def write_samples(folder: Path) -> dict[str, Path]:
    """Write the files; return each by the name of its format."""
    senses = small_senses()
    plain = senses.replace(labels=None, examples=None)
    files = {
        "parquet": "a.parquet",
        "mssg": "a.mssg",
        "word2vec": "a.vec",
        "word2vec-binary": "a.bin",
        "three-files": "t_local.vec",
    }
    paths = {}
    for name, file in files.items():
        paths[name] = folder / file
        save(senses if name == "parquet" else plain, paths[name])
    packers: dict[str, Callable[[bytes], bytes]] = {
        "gz": gzip.compress,
        "bz2": bz2.compress,
        "xz": lzma.compress,
    }
    for name, pack in packers.items():
        paths[f"mssg.{name}"] = folder / f"a.mssg.{name}"
        paths[f"mssg.{name}"].write_bytes(pack(paths["mssg"].read_bytes()))
    paths["table"] = folder / "a.csv"
    paths["table"].write_text(_table(senses))
    paths["table of strings"] = folder / "b.csv"
    paths["table of strings"].write_text(_table_of_strings(senses))
    paths |= _numpy_files(senses, folder)
    paths["adagram"] = folder / "a.adagram"
    paths["adagram"].write_bytes(_adagram(senses))
    return paths


def _keys(senses: SenseVectors) -> list[tuple[str, int]]:
    return [(word, number) for word in senses for number in range(len(senses[word]))]


def _table(senses: SenseVectors) -> str:
    lines = ["word,sense,count," + ",".join(f"v{i}" for i in range(senses.dim))]
    for (word, number), vector in zip(_keys(senses), senses.vectors, strict=True):
        lines.append(f"{word},{number},7," + ",".join(map(str, vector.tolist())))
    return "\n".join(lines) + "\n"


def _table_of_strings(senses: SenseVectors) -> str:
    lines = ["word\tsense\tvector"]
    for (word, number), vector in zip(_keys(senses), senses.vectors, strict=True):
        lines.append(f"{word}\t{number}\t{' '.join(map(str, vector.tolist()))}")
    return "\n".join(lines) + "\n"


def _numpy_files(senses: SenseVectors, folder: Path) -> dict[str, Path]:
    keys = np.array([f"{word}#{number}" for word, number in _keys(senses)])
    np.savez(folder / "a.npz", keys=keys, vectors=senses.vectors)
    np.save(folder / "n.npy", senses.vectors)
    (folder / "n.keys.txt").write_text("\n".join(keys) + "\n")
    return {"npz": folder / "a.npz", "npy": folder / "n.npy"}


def _adagram(senses: SenseVectors) -> bytes:
    n_words, dim, most, codes = len(senses), senses.dim, int(senses.n_senses.max()), 3
    parts = [
        b"%d %d %d\n0.1 0.0\n%d\n" % (n_words, dim, most, codes),
        np.full(n_words, 9, dtype="<i8").tobytes(),
        np.zeros((n_words, codes), dtype="<i1").tobytes(),
        np.zeros((n_words, codes), dtype="<i4").tobytes(),
        np.ones((n_words, most), dtype="<f4").tobytes(),
        np.ones((n_words, dim), dtype="<f4").tobytes(),
    ]
    for word in senses:
        parts.append(b"%b\n%d\n" % (word.encode(), len(senses[word])))
        for number, vector in enumerate(senses[word], 1):
            parts.append(b"%d\n" % number + vector.tobytes() + b"\n")
    return b"".join(parts)

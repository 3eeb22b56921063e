"""One small good file of each kind that exrpca reads, to be damaged."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from exrpca import SenseVectors, load, make_senses, save
from exrpca.cleaning import read_verdicts
from exrpca.contextual import Occurrences
from exrpca.evaluation import read_word_pairs, read_wsi
from exrpca.senses.example import Example
from exrpca.text import read_mapping
from exrpca.text.lookup import words_of_forms


class Sample(NamedTuple):
    """A file to be damaged, and how it is read: perhaps by way of another file."""

    path: Path
    read: Callable[[], Any]


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


def write_samples(folder: Path) -> dict[str, Sample]:
    """Write the files; return each by the name of its kind."""
    senses = small_senses()
    files = {
        name: Sample(path, partial(load, path)) for name, path in _vectors(senses, folder).items()
    }
    return files | _beside_vectors(senses, folder) | _occurrences(senses, folder) | _lists(folder)


def _vectors(senses: SenseVectors, folder: Path) -> dict[str, Path]:
    """Write files that hold vectors by themselves."""
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
        "zst": lambda content: pa.Codec("zstd").compress(content, asbytes=True),
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
    paths["adagram"].write_bytes(adagram_file(senses))
    paths["word2vec without a header"] = folder / "glove.txt"
    paths["word2vec without a header"].write_bytes(
        paths["word2vec"].read_bytes().partition(b"\n")[2]
    )
    paths["parquet of another program"] = folder / "other.parquet"
    rows = {"word": [w for w, _ in _keys(senses)], "sense": [n for _, n in _keys(senses)]}
    pd.DataFrame({**rows, "vector": senses.vectors.tolist()}).to_parquet(
        paths["parquet of another program"]
    )
    return paths


def _beside_vectors(senses: SenseVectors, folder: Path) -> dict[str, Sample]:
    """Write the files that are read together with a file of vectors."""
    save(senses.replace(labels=None, examples=None), folder / "u_local.vec")
    read_three = partial(load, folder / "u_local.vec")
    save(senses, folder / "s.vec", key_pattern="word#0")
    keys = [f"{word}#{number}" for word, number in _keys(senses)]
    probabilities = folder / "s.vec.probs"
    probabilities.write_text("".join(f"{key}\t0.5\n" for key in keys))
    np.save(folder / "k.npy", senses.vectors)
    (folder / "k.keys.txt").write_text("\n".join(keys) + "\n")
    return {
        "three-files, contexts": Sample(folder / "u_context.vec", read_three),
        "three-files, globals": Sample(folder / "u_global.vec", read_three),
        "sensegram's probabilities": Sample(probabilities, partial(load, folder / "s.vec")),
        "npy, the keys": Sample(folder / "k.keys.txt", partial(load, folder / "k.npy")),
    }


def _occurrences(senses: SenseVectors, folder: Path) -> dict[str, Sample]:
    table = pd.DataFrame(
        {
            "word": [word for word, _ in _keys(senses)],
            "left": "to the",
            "target": [word for word, _ in _keys(senses)],
            "right": "of it",
            "label": [number for _, number in _keys(senses)],
            "vector": senses.vectors.tolist(),
        }
    )
    Occurrences.from_table(table).save(folder / "o.parquet")
    np.savez(
        folder / "o.npz",
        word=np.array(table["word"].tolist()),
        label=table["label"].to_numpy(),
        vector=senses.vectors,
    )
    table["vector"] = [" ".join(map(str, vector)) for vector in table["vector"]]
    table.to_csv(folder / "o.csv", index=False)
    files = {name: folder / f"o.{name}" for name in ("parquet", "npz", "csv")}
    return {
        f"occurrences, {name}": Sample(path, partial(Occurrences.load, path))
        for name, path in files.items()
    }


def _lists(folder: Path) -> dict[str, Sample]:
    """Write verdicts, maps, forms, rated pairs and labeled occurrences."""
    senses = SenseVectors(["bank", "cell"], np.eye(5), [3, 2])
    kinds: dict[str, tuple[str, Callable[[Path], Any]]] = {
        "verdicts": (
            "word,sense_a,sense_b,verdict\nbank,0,1,pseudo\nbank,1,2,real\ncell,0,1,undecided\n",
            lambda path: read_verdicts(path, senses),
        ),
        "map of a merge": (
            "word,old_sense,new_sense\nbank,0,0\nbank,1,0\nbank,2,1\n",
            read_mapping,
        ),
        "forms": ("form,word\nbanks,bank\nbanking,bank\n", words_of_forms),
        "rated pairs": ("bank,money,8\nbank,tree,1.5\ncell,phone,7\n", read_word_pairs),
        "labeled occurrences": (
            "word,left,target,right,gold\nbank.n,the river,banks,were steep,shore\n"
            "bank.n,my,bank,lends money,money\n",
            read_wsi,
        ),
    }
    samples = {}
    for name, (content, read) in kinds.items():
        path = folder / f"{name.replace(' ', '_')}.csv"
        path.write_text(content)
        samples[name] = Sample(path, partial(read, path))
    return samples


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


def adagram_file(senses: SenseVectors) -> bytes:
    """Return what AdaGram.jl would write."""
    n_words, dim, most, codes = len(senses), senses.dim, int(senses.n_senses.max()), 3
    parts = [
        b"%d %d %d\n0.1 0.0\n%d\n" % (n_words, dim, most, codes),
        np.full(n_words, 9, dtype="<i8").tobytes(),
        np.tile(np.array([1, 0, -1], dtype="<i1"), n_words).tobytes(),
        np.tile(np.array([1, n_words - 1, 0], dtype="<i4"), n_words).tobytes(),
        np.full((n_words, most), 4.5, dtype="<f4").tobytes(),
        np.resize(senses.vectors.astype("<f4"), (n_words, dim)).tobytes(),
    ]
    for word in senses:
        parts.append(b"%b\n%d\n" % (word.encode(), len(senses[word])))
        for number, vector in enumerate(senses[word], 1):
            parts.append(b"%d\n" % number + vector.tobytes() + b"\n")
    return b"".join(parts)

"""Make the vectors that come with the package.

Usage: python scripts/make_bundled_vectors.py CORPUS [--trained FILE]

CORPUS is the text named in docs/reference/bundled-vectors.md. Trains with the default recipe in few
dimensions, keeps the most frequent words, those of WordSim-353 and some with well known senses,
rounds the numbers and writes src/exrpca/data/bundled.parquet. With --trained, trained vectors are
read from the file, or written to it if it does not exist.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

import exrpca
from exrpca.evaluation import wordsim353
from exrpca.files import atomic_path

TARGET = Path(exrpca.__file__).parent / "data" / "bundled.parquet"
LIMIT_BYTES = 8_000_000

DIM = 100
TOP_WORDS = 8_000
# Most steps from 0 to the largest number of a row.
LEVELS = 127
POLYSEMOUS = """
    apple bank bass bat battery cat cell chip club crane engine fox jaguar java keyboard light
    match mercury mouse mole nail net organ palm pitch plant prime python ring rock saturn scale
    seal spring star string tank tie virus wave yard
"""


def kept_words(senses: exrpca.SenseVectors) -> list[str]:
    """Return the words to keep, the most frequent first; `senses.words` is in that order."""
    rated = {word.lower() for pair in wordsim353().words for word in pair}
    wanted = {*senses.words[:TOP_WORDS], *rated, *POLYSEMOUS.split()}
    return [word for word in senses.words if word in wanted]


def rounded(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Round each row to `LEVELS` steps of a power of two, which shrinks well and stays exact."""
    largest = np.abs(rows).max(axis=1, keepdims=True)
    step = 2.0 ** np.ceil(np.log2(np.maximum(largest, 1e-30) / LEVELS))
    values: NDArray[np.float32] = (np.round(rows / step) * step).astype(np.float32)
    return values


def cut(senses: exrpca.SenseVectors) -> exrpca.SenseVectors:
    """Return the words to keep with rounded numbers."""
    few = senses.select(kept_words(senses))
    metadata: dict[str, Any] = dict(senses.metadata)
    count = dict(zip(senses.words, metadata["word_counts"], strict=True))
    metadata["word_counts"] = [count[word] for word in few.words]
    arrays = {name: rounded(getattr(few, name)) for name in ("vectors", "centers", "globals")}
    return few.replace(**arrays, metadata=metadata)


def compress(path: Path) -> None:
    """Write the Parquet file again, packed as tightly as it goes."""
    table = pq.read_table(path)
    with atomic_path(path) as temporary:
        pq.write_table(
            table,
            temporary,
            compression="zstd",
            compression_level=19,
            use_dictionary=["word"],
            use_byte_stream_split=[
                f"{name}.list.element" for name in ("vector", "center", "global")
            ],
        )


def main() -> None:
    """Train, cut, round and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--trained", type=Path)
    arguments = parser.parse_args()
    if arguments.trained and arguments.trained.exists():
        trained = exrpca.load(arguments.trained)
    else:
        trained = exrpca.train(arguments.corpus, dim=DIM, output=arguments.trained, progress=True)
    TARGET.parent.mkdir(exist_ok=True)
    exrpca.save(cut(trained), TARGET)
    compress(TARGET)
    size = TARGET.stat().st_size
    print(f"{TARGET}: {exrpca.load(TARGET)!r}, {size:,} bytes")
    if size > LIMIT_BYTES:
        raise SystemExit(f"more than {LIMIT_BYTES:,} bytes: keep fewer words")


if __name__ == "__main__":
    main()

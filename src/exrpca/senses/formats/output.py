"""Text and binary files written whole or not at all, gzipped if named so, numbers in few digits."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from exrpca.files import atomic_path
from exrpca.progress import progress_bar
from exrpca.senses.sense_vectors import Floats


@contextlib.contextmanager
def open_output(path: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` once it is complete; gzipped for `.gz`."""
    with atomic_path(path) as temporary, temporary.open("wb") as raw:
        if path.suffix == ".gz":
            # no name and no time inside: the same vectors give the same file
            with gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
                yield cast(BinaryIO, packed)
        else:
            yield raw


def number_lines(vectors: Floats) -> list[bytes]:
    """Return each row as text, each number in the fewest digits that give it back exactly.

    Examples
    --------
    >>> number_lines(np.array([[0.1, -2]], dtype=np.float32))
    [b'0.1 -2']
    """
    n_rows, dim = vectors.shape
    numbers = pc.cast(pc.cast(pa.array(vectors.ravel()), pa.string()), pa.binary())
    ends = pa.array(np.arange(0, (n_rows + 1) * dim, dim, dtype=np.int32))
    lines: list[bytes] = pc.binary_join(pa.ListArray.from_arrays(ends, numbers), b" ").to_pylist()
    return lines


def row_blocks(n_rows: int, n_together: int, path: Path, *, progress: bool) -> Iterator[slice]:
    """Give slices of `n_together` that cover all rows, with a progress bar if asked for."""
    with progress_bar(f"Writing {path.name}", n_rows, show=progress) as report:
        for start in range(0, n_rows, n_together):
            block = slice(start, min(start + n_together, n_rows))
            yield block
            report(block.stop, "")

"""Encoding many sentences so that an interrupted run can go on where it stopped."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from platformdirs import user_cache_path

from exrpca.contextual import Encoder
from exrpca.files import atomic_path
from exrpca.progress import progress_bar
from exrpca.senses import Example

# Occurrences encoded between two reports of progress, and lost by an interruption.
_PART = 512


def encode_in_parts(
    encoder: Encoder, found: pa.Table, *, progress: bool = False
) -> NDArray[np.float16]:
    """Return the vectors of sentences; finished parts are kept in the user's cache until the end.

    Parameters
    ----------
    encoder : Encoder
    found : Table
        With the columns `left`, `target` and `right`.
    progress : bool, default False
        Show a progress bar on standard error.
    """
    sentences = found.select(list(Example._fields))
    folder = _folder(encoder, sentences)
    vectors = np.empty((len(found), encoder.dim), dtype=np.float16)
    with progress_bar("Encoding", len(found), show=progress) as report:
        for start in range(0, len(found), _PART):
            part = sentences.slice(start, _PART)
            path = folder / f"{start}.npy"
            if path.exists():
                own = np.load(path, allow_pickle=False)
            else:
                own = encoder.encode([Example(**row) for row in part.to_pylist()])
                _keep(path, own)
            vectors[start : start + len(part)] = own
            report(start + len(part), f"{start + len(part):,} occurrences")
    shutil.rmtree(folder, ignore_errors=True)
    return vectors


def _folder(encoder: Encoder, sentences: pa.Table) -> Path:
    """Return a folder whose name only the same sentences and the same encoder have."""
    made_by = f"{encoder.digest} {encoder.vector} {encoder.layer}"
    digest = hashlib.sha256(made_by.encode())
    for batch in sentences.to_batches():
        for column in batch.columns:
            digest.update("\0".join(column.to_pylist()).encode())
    return user_cache_path("exrpca", appauthor=False) / "judge" / digest.hexdigest()[:16]


def _keep(path: Path, vectors: NDArray[np.float16]) -> None:
    with contextlib.suppress(OSError):  # where nothing is writable, nothing can be continued
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(path) as temporary, temporary.open("wb") as file:
            np.save(file, vectors)

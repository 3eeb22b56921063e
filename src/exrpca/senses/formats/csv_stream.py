"""Reading a CSV file batch by batch, with nothing left behind when the reading stops early.

Arrow reads ahead in a thread of its own, which may be the last one to let go of the Python file. If
Python ends meanwhile, as a command does after an error in the first rows, that thread aborts the
process. So nobody but this module holds Arrow's reader, and it waits until the file is free.
"""

from __future__ import annotations

import io
import threading
import weakref
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import IO

import pyarrow as pa
import pyarrow.csv as pa_csv

# Arrow lets go within milliseconds, on a busy machine a little later.
_LONGEST_WAIT_SECONDS = 10.0


@contextmanager
def open_csv(
    stream: IO[bytes],
    read: pa_csv.ReadOptions,
    parse: pa_csv.ParseOptions,
    convert: pa_csv.ConvertOptions,
) -> Iterator[Iterator[pa.RecordBatch]]:
    """Give the batches of a CSV file; on leaving, wait until Arrow has let go of it."""
    free = threading.Event()
    batches = None
    try:
        # Opening reads the first block, so it fails where that block is bad.
        batches = _batches(pa_csv.open_csv(_watched(stream, free), read, parse, convert))
        yield batches
    finally:
        if batches is not None:
            batches.close()
        free.wait(_LONGEST_WAIT_SECONDS)


def _watched(stream: IO[bytes], free: threading.Event) -> _Source:
    # Made here so that no variable of a frame holds it: the traceback of an error keeps frames.
    source = _Source(stream)
    weakref.finalize(source, free.set)
    return source


def _batches(reader: pa.RecordBatchReader) -> Generator[pa.RecordBatch, None, None]:
    try:
        while True:
            try:
                batch = reader.read_next_batch()
            except StopIteration:
                return
            yield batch
    finally:
        del reader  # the traceback of an error would hold it


class _Source(io.RawIOBase):
    """A file of our own: what Arrow lets go of is seen by its end."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._stream.read(size)

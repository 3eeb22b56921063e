"""Reading a CSV file batch by batch, with nothing left behind when the reading stops early.

Arrow reads ahead in threads of its own, which may be the last ones to let go of the Python file or
of a block that was read. If Python ends meanwhile, as a command does after an error in the first
rows, such a thread aborts the process. So this module makes all that Arrow gets, and waits until
Arrow has let go of it.
"""

from __future__ import annotations

import codecs
import time
import weakref
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import IO, Any

import pyarrow as pa
import pyarrow.csv as pa_csv

# Arrow lets go within milliseconds, on a busy machine a little later.
_LONGEST_WAIT_SECONDS = 10.0
_LOOK_AGAIN_SECONDS = 0.0005


@contextmanager
def open_csv(
    stream: IO[bytes],
    read: pa_csv.ReadOptions,
    parse: pa_csv.ParseOptions,
    convert: pa_csv.ConvertOptions,
) -> Iterator[Iterator[pa.RecordBatch]]:
    """Give the batches of a CSV file; on leaving, wait until Arrow has let go of it."""
    lent: list[weakref.ref[Any]] = []
    batches = None
    if read.encoding != "utf8":  # Arrow would call Python for it, in threads of its own
        stream, read.encoding = codecs.EncodedFile(stream, "utf8", read.encoding), "utf8"
    try:
        # Opening reads the first block, so it fails where that block is bad.
        batches = _batches(pa_csv.open_csv(_source(stream, lent), read, parse, convert))
        yield batches
    finally:
        if batches is not None:
            batches.close()
        _wait_until_free(lent)


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


# Python code must not run when Arrow lets go of what it was lent: it could be interrupted for the
# main thread to end the process. So there are plain weak references instead of callbacks, and a
# class without the finalizer of io.RawIOBase.
class _Source:
    """A file to read from; all that it gives is noted in `lent`."""

    closed = False

    def __init__(self, stream: IO[bytes], lent: list[weakref.ref[Any]]) -> None:
        self._stream, self._lent = stream, lent

    def read(self, size: int = -1) -> _Block:
        block = _Block(self._stream.read(size))
        self._lent.append(weakref.ref(block))
        return block


class _Block(bytearray):
    """Some bytes of the file: unlike `bytes`, they can have weak references."""


def _source(stream: IO[bytes], lent: list[weakref.ref[Any]]) -> _Source:
    # Made here so that no variable of a frame holds it: the traceback of an error keeps frames.
    source = _Source(stream, lent)
    lent.append(weakref.ref(source))
    return source


def _wait_until_free(lent: list[weakref.ref[Any]]) -> None:
    deadline = time.monotonic() + _LONGEST_WAIT_SECONDS
    while any(thing() is not None for thing in lent) and time.monotonic() < deadline:
        time.sleep(_LOOK_AGAIN_SECONDS)

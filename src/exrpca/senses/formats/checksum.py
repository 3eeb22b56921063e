"""The checksum of what a native file says besides its long vectors."""

from __future__ import annotations

import json
import zlib

from exrpca.senses.sense_vectors import OPTIONAL_PARTS, SenseVectors


def checksum(senses: SenseVectors, settings: bytes) -> str:
    """Return a CRC-32 of all but the numbers of the vectors, in hexadecimal digits.

    Parquet's own checksums guard the pages, so the vectors; nothing guards the names of columns,
    the numbers of rows or the settings, which are in the footer. This does, at next to no
    cost. It depends on what is read, not on how the file is laid out.

    Parameters
    ----------
    senses : SenseVectors
    settings : bytes
        The metadata as the file has it.

    Examples
    --------
    >>> senses = SenseVectors(["bank"], [[1, 0], [0, 1]], [2])
    >>> checksum(senses, b"{}") == checksum(senses.replace(counts=[1, 2]), b"{}")
    False
    """
    parts = [name for name in OPTIONAL_PARTS if getattr(senses, name) is not None]
    crc = zlib.crc32(settings)
    for described in ([parts, senses.vectors.shape], senses.words, senses.labels, senses.examples):
        crc = zlib.crc32(json.dumps(described).encode(), crc)
    for array in (senses.offsets, senses.counts, senses.center_offsets):
        if array is not None:
            crc = zlib.crc32(array.astype("<i8", copy=False).data, crc)
    return f"{crc:08x}"

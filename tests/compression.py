"""How to compress bytes in each way that exrpca reads."""

import bz2
import gzip
import lzma

import pyarrow as pa

COMPRESSORS = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": pa.Codec("zstd").compress,
}

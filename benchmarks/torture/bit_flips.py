"""Single flipped bits in native files, and how many of them are read as changed data."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.torture.samples import small_senses
from exrpca import InputError, load, save

# Words of the files, which have from 5 to 400 KB.
_SIZES = (12, 300, 3000)


def attack(n_tries: int, seed: int = 0) -> dict[str, Any]:
    """Flip `n_tries` bits, one at a time, over files of several sizes."""
    random = np.random.default_rng(seed)
    refused = harmless = changed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.parquet"
        for n_words in _SIZES:
            save(small_senses(n_words, dim=20), path)
            content = bytearray(path.read_bytes())
            whole = load(path)
            for _ in range(n_tries // len(_SIZES)):
                at, bit = int(random.integers(len(content))), 1 << int(random.integers(8))
                content[at] ^= bit
                path.write_bytes(content)
                content[at] ^= bit
                try:
                    found = load(path)
                except InputError:
                    refused += 1
                    continue
                same = found == whole and found.metadata == whole.metadata
                harmless += same
                changed += not same
    tries = refused + harmless + changed
    return {
        "tries": tries,
        "survived": refused + harmless,
        "failures": {"read as changed data": changed} if changed else {},
        "refused": refused,
        "without effect": harmless,
    }

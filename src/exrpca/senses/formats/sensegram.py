"""The probabilities of senses that sensegram writes next to its vectors.

Beside `wiki.senses.w2v` there is a file `wiki.senses.w2v.probs` or
`wiki.senses.w2v.inventory.csv`. Each of its lines is a key, a tab and a probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from exrpca.errors import InputError
from exrpca.files import read_text
from exrpca.senses.ragged import Integers

_ENDINGS = (".probs", ".inventory.csv")

# Probabilities are kept as counts; they have six digits in these files.
_PER_ONE = 1_000_000


def probabilities_beside(path: Path, keys: Sequence[str]) -> Integers | None:
    """Return the probability of each key in millionths; None if there is no such file."""
    files = [path.with_name(path.name + ending) for ending in _ENDINGS]
    file = next((file for file in files if file.is_file()), None)
    if file is None:
        return None
    probabilities: dict[str, float] = {}
    for number, line in enumerate(read_text(file).splitlines(), 1):
        key, tab, value = line.rpartition("\t")
        if not line:
            continue
        key = key.replace(" ", "_")  # as in the keys of the vectors
        try:
            probabilities[key] = float(value)
        except ValueError:
            probabilities[key] = -1
        if not tab or not 0 <= probabilities[key] <= 1:
            raise InputError(
                f"found {line[:40]!r}, expected a key, a tab and a probability",
                path=file,
                line=number,
            )
    missing = next((key for key in keys if key not in probabilities), None)
    if missing is not None:
        raise InputError(f"no probability for the key {missing!r} of {path.name}", path=file)
    values = np.array([probabilities[key] for key in keys])
    counts: Integers = np.rint(values * _PER_ONE).astype(np.int64)
    return counts

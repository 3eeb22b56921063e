"""What the form of a word does to its vector: bank or banks, which is not a matter of senses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from exrpca.contextual.centering import Floats, Integers, at_length_1
from exrpca.contextual.occurrences import Occurrences

# The weight of the mean of all forms, in occurrences: of a form that is rarer, little is known.
_PSEUDO_OCCURRENCES = 20

# Columns that say in which form a word occurs; the first one that there is counts.
_COLUMNS = ("form", "target")


def forms_of(occurrences: Occurrences) -> Integers:
    """Return a number per occurrence for the form that it has, whatever its capital letters.

    Without texts there is one form.

    Examples
    --------
    >>> import pyarrow as pa
    >>> texts = pa.table({"target": ["Bank", "banks", "bank"]})
    >>> forms_of(Occurrences.from_arrays(["bank"] * 3, np.eye(3), texts=texts))
    array([0, 1, 0])
    """
    columns = () if occurrences.texts is None else occurrences.texts.column_names
    name = next((name for name in _COLUMNS if name in columns), None)
    if occurrences.texts is None or name is None:
        return np.zeros(len(occurrences), dtype=np.int64)
    lower = pc.utf8_lower(occurrences.texts.column(name)).combine_chunks()
    return np.asarray(lower.dictionary_encode().indices.to_numpy(), dtype=np.int64)


def without_forms(x: Floats, forms: NDArray[Any]) -> Floats:
    """Return the vectors of a word without what is common to the occurrences of one form.

    From the vectors of a form with n occurrences, n / (n + 20) of the difference is subtracted
    between their mean and that of all occurrences.

    Parameters
    ----------
    x : ndarray of shape (m, dim)
        At length 1, as is the result.
    forms : ndarray of int, shape (m,)

    Examples
    --------
    >>> x = np.repeat(np.eye(2, dtype=np.float32), 30, axis=0)
    >>> apart = without_forms(x, np.repeat([0, 1], 30))[[0, -1]]
    >>> round(float(apart[0] @ apart[1]), 2)
    0.72
    >>> bool((without_forms(x, np.zeros(60)) == x).all())
    True
    """
    names, form, counts = np.unique(forms, return_inverse=True, return_counts=True)
    if len(names) == 1:
        return x
    member = form == np.arange(len(names))[:, None]
    means = member.astype(x.dtype) @ x / counts[:, None]
    weights = counts / (counts + _PSEUDO_OCCURRENCES)
    effects = weights[:, None] * (means - x.mean(axis=0))
    return at_length_1(x - effects[form].astype(x.dtype))

"""How many threads BLAS uses."""

from __future__ import annotations

import functools
from typing import Any

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]


def blas_on_one_thread() -> Any:
    """Return a context in which BLAS uses one thread and leaves the other cores to the caller.

    Many small products are faster so, too: after each one the threads of BLAS spin for a while.

    Examples
    --------
    >>> import numpy as np
    >>> with blas_on_one_thread():
    ...     np.ones((2, 3)) @ np.ones(3)
    array([3., 3.])
    """
    return _blas().limit(limits=1, user_api="blas")


@functools.cache
def _blas() -> Any:
    """Return the controller of the BLAS threads. It is kept: making one takes milliseconds."""
    return ThreadpoolController()

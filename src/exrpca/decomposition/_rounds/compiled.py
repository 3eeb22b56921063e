"""How the loops over rows are compiled.

They release the GIL and work on one block of rows, so that blocks can run on threads or on a
cluster. Numba's cache notices a change of the file that a compiled function is in, but not of the
files it calls into: delete `__pycache__` after changing a function that another file calls.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from exrpca.compiling import cached_njit

# Sums may be reordered, which lets the compiler vectorize them; NaN must keep its meaning.
_FASTMATH = {"reassoc", "contract", "nsz", "arcp"}
compiled = cached_njit(nogil=True, fastmath=_FASTMATH)
# What compiled functions call: without a way in from Python, it compiles faster.
_ONLY_FROM_COMPILED: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
called = njit(nogil=True, fastmath=_FASTMATH, **_ONLY_FROM_COMPILED)
# A part of a compiled function in the same file: it is not compiled on its own.
inlined = njit(fastmath=_FASTMATH, inline="always")

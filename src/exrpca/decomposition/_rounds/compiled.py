"""How the loops over rows are compiled.

They release the GIL and work on one block of rows, so that blocks can run on threads or on a
cluster. Numba's cache notices a change of the file that a compiled function is in, but not of the
files it calls into: delete `__pycache__` after changing an inlined function.
"""

from __future__ import annotations

from numba import njit

# Sums may be reordered, which lets the compiler vectorize them; NaN must keep its meaning.
_FASTMATH = {"reassoc", "contract", "nsz", "arcp"}

compiled = njit(nogil=True, cache=True, fastmath=_FASTMATH)

# What compiled functions call. Unless it is inlined, a process that compiles and one that loads
# compiled code run differently optimized copies, whose sums differ in the last bit.
inlined = njit(fastmath=_FASTMATH, forceinline=True)

"""Prefetching a row of a matrix that is about to be changed into the cache."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import njit, types, uintp
from numba.extending import intrinsic

_CACHE_LINE = 64  # bytes; if lines are longer, some are requested twice

# The arguments of LLVM's prefetch: to write, into the nearest cache, data. A row requested to be
# read stays shared with the core that wrote it last, and is requested again when it is written.
# For that, two threads were slower than one.
_WRITE, _NEAREST, _DATA = 1, 3, 1


def _define_prefetch(typing_context: Any, address: Any) -> Any:
    def prefetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [pointer],
            ir.FunctionType(ir.VoidType(), [pointer, number, number, number]),
        )
        how = [number(_WRITE), number(_NEAREST), number(_DATA)]
        builder.call(function, [builder.inttoptr(arguments[0], pointer), *how])
        return context.get_dummy_value()

    return types.void(types.uintp), prefetch


_prefetch: Any = intrinsic(_define_prefetch)


@njit(forceinline=True)
def prefetch_row(matrix, row):  # type: ignore[no-untyped-def]
    """Request a row of a C-ordered matrix, to change it, without waiting for it."""
    start = matrix.ctypes.data + row * matrix.strides[0]
    for offset in range(0, matrix.strides[0], _CACHE_LINE):
        _prefetch(uintp(start + offset))

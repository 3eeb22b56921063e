"""Lines of decimal numbers, parsed from bytes to correctly rounded float32 by machine code."""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from exrpca.compiling import cached_njit
from exrpca.senses.sense_vectors import Floats

Bytes = NDArray[np.uint8]

SPACE, TAB, NEWLINE, RETURN = (np.uint8(code) for code in b" \t\n\r")
_ZERO, _NINE, _DOT, _PLUS, _MINUS = (np.uint8(code) for code in b"09.+-")
_SMALL_E, _LARGE_E = (np.uint8(code) for code in b"eE")

# Below 10^-70 a mantissa of 19 digits is 0 in float32, above 10^40 it is infinite.
_LEAST_POWER, _GREATEST_POWER = -70, 40
_POWERS = np.array([float(f"1e{power}") for power in range(_LEAST_POWER, _GREATEST_POWER + 1)])
_MANTISSA_DIGITS = 19

# In the place of a position: no number, or a line whose end is not in memory yet.
_BAD, _CUT_SHORT = -1, -2

# Scaling a mantissa by a power of ten in float64 is wrong by less than 2^-51. When both ends
# of a wider interval round to the same float32, so does the true value.
_BELOW, _ABOVE = 1 - 2.0**-50, 1 + 2.0**-50


# What `parse_lines` calls. Inlined it runs twice as fast, and without wrappers for Python it
# compiles in two thirds of the time.
_options: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # njit's types lack them
_inlined = njit(forceinline=True, **_options)


@cached_njit(nogil=True)
def parse_lines(
    data: Bytes, at: int, keyed: bool, out: Floats, keys: Any, unsure: Any
) -> tuple[int, int, int, bool]:
    """Parse as many whole lines as `data` holds and `out` takes.

    Parameters
    ----------
    data : array of uint8
    at : int
        Where the first line begins.
    keyed : bool
        Whether each line begins with a key.
    out : array of shape (n, dim)
        Takes the numbers, `dim` a line.
    keys : int array of shape (n, 2)
        Takes the beginning and end of each key.
    unsure : int array of shape (m, 4), m >= dim
        Takes row, column, beginning and end of the numbers that stand so near the middle
        of two float32 that `round_exactly` has to decide.

    Returns
    -------
    n_lines, at, n_unsure, good : int, int, int, bool
        Lines parsed, where the next line begins, numbers in `unsure`, and whether the next
        line, if whole, may be good.
    """
    n_lines, dim = out.shape
    n_unsure = 0
    for row in range(n_lines):
        if n_unsure + dim > len(unsure):
            return row, at, n_unsure, True
        start = at
        if keyed:
            start = _end_of_key(data, at)
            if start == at:
                return row, at, n_unsure, at == len(data)
            keys[row, 0] = at
            keys[row, 1] = start
        next_line, found = _parse_line(data, start, row, out, unsure, n_unsure)
        if next_line < 0:
            return row, at, n_unsure, next_line == _CUT_SHORT
        at = next_line
        n_unsure = found
    return n_lines, at, n_unsure, True


@_inlined
def _parse_line(
    data: Bytes, p: int, row: int, out: Floats, unsure: Any, n_unsure: int
) -> tuple[int, int]:
    """Fill one row of `out`; return where the next line begins, and `n_unsure`."""
    for column in range(out.shape[1]):
        p = _skip_blanks(data, p)
        start = p
        p, low, high = _parse_number(data, p)
        if p == len(data):
            return _CUT_SHORT, n_unsure
        if p < 0 or not _separates(data[p]):
            return _BAD, n_unsure
        value = np.float32(low)
        if value != np.float32(high):
            unsure[n_unsure, 0] = row
            unsure[n_unsure, 1] = column
            unsure[n_unsure, 2] = start
            unsure[n_unsure, 3] = p
            n_unsure += 1
        elif np.isinf(value):
            return _BAD, n_unsure
        out[row, column] = value
    p = _skip_blanks(data, p)
    if p == len(data):
        return _CUT_SHORT, n_unsure
    return p + 1 if data[p] == NEWLINE else _BAD, n_unsure


@_inlined
def _separates(code: int) -> bool:
    return code in (SPACE, NEWLINE, TAB, RETURN)


@_inlined
def _end_of_key(data: Bytes, p: int) -> int:
    while p < len(data) and not _separates(data[p]):
        p += 1
    return p


@_inlined
def _skip_blanks(data: Bytes, p: int) -> int:
    while p < len(data) and data[p] in (SPACE, TAB, RETURN):
        p += 1
    return p


@_inlined
def _parse_number(data: Bytes, p: int) -> tuple[int, float, float]:
    """Return the end of the number at `p` and bounds of its value; `_BAD` if there is none."""
    p, sign = _parse_sign(data, p)
    p, mantissa, power = _parse_mantissa(data, p)
    if p >= 0 and p < len(data) and data[p] in (_SMALL_E, _LARGE_E):
        p, exponent = _parse_exponent(data, p + 1)
        power += exponent
    if mantissa == 0:
        return p, sign * 0.0, sign * 0.0
    power = min(max(power, _LEAST_POWER), _GREATEST_POWER)
    value = sign * np.float64(mantissa) * _POWERS[power - _LEAST_POWER]
    return p, value * _BELOW, value * _ABOVE


@_inlined
def _parse_sign(data: Bytes, p: int) -> tuple[int, int]:
    if p < len(data) and data[p] == _MINUS:
        return p + 1, -1
    if p < len(data) and data[p] == _PLUS:
        return p + 1, 1
    return p, 1


@_inlined
def _parse_mantissa(data: Bytes, p: int) -> tuple[int, np.uint64, int]:
    """Return the end of the digits, the first 19 as a number, and the power of ten it lacks."""
    end = len(data)
    mantissa = np.uint64(0)
    power = 0
    n_digits = 0
    n_kept = 0
    after_dot = 0
    while p < end:
        code = data[p]
        if _ZERO <= code <= _NINE:
            n_digits += 1
            if n_kept < _MANTISSA_DIGITS:
                mantissa = mantissa * np.uint64(10) + np.uint64(code - _ZERO)
                n_kept += int(mantissa > 0)
                power -= after_dot
            else:
                power += 1 - after_dot
        elif code == _DOT and after_dot == 0:
            after_dot = 1
        else:
            break
        p += 1
    if n_digits == 0 and p < end:
        p = _BAD
    return p, mantissa, power


@_inlined
def _parse_exponent(data: Bytes, p: int) -> tuple[int, int]:
    p, sign = _parse_sign(data, p)
    first = p
    exponent = 0
    while p < len(data) and _ZERO <= data[p] <= _NINE:
        if exponent < 1_000_000:
            exponent = exponent * 10 + (data[p] - _ZERO)
        p += 1
    if p == first and p < len(data):
        p = _BAD
    return p, sign * exponent


def round_exactly(token: bytes) -> np.float32:
    """Return the float32 nearest to a decimal number, ties to even.

    Python's `float` rounds to 53 bits first, and rounding twice can go wrong at the middle of
    two float32. Here the first rounding is to odd, which leaves the second one right.

    Examples
    --------
    >>> token = b"1.00000005960464477540"   # a little above the middle of 1 and its neighbor
    >>> float(np.float32(float(token))), float(round_exactly(token))
    (1.0, 1.0000001192092896)
    """
    text = token.decode("ascii")
    nearest = float(text)
    try:
        exact = Decimal(text)
    except InvalidOperation:  # an exponent of 20 digits: 0 or infinite in any precision
        return np.float32(nearest)
    is_odd = bool(np.float64(nearest).view(np.int64) & 1)
    if exact != Decimal(nearest) and not is_odd:
        nearest = math.nextafter(nearest, math.inf if exact > Decimal(nearest) else -math.inf)
    with np.errstate(over="ignore"):
        return np.float32(nearest)

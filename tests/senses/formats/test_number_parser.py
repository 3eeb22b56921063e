from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exrpca.senses.formats.number_parser import parse_lines, round_exactly

decimals = st.from_regex(
    r"[+-]?([0-9]{1,25}(\.[0-9]{0,25})?|\.[0-9]{1,25})([eE][+-]?[0-9]{1,2})?", fullmatch=True
)


def parse_one(token):
    """Return the value of a token, or None where the parser calls the line bad."""
    data = np.frombuffer(token + b"\n", dtype=np.uint8)
    out = np.empty((1, 1), dtype=np.float32)
    unsure = np.empty((1, 4), dtype=np.int64)
    n_lines, _, n_unsure, good = parse_lines(
        data, 0, False, out, np.empty((0, 2), dtype=np.int64), unsure
    )
    assert good == (n_lines == 1)
    if n_unsure:
        assert token[unsure[0, 2] : unsure[0, 3]] == token
        return round_exactly(token)
    return out[0, 0] if good else None


def nearest_float32(token):
    """Return the float32 nearest to a decimal by exact fractions; ties to even; inf beyond."""
    exact = Fraction(token.decode())
    guess = np.float32(float(exact)) if abs(exact) < 2**128 else np.float32(np.sign(exact) * np.inf)
    if not np.isfinite(guess):
        # the greatest float32 reaches up to half a step beyond itself
        greatest = np.finfo(np.float32).max
        limit = Fraction(float(greatest)) + Fraction(2) ** 103
        return np.float32(np.sign(float(exact)) * (greatest if abs(exact) < limit else np.inf))
    around = [
        np.nextafter(guess, np.float32(-np.inf)),
        guess,
        np.nextafter(guess, np.float32(np.inf)),
    ]
    around = [value for value in around if np.isfinite(value)]
    return min(
        around,
        key=lambda value: (abs(Fraction(float(value)) - exact), int(value.view(np.int32)) & 1),
    )


@given(decimals)
@example("16777217")  # a tie: even is below
@example("16777219")  # a tie: even is above
@example("1.00000005960464477540")
@example("1.00000005960464477539")
@example("7.006492321624085e-46")  # half the least float32
@example("7.006492321624086e-46")
@example("1e-99")
@example("000000000000000000000000000001")
@example("0.0000000000000000000000000000000000000000000000001e49")
def test_every_decimal_becomes_the_nearest_float32(text):
    token = text.encode()
    expected = nearest_float32(token)
    assert parse_one(token) == (expected if np.isfinite(expected) else None)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_printed_float32_comes_back_bit_for_bit(value):
    for text in (f"{value:.9g}", f"{value:.17g}", repr(value), str(np.float32(value))):
        parsed = parse_one(text.encode())
        assert parsed.tobytes() == np.float32(value).tobytes()


@pytest.mark.parametrize(
    "token",
    [b"nan", b"inf", b"-inf", b"1e39", b"1e999999999999", b"abc", b"1.2.3", b"1e", b"1e+", b"-",
     b".", b"1_000", b"0x10", b"1,5", b"--1", b"1e5.0", b"\xc2\xa01", b"1d5"],
)  # fmt: skip
def test_what_is_no_finite_number_is_bad(token):
    assert parse_one(token) is None


def test_a_line_that_is_not_whole_is_left_for_later():
    whole = b"bank 1 -2.5e1\nriver +.5 4.\r\n"
    keys = np.empty((9, 2), dtype=np.int64)
    unsure = np.empty((9, 4), dtype=np.int64)
    for cut in range(len(whole) + 1):
        data = np.frombuffer(whole[:cut], dtype=np.uint8)
        out = np.zeros((9, 2), dtype=np.float32)
        n_lines, at, _, good = parse_lines(data, 0, True, out, keys, unsure)
        assert good
        assert n_lines == whole[:cut].count(b"\n")
        assert at == (whole[:cut].rfind(b"\n") + 1)
        assert out[:n_lines].tolist() == [[1, -25], [0.5, 4]][:n_lines]
        assert [whole[a:b] for a, b in keys[:n_lines]] == [b"bank", b"river"][:n_lines]

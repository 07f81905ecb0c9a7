"""What is lowered does what Python does with the same text."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from simulate.compiling.lowering import _LIBRARY
from simulate.compiling.machine_code import loaded, machine_code
from tdrc_theory.errors import BadAlgorithm


def compiled(text, name, *types):
    return loaded(machine_code(text, name, types), types)


def in_python(text, name):
    names = {"math": math, "np": np}
    exec(text, names)
    return names[name]


LOOPS = """
LIMIT = 7


def pair(x, y):
    if x > y:
        return y, x
    return x, y


def position(values, wanted):
    for i in range(len(values)):
        if values[i] == wanted:
            return i
    return -1


def f(values, table, counts, out):
    low, high = pair(values[0], values[1])
    out[0], out[1] = low, high
    out[2] = position(values, 2.0) + 0.5 * position(values, 77.0)
    total = 0
    for i in range(2, 20, 3):
        if i % 2 == 0:
            continue
        if i > 15:
            break
        total += i
    out[3] = total + i
    n = 1
    while n < LIMIT:
        n = 2 * n + 1
    out[4] = n
    row, other = table[1], table[0]
    row, other = other, row
    out[5] = row[0] - 10 * other[1]
    part = table[1, 1:3]
    part[0] += part[1]
    out[6] = len(part) + table.shape[0] * 100 + table.shape[1] * 1000
    out[7] = len(counts) > 2 and counts[2] == 5
    out[8] = len(counts) > 1 and not (counts[0] < counts[1] <= 4)
    out[9] = counts[0] if values[0] < 0 else values[1]
    counts[0], counts[1] = counts[1], counts[0]
    mine = np.empty(3, np.int64)
    for j in range(3):
        mine[j] = j * j
    out[10] = mine[2] + (counts[0] & 6) + (counts[1] >> 1)
    a = b = 2.5
    b += a
    out[11] = a * b
    out[12] = int(values[0] > 0) + (1 if values[1] > 0 else 0) - int(values[0] == values[1])
    for k in range(0):
        out[13] = 99
"""


def test_loops_branches_arrays_and_calls_do_what_python_does():
    given_each = [np.array([-1.0, 2.0]), np.arange(6.0).reshape(2, 3), np.array([3, 4]), np.full(14, -5.0)]
    ours, theirs = ([each.copy() for each in given_each] for _ in range(2))
    compiled(LOOPS, "f", "float[:]", "float[:, :]", "int[:]", "float[:]")(*ours)
    in_python(LOOPS, "f")(*theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert one.tolist() == other.tolist()


WHOLE = "def f(x, y, out):\n    out[0], out[1] = x // y, x % y\n"
FLOATS = "def f(x, y):\n    return {}\n"
OF_FLOATS = ["x + y", "x - y", "x * y", "x % y", "x // y", "-x", "min(x, y)", "max(x, y)", "abs(x)", "int(x) / 4"]
OF_FLOATS += ["x if x < y else y", "x ** 2", "x ** 5", "x ** -2", "x ** 0", "(x < y) + 2 * (x <= y) + 4 * (x == y)"]
OF_FLOATS += ["(x > y) + 2 * (x >= y) + 4 * (x != y)", "1 if x < y else 0.5", "(x < y < 1) or not x", "x and 0 < y"]
OF_FLOATS += ["np.maximum(x, y)", "np.minimum(x, y)", "np.sign(x)", "math.isfinite(x)", "np.heaviside(x, y)"]
finite = st.floats(-1e6, 1e6, allow_subnormal=False)


@pytest.mark.parametrize("text", OF_FLOATS)
def test_arithmetic_is_pythons_to_the_last_bit(text):
    ours, theirs = compiled(FLOATS.format(text), "f", "float", "float"), in_python(FLOATS.format(text), "f")

    @given(finite, finite)
    @example(0.0, -0.0)
    @example(-7.5, 2.0)
    @example(7.5, -2.0)
    @example(1.0, 0.1)
    @example(-65536.0, 1e-11)
    @example(-0.0, 3.0)
    @example(6.0, -3.0)
    def agree(x, y):
        if "%" in text or "//" in text:
            y = y or 1.0
        if "-2" in text:
            x = math.copysign(max(abs(x), 1e-3), x)
        expected = theirs(x, y)
        if text in ("x and 0 < y", "(x < y < 1) or not x"):
            expected = bool(expected)
        if "** " in text:  # Python's powers of floats are the C library's
            assert ours(x, y) == pytest.approx(expected, rel=1e-14)
        elif text.startswith("np.m"):  # NumPy leaves open which of 0.0 and -0.0 is larger
            assert ours(x, y) == expected
        else:
            assert repr(ours(x, y)) == repr(float(expected))

    agree()


def test_whole_numbers_are_divided_as_python_does():
    ours, out = compiled(WHOLE, "f", "int", "int", "int[:]"), np.empty(2, np.int64)
    for x, y in itertools.product(range(-9, 10), (-4, -3, -1, 1, 2, 5)):
        ours(x, y, out)
        assert out.tolist() == [x // y, x % y]


DEFINED = ("maximum", "minimum", "sign", "heaviside", "square", "reciprocal", "negative", "positive", "isfinite")
DEFINED += ("isnan", "isinf", "radians", "deg2rad", "degrees", "rad2deg", "logaddexp")


@pytest.mark.parametrize("name", [*sorted(_LIBRARY), *(f"np.{name}" for name in DEFINED)])
def test_functions_are_those_of_python_and_numpy(name):
    module, of = name.split(".")
    function = getattr({"math": math, "np": np}[module], of)
    two = of in ("hypot", "copysign", "fmod", "nextafter", "atan2", "arctan2", "remainder", "pow", "fmax", "fmin")
    two = two or of in ("maximum", "minimum", "heaviside", "logaddexp", "float_power")
    ours = compiled(f"def f(x, y):\n    return {name}(x{', y' if two else ''})\n", "f", "float", "float")
    for x in (0.3, 0.9, 1.0, 1.7, 3.0):
        if of in ("acosh", "arccosh"):
            x += 1
        elif of in ("acos", "asin", "arccos", "arcsin", "atanh", "arctanh"):
            x /= 4
        expected = float(function(x, 0.7) if two else function(x))
        assert ours(x, 0.7) == pytest.approx(expected, rel=1e-14), x


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("return unknown", "name 'unknown' is not defined"),
        ("return np.frexp(x)", "np.frexp is not among the functions that are compiled"),
        ("return [x][0]", "'[x]' is not in the part of Python that is compiled"),
        ("return x @ x", "the operation MatMult of these numbers is not compiled"),
        ("return x + 'a'", "'a' is no number"),
        ("return ~1", "'~1' is not in the part of Python that is compiled"),
        ("with x:\n        pass", "is not in the part of Python that is compiled"),
        ("for i in x:\n        pass", "'x' is not in the part of Python that is compiled"),
        ("n = 1\n    n = n + x", "a float is put where a whole number or a truth is; write int(...) or a comparison"),
        ("return x.real", "'x.real' is not in the part of Python that is compiled"),
    ],
)
def test_what_is_not_compiled_is_named(line, reason):
    with pytest.raises(BadAlgorithm) as refused:
        machine_code(f"def f(x):\n    {line}\n", "f", ["float"])
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    "argument", [np.zeros(2, np.float32), np.zeros((2, 2)), np.zeros(4)[::2], np.zeros(2, np.int64)]
)
def test_an_array_of_another_kind_is_refused(argument):
    with pytest.raises(TypeError, match=r"float\[:\] is expected"):
        compiled("def f(x):\n    return x[0]\n", "f", "float[:]")(argument)

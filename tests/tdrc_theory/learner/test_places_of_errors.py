"""The line that a message about a function names is found through what is wrapped around the function."""

import functools

import pytest

from tdrc_theory.learner.recording import (
    assignments,
    place,
    place_of_assignment,
    place_of_error,
    place_of_return,
)


def plain(x):
    kept = 2 * x
    kept, other = kept / 2, x
    return (
        kept
        + other
    )  # fmt: skip


def on_two_lines(x):
    if x:
        return 1
    return 2


@functools.wraps(plain)
def around(*values):
    return plain(*values)


class Called:
    def __call__(self, x):
        return x


def line(function, after):
    return f"{__file__}:{function.__code__.co_firstlineno + after}: "


@pytest.mark.parametrize("function", [plain, around, functools.partial(plain, 1)])
def test_the_lines_are_those_of_the_function_itself(function):
    assert place(function) == line(plain, 0)
    assert place_of_return(function) == line(plain, 3)
    assert place_of_assignment(function, "kept") == place_of_assignment(function, "other") == line(plain, 2)
    assert place_of_assignment(function, "x") == line(plain, 3)
    with pytest.raises(TypeError) as caught:
        plain(None)
    assert place_of_error(function, caught.value) == line(plain, 1)
    assert place_of_error(function, ValueError()) == line(plain, 3)


def test_a_function_that_returns_on_several_lines_is_named_by_its_first():
    assert place_of_return(on_two_lines) == line(on_two_lines, 0)
    assert place_of_return(Called()) == line(Called.__call__, 1)


@pytest.mark.parametrize("function", [abs, eval("lambda x: x")])
def test_what_has_no_source_file_has_no_place(function):
    assert place(function) == place_of_return(function) == place_of_assignment(function, "x") == ""


def test_a_parameter_that_is_read_right_after_an_assignment_is_not_assigned_to():
    def function(x, scale=1):
        twice = 2 * x
        return scale * twice

    assert assignments(function) == {"twice": function.__code__.co_firstlineno + 1}

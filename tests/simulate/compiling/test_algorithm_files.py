"""A user's algorithm is compiled as it stands in its file, or refused on one line."""

from __future__ import annotations

import itertools
import math
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from simulate.compiling.cache import compiled
from simulate.compiling.statements import straight_line
from simulate.environment import environment
from simulate.kernels import kernel, lanes
from simulate.step_sizes import CONSTANT
from tdrc_theory import Algorithm, TheoryError
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.problems import find_problem

SIGNATURE = "x, x_next, h, delta, delta_hat, rho, gamma, beta"
NUMBERS = 0.5, -1.5, 2.0, 0.75, 0.625, 1.5, 0.9, 0.7  # one of each


def written(folder, text, name="mine"):
    """Write an algorithm file and load its function `update`."""
    file = folder / f"{name}.py"
    file.write_text(textwrap.dedent(text).replace("SIGNATURE", SIGNATURE), encoding="utf-8")
    return find_algorithm(f"{file}:update")


def weights(algorithm, steps=40, alpha=0.05, beta=0.7):
    env = environment(find_problem("random-walk-dependent"), steps=steps, seed=3)
    result = kernel(algorithm, CONSTANT)(env, env.trajectory(0), lanes(CONSTANT, alpha, eta=0.5, beta=beta))
    return result.weights[:, 0]


def in_python(direction, steps=40, alpha=0.05, beta=0.7):
    """Call a function on floats, component by component, over the same experience."""
    env = environment(find_problem("random-walk-dependent"), steps=steps, seed=3)
    w, h = list(env.initial_weights), [0.0] * 3
    for s, s_next, rho, reward in zip(*env.trajectory(0)[:4], strict=True):
        x, y = env.features[s], env.features[s_next]
        delta = reward + sum((env.gamma * y[i] - x[i]) * w[i] for i in range(3))
        delta_hat = sum(h[i] * x[i] for i in range(3))
        steps_of = [direction(x[i], y[i], h[i], delta, delta_hat, rho, env.gamma, beta) for i in range(3)]
        w = [w[i] + alpha * float(steps_of[i][0]) for i in range(3)]
        h = [h[i] + 0.5 * alpha * float(steps_of[i][1]) for i in range(3)]
    return w


def compiled_direction(algorithm):
    """Compile a function as a kernel does, without the loop around it."""
    text = straight_line(algorithm.direction, "direction", SIGNATURE.split(", "), algorithm.name)
    names = SIGNATURE.split(", ")
    run = compiled(
        f"{text}\n\ndef run(out, {SIGNATURE}):\n    out[0], out[1] = direction({SIGNATURE})\n",
        "run",
        ("float[:]", *["float"] * len(names)),
    )

    def direction(*arguments):
        out = np.empty(2)
        run(out, *arguments)
        return out

    return direction


@pytest.mark.parametrize(
    "text",
    [
        """
        def update(SIGNATURE):
            clipped = min(rho, 2)
            dw = clipped * (delta * x - 0.5 * gamma * delta_hat * x_next)
            dh = (clipped * delta - delta_hat) * x - beta * h
            return dw, dh
        """,
        """
        def update(SIGNATURE):
            return rho * delta * abs(delta) * x, 0
        """,
        """
        from fractions import Fraction

        HALF, TWICE = Fraction(1, 2), 2

        def clipped(ratio, most=Fraction(6, 5)):
            return most if ratio > most else ratio

        def correction(x_next, delta_hat, gamma):
            return HALF * gamma * delta_hat * x_next

        def update(SIGNATURE):
            '''Helpers, constants, a call of Fraction.'''
            dw = clipped(rho) * (delta * x - correction(x_next, delta_hat, gamma)) / TWICE
            return dw, (clipped(rho) * delta - delta_hat) * x - Fraction("1/3") * beta * h
        """,
        """
        from math import tanh
        import math
        import numpy as np

        def update(SIGNATURE):
            if delta > 0:
                return rho * x, 0
            if rho > 1:
                return 0, x
            error = np.sqrt(math.fabs(delta))
            return -tanh(error) * x, (delta - delta_hat) * x
        """,
        """
        def make(scale):
            def update(SIGNATURE, power=2, *, more=0.25):
                return scale * rho * delta * x * more ** power, 0
            return update

        update = make(3)
        """,
        """
        HUGE = 10**20

        def clip(value, to):
            return max(-to, min(value, to))

        def twice(value, to):
            return clip(value, to) + clip(value, 1)

        def update(SIGNATURE):
            step = twice(delta, 0.5)
            step += 1 if step > 0 else -1
            return rho * step * x * (10**40 / 2**100) / HUGE * 1e12, h - beta * h
        """,
        """
        import functools

        WAYS = [1, 2]

        def same(function):
            return functools.wraps(function)(lambda *given, **named: function(*given, **named))

        def plain(SIGNATURE):
            print(delta)
            if delta > 5:
                delta_hat = int(7 * delta) // 3 + delta % 0.75
            for clipped in (delta, delta_hat, rho, h, x, gamma, beta):
                delta = delta + max(-1, min(clipped, 1), clipped / 9)
            return float(WAYS[1] * sum([x for _ in range(2)])) * delta, min(h, 1) - abs(x) * round(delta)

        update = same(plain)
        """,
    ],
    ids=["clipped", "greedy", "helpers", "branches", "closure", "shared helpers", "whatever Python has"],
)
def test_a_compiled_function_does_what_it_does_in_python(tmp_path, text):
    algorithm = written(tmp_path, text)
    direction = compiled_direction(algorithm)
    for delta, rho, h in itertools.product((-1.25, 0.75, 3.0), (0.25, 1.5, 4.0), (-0.5, 2.0)):
        arguments = 0.5, -1.5, h, delta, 0.625, rho, 0.9, 0.7
        expected = [float(value) for value in algorithm.direction(*arguments)]
        assert all(math.isfinite(value) for value in expected)
        np.testing.assert_allclose(direction(*arguments), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def update(SIGNATURE):\n    return unknown * x, 0", "name 'unknown' is not defined"),
        ("def update(SIGNATURE):\n    return delta * x", "an algorithm returns the two directions"),
        ("def update(SIGNATURE):\n    return x.upper(), 0", "no attribute 'upper'"),
        ("def update(SIGNATURE):\n    return delta * x, 0, 0", "returns a tuple of 3"),
        ("def update(SIGNATURE, name='a'):\n    return delta * x, 0", "default of name is 'a'"),
        ("def update(SIGNATURE):\n    return delta * x, 'a'", "returns a value of type str as a direction"),
        ("def update(SIGNATURE):\n    return delta * x * 'a', 0", "calculates with 'a', which is no number"),
        ("def update(SIGNATURE):\n    return sum(part for part in x), 0", "takes x for a plain number, or for a list"),
        ("def update(SIGNATURE):\n    return [1, 2][rho] * x, 0", "takes rho for a plain number, or for a list"),
        (
            "def update(SIGNATURE):\n    import math\n    return math.tanh(delta) * x, 0",
            "takes R + gamma_next*dot(w, x_next) - dot(w, x) for a plain number, or for a list",
        ),
        (
            "def update(SIGNATURE):\n    while delta > 0:\n        delta = delta - 1\n    return delta * x, 0",
            "compares more than 64 times one after another",
        ),
        (
            "import random\ndef update(SIGNATURE):\n    return random.random() * x, 0",
            "called twice with the same, it returns different directions",
        ),
        pytest.param(
            "import numpy as np\ndef update(SIGNATURE):\n    return np.frexp(delta) * x, 0",
            "cannot be compiled",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_what_cannot_be_compiled_is_refused_on_one_line(tmp_path, text, message):
    with pytest.raises(TheoryError) as refused:
        weights(written(tmp_path, text))
    assert message in str(refused.value)
    assert re.match(rf"{re.escape(str(tmp_path))}/mine\.py:[1-5]: update", str(refused.value))
    assert len(str(refused.value).splitlines()) == 1


def test_a_changed_file_counts_at_once(tmp_path):
    text = """
        SCALE = {}

        def update(SIGNATURE):
            dw = SCALE * rho * (delta * x - gamma * delta_hat * x_next)
            return dw, (rho * delta - delta_hat) * x - beta * h
        """
    once = written(tmp_path, text.format(1))
    env = environment(find_problem("boyan"), steps=3)
    before = kernel(once, CONSTANT).text(env)
    twice = written(tmp_path, text.format(2))
    assert once.direction.__code__ == twice.direction.__code__  # they differ in a constant of their file only
    assert kernel(twice, CONSTANT).text(env) != before
    np.testing.assert_allclose(compiled_direction(twice)(*NUMBERS), twice.direction(*NUMBERS), rtol=1e-12)


@pytest.mark.slow
def test_a_changed_helper_counts_in_the_next_process(tmp_path):
    text = "def part():\n    return {}\ndef update(SIGNATURE):\n    return part() * rho * delta * x, 0"
    program = (
        "import sys; from simulate.run.learning_curve import learning_curve as run;"
        "print(run('boyan', sys.argv[1], runs=1, steps=3, alpha='1/100').errors[0, -1])"
    )
    texts = []
    for scale in (1, 0):
        written(tmp_path, text.format(scale))
        command = [sys.executable, "-c", program, f"{tmp_path / 'mine.py'}:update"]
        texts.append(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    assert texts[0] < texts[1]


def test_a_function_whose_file_has_changed_since_is_compiled_as_it_was_loaded(tmp_path):
    text = "def update(SIGNATURE):\n    return {} * rho * delta * x, 0"
    old = written(tmp_path, text.format(1))
    written(tmp_path, text.format(2))
    np.testing.assert_allclose(compiled_direction(old)(*NUMBERS), old.direction(*NUMBERS), rtol=1e-12)


def test_an_algorithm_of_a_session_works_too():
    def slow(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return rho * delta * x / 3, 0

    np.testing.assert_allclose(compiled_direction(Algorithm("slow", slow))(*NUMBERS), slow(*NUMBERS), rtol=1e-12)


def test_fixed_parameters_are_those_that_count():
    update = find_algorithm("tdrc").direction
    fixed = Algorithm("fixed", update, fixed={"beta": "7/10", "eta": "1/2"})
    assert weights(fixed, beta=123.0).tolist() == weights(Algorithm("free", update), beta=0.7).tolist()

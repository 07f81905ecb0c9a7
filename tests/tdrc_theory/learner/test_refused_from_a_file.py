"""What a user's file says wrong, and the one line that says what to write instead."""

import pytest

from tdrc_theory.learner import load_algorithm
from verify.conditions.__main__ import PROG, main

HEAD = "from tdrc_theory.learner import Step, dot, learner\n\n\n"
OLD = "def mine(x, x_next, h, delta, delta_hat, rho, gamma, beta"


def vectors(arguments, body, **names):
    declared = ", ".join(f"{name}={value!r}" for name, value in {"weights": "w", **names}.items())
    return f"@learner({declared})\ndef mine({arguments}):\n    {body}\n"


REFUSED = {
    "h.x' written as a product of components": (
        f"{OLD}):\n    return rho * (delta * x - gamma * (h * x_next) * x), delta * x - h\n",
        "multiplies h and x_next component by component in dw; for h.x' write a function of vectors, with dot(h,",
        5,
    ),
    "h.x' written as a product of vectors": (
        vectors("x, x_next, w, h, gamma", "return Step(w=gamma * h * x_next, h=x)", weights="w h"),
        "multiplies two vectors, gamma*h and x_next; write dot(a, b) for their inner product",
        6,
    ),
    "memory that reads weights": (
        vectors("x, w, e, reward", "return Step(w=reward * e, e=e + dot(w, x) * x)", memory="e"),
        "computes its memory e from weights (x*dot(w, x)); memory is driven by the chain alone: declare it among the",
        6,
    ),
    "an update that is not affine": (
        vectors("x, w, reward", "return Step(w=(reward - dot(w, x)) ** 2 * x)"),
        "mine is not affine in w: w has the term x*dot(w, x)^2",
        6,
    ),
    "a clipped TD error": (
        vectors("x, w, reward", "return Step(w=max(min(reward - dot(w, x), 1), -1) * x)"),
        "mine is not affine in w: it branches on the sign of",
        6,
    ),
    "a trace that is a default, of components": (
        f"{OLD}, z=0):\n    z = rho * (gamma * z + x)\n    return delta * z, 0\n",
        'assigns to its parameter z, which keeps its default at every step: declare it as memory (@learner(weights="w"',
        5,
    ),
    "a trace that is a default, of vectors": (
        vectors("x, w, rho, gamma, reward, z=0", "z = rho * (gamma * z + x)\n    return Step(w=reward * z)"),
        "assigns to its parameter z, which keeps its default at every step: declare it as memory",
        6,
    ),
    "an argument that no step offers": (
        vectors("x, w, ratio", "return Step(w=ratio * x)"),
        "ratio is not offered; a step offers x, x_next, reward, rho, rho_before, gamma",
        4,
    ),
    "memory that is not returned": (
        vectors("x, w, e, reward", "return Step(w=reward * (e + x))", memory="e"),
        "mine does not return e; its Step has w, e",
        6,
    ),
    "a weight that is not returned": (
        vectors("x, w, reward", "return Step(w=reward * x)", weights="w h"),
        "mine does not return h; its Step has w, h",
        6,
    ),
    "a number that is not declared one": (
        vectors("x, w, F, rho, reward", "F = rho * F + 1\n    return Step(w=F * reward * x, F=F)", memory="F"),
        "adds the vector rho*F and the number 1; a weight or memory that is a number is named in scalars (@learner(...",
        6,
    ),
    "a vector where a number is declared": (
        vectors("x, w, rbar, reward", "return Step(w=reward * x, rbar=reward * x)", weights="w rbar", scalars="rbar"),
        "returns rbar = R*x: rbar is a number, and this is a vector",
        6,
    ),
    "scalars that are no weights": (
        vectors("x, w, reward", "return Step(w=reward * x)", scalars="F"),
        "scalars are weights beside the first, or memory, not F",
        4,
    ),
    "a return that is no Step": (
        vectors("x, w, reward", "return reward * x"),
        "returns one vector or number; a learner returns Step(w=...)",
        6,
    ),
    "vectors without a declaration": (
        "def mine(x, x_next, w, rho, gamma, reward):\n    return rho * reward * x\n",
        "one of vectors is declared with @learner",
        4,
    ),
    "memory that reads weights, lines before it is returned": (
        vectors("x, w, e, rho", "e = rho * e + w\n    y = 2 * x\n    return Step(w=y, e=e)", memory="e"),
        "mine computes its memory e from weights (w)",
        6,
    ),
    "a product of vectors in the middle of an expression": (
        vectors("x, w, rho", "return Step(\n        w=rho\n        * x\n        * w\n    )"),
        "mine multiplies two vectors, rho*x and w",
        7,
    ),
    "a division by a vector in a function that it calls": (
        "def halved(a):\n    return 1 / a\n\n\n" + vectors("x, w", "y = halved(x)\n    return Step(w=y)"),
        "mine divides by the vector x",
        5,
    ),
    "a name that is not there": (
        vectors("x, w", "y = absent * x\n    return Step(w=y)"),
        "mine fails where its equation is read: NameError: name 'absent' is not defined",
        6,
    ),
    "an exception of its own that has no text": (
        "class Odd(BaseException):\n    def __str__(self):\n        raise ValueError\n\n\n"
        + vectors("x, w", "raise Odd\n    return Step(w=x)"),
        "mine fails where its equation is read: Odd: its message cannot be shown",
        11,
    ),
    "an update that is not affine on one of two returns": (
        vectors("x, w, rho", "if rho > 1:\n        return Step(w=x)\n    return Step(w=dot(w, w) * x)"),
        "mine is not affine in w: w has the term x*dot(w, w)",
        4,
    ),
    "too many ways": (
        vectors("x, w, rho", "n = sum(rho > i * rho * rho for i in range(2, 9))\n    return Step(w=n * x)"),
        "mine branches in more than 64 ways",
        7,
    ),
    "a default that is no number": (
        vectors("x, w, lam='a'", "return Step(w=x)"),
        "mine: the default of lam is 'a', not a finite number",
        4,
    ),
    "a division by 0": (
        vectors("x, w, k=0", "y = x / k\n    return Step(w=y)"),
        "mine divides by 0",
        7,
    ),
    "an error where the file is run": (
        "number = 5\nprint(1 / (number - 5))\n",
        "cannot be run: ZeroDivisionError: division by zero",
        5,
    ),
    "an exception of its own where the file is run": (
        "class Odd(BaseException):\n    def __str__(self):\n        raise ValueError\n\n\nraise Odd\n",
        "cannot be run: Odd: its message cannot be shown",
        9,
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_in_one_line_that_says_where_and_what_to_write(asker, tmp_path, monkeypatch, name):
    text, message, line = REFUSED[name]
    (tmp_path / "mine.py").write_text(HEAD + text)
    monkeypatch.chdir(tmp_path)
    status, out, err = asker(main, PROG)("random-walk-tabular", "--algorithm", "mine.py:mine")
    assert (status, out) == (2, "")
    assert err.startswith(f"{PROG}: error: mine.py:{line}: ")
    assert message in err
    assert err.count("mine.py") == 1
    assert err.count("\n") == 1


def test_an_interrupt_in_a_users_function_ends_the_command(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(HEAD + vectors("x, w", "raise KeyboardInterrupt"))
    with pytest.raises(KeyboardInterrupt):
        _ = load_algorithm(f"{file}:mine").trace

"""What a user's file says wrong, and the one line that says what to write instead."""

import pytest

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
    ),
    "h.x' written as a product of vectors": (
        vectors("x, x_next, w, h, gamma", "return Step(w=gamma * h * x_next, h=x)", weights="w h"),
        "multiplies two vectors, gamma*h and x_next; write dot(a, b) for their inner product",
    ),
    "memory that reads weights": (
        vectors("x, w, e, reward", "return Step(w=reward * e, e=e + dot(w, x) * x)", memory="e"),
        "computes its memory e from weights (x*dot(w, x)); memory is driven by the chain alone: declare it among the",
    ),
    "an update that is not affine": (
        vectors("x, w, reward", "return Step(w=(reward - dot(w, x)) ** 2 * x)"),
        "mine is not affine in w: w has the term x*dot(w, x)^2",
    ),
    "a clipped TD error": (
        vectors("x, w, reward", "return Step(w=max(min(reward - dot(w, x), 1), -1) * x)"),
        "mine is not affine in w: it branches on the sign of",
    ),
    "a trace that is a default, of components": (
        f"{OLD}, z=0):\n    z = rho * (gamma * z + x)\n    return delta * z, 0\n",
        'assigns to its parameter z, which keeps its default at every step: declare it as memory (@learner(weights="w"',
    ),
    "a trace that is a default, of vectors": (
        vectors("x, w, rho, gamma, reward, z=0", "z = rho * (gamma * z + x)\n    return Step(w=reward * z)"),
        "assigns to its parameter z, which keeps its default at every step: declare it as memory",
    ),
    "an argument that no step offers": (
        vectors("x, w, ratio", "return Step(w=ratio * x)"),
        "ratio is not offered; a step offers x, x_next, reward, rho, rho_before, gamma",
    ),
    "memory that is not returned": (
        vectors("x, w, e, reward", "return Step(w=reward * (e + x))", memory="e"),
        "mine does not return e; its Step has w, e",
    ),
    "a weight that is not returned": (
        vectors("x, w, reward", "return Step(w=reward * x)", weights="w h"),
        "mine does not return h; its Step has w, h",
    ),
    "a number that is not declared one": (
        vectors("x, w, F, rho, reward", "F = rho * F + 1\n    return Step(w=F * reward * x, F=F)", memory="F"),
        "adds the vector rho*F and the number 1; a weight or memory that is a number is named in scalars (@learner(...",
    ),
    "a vector where a number is declared": (
        vectors("x, w, rbar, reward", "return Step(w=reward * x, rbar=reward * x)", weights="w rbar", scalars="rbar"),
        "returns rbar = R*x: rbar is a number, and this is a vector",
    ),
    "scalars that are no weights": (
        vectors("x, w, reward", "return Step(w=reward * x)", scalars="F"),
        "scalars are weights beside the first, or memory, not F",
    ),
    "a return that is no Step": (
        vectors("x, w, reward", "return reward * x"),
        "returns one vector or number; a learner returns Step(w=...)",
    ),
    "vectors without a declaration": (
        "def mine(x, x_next, w, rho, gamma, reward):\n    return rho * reward * x\n",
        "one of vectors is declared with @learner",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_in_one_line_that_says_what_to_write(asker, tmp_path, name):
    text, message = REFUSED[name]
    file = tmp_path / "mine.py"
    file.write_text(HEAD + text)
    status, out, err = asker(main, PROG)("random-walk-tabular", "--algorithm", f"{file}:mine")
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1

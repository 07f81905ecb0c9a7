"""The one table of symbols: what the paper writes, what the code calls it, what shape it has, what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tdrc_theory.registry import named


@dataclass(frozen=True, slots=True)
class Symbol:
    """One row of the table; `latex` is what the paper writes and `name` what the code calls it."""

    name: str
    latex: str
    shape: str
    meaning: str


NONNEGATIVE = frozenset(
    {"beta", "eta", "gamma", "gamma_next", "interest", "lam", "pi", "rho", "rho_before", "rho_next"}
    | {"gamma_next_2", "pi_2", "rho_2", "rho_next_2"}
)
"""Numbers that a learner calculates with whose values are at least 0, which decides some comparisons."""

NOTATION: tuple[Symbol, ...] = (
    Symbol("gamma", r"\gamma", "scalar in [0, 1]", "discount"),
    Symbol("alpha", r"\alpha", "scalar", "step size of w"),
    Symbol("eta", r"\eta", "scalar > 0", "step size of h over that of w"),
    Symbol("beta", r"\beta", "scalar >= 0", "regulariser of h"),
    Symbol("rho", r"\rho", "scalar", "importance ratio pi(a|s) / b(a|s)"),
    Symbol(
        "rho_before", r"\rho_{t-1}", "scalar", "importance ratio of the step that led here; 1 at an episode's start"
    ),
    Symbol("rho_next", r"\rho_{t+1}", "scalar", "importance ratio of the next action, for action values"),
    Symbol("pi", r"\pi", "scalar in [0, 1]", "probability pi(a|s) of the action taken under the target policy"),
    Symbol("gamma_next", r"\gamma_{t+1}", "scalar in [0, 1]", "discount of this transition"),
    Symbol("interest", "i", "scalar >= 0", "interest in the state"),
    Symbol("lam", r"\lambda_e", "scalar in [0, 1]", "decay of a trace"),
    Symbol("mu", r"\mu", "scalar", "rate at which a velocity follows its direction"),
    Symbol("x", r"\mathbf{x}", "(k,)", "features of the state, x(s)"),
    Symbol("x_next", r"\mathbf{x}'", "(k,)", "features of the next state; zero where the episode ended"),
    Symbol("x_bar", r"\bar{\mathbf{x}}'", "(k,)", "sum_a pi(a|s') x(s', a), for action values; zero at the end"),
    Symbol("x_next_2", r"\mathbf{x}'_2", "(k,)", "features of the next state in a second transition from the state"),
    Symbol("x_bar_2", r"\bar{\mathbf{x}}'_2", "(k,)", "x_bar of a second transition from the state and action"),
    Symbol("rho_2", r"\rho_2", "scalar", "importance ratio of the second transition"),
    Symbol("gamma_next_2", r"\gamma_{t+1,2}", "scalar in [0, 1]", "discount of the second transition"),
    Symbol("R", "R", "scalar", "reward"),
    Symbol("R_2", "R_2", "scalar", "reward of the second transition"),
    Symbol("w", r"\mathbf{w}", "(k,)", "weights of the value estimate w.x"),
    Symbol("h", r"\mathbf{h}", "(k,)", "secondary weights"),
    Symbol("delta", r"\delta", "scalar", "TD error R + gamma w.x' - w.x"),
    Symbol("delta_bar", r"\bar\delta", "scalar", "TD error of action values, R + gamma w.x_bar - w.x"),
    Symbol("delta_hat", r"\hat\delta", "scalar", "its estimate h.x"),
    Symbol("d", "d", "(S,)", "weight of each state"),
    Symbol("A", r"\mathbf{A}", "(k, k)", "E[rho x (x - gamma x')^T]"),
    Symbol("b", r"\mathbf{b}", "(k,)", "E[rho R x]"),
    Symbol("C", r"\mathbf{C}", "(k, k)", "E[x x^T]"),
    Symbol("I", r"\mathbf{I}", "(k, k)", "identity"),
    Symbol("C_beta", r"\mathbf{C}_\beta", "(k, k)", "C + beta I"),
    Symbol("H", r"\mathbf{H}", "(k, k)", "(A + A^T) / 2"),
    Symbol("varrho", r"\boldsymbol{\varrho}", "(2k,) or (k,)", "all weights: h above w, or w where there is no h"),
    Symbol("G", r"\mathbf{G}", "(2k, 2k) or (k, k)", "expected update: E[step] = alpha (G varrho + g)"),
    Symbol("g", r"\mathbf{g}", "(2k,) or (k,)", "its constant part"),
    Symbol("z", r"\mathbf{z}", "(k,), complex", "test vector of the conditions C1, C2, C3"),
    Symbol("b_c", "b_c", "scalar", "z*Cz / z*z"),
    Symbol("b_a", "b_a", "scalar", "z*AA^Tz / z*z"),
    Symbol("lambda_r", r"\lambda_r", "scalar", "real part of z*Az / z*z"),
    Symbol("lambda_c", r"\lambda_c", "scalar", "imaginary part of z*Az / z*z"),
    Symbol("lambda", r"\lambda", "scalar, complex", "eigenvalue of G"),
    Symbol("Omega", r"\Omega", "scalar", "eta (beta + b_c) + lambda_r"),
    Symbol("Xi", r"\Xi", "scalar", "lambda_c^2 + 4 eta (beta lambda_r + b_a)"),
    Symbol("Upsilon", r"\Upsilon", "scalar", "twice the square of Re(2 lambda) + Omega"),
)


def notation(name: str) -> Symbol:
    """Return the row of a symbol.

    >>> notation("delta_hat").latex
    '\\\\hat\\\\delta'
    """
    return named("symbol", name, NOTATION)


def scalar_symbol(name: str) -> Any:
    """Return the real sympy symbol of a number that a learner calculates with, nonnegative where the table says so."""
    import sympy

    name = {"reward": "R", "reward_2": "R_2"}.get(name, name)
    return sympy.Symbol(name, real=True, nonnegative=True if name in NONNEGATIVE else None)


def sympy_symbols(*names: str) -> list[Any]:
    """Return real sympy symbols for scalars of the table, nonnegative ones as such."""
    return [scalar_symbol(notation(name).name) for name in names]

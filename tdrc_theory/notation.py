"""The one table of symbols: what the paper writes, what the code calls it, what shape it has, what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tdrc_theory.glyph import Glyph, drawn
from tdrc_theory.registry import named


@dataclass(frozen=True, slots=True)
class Symbol:
    """One row of the table; `name` is what the code calls it."""

    name: str
    shape: str
    meaning: str

    @property
    def glyph(self) -> Glyph:
        """What the paper writes."""
        return drawn(self.name, bold=not self.shape.startswith("scalar"))

    @property
    def latex(self) -> str:
        """What the paper writes, as LaTeX."""
        return self.glyph.latex


NONNEGATIVE = frozenset(
    {"beta", "eta", "gamma", "gamma_next", "interest", "lam", "pi", "rho", "rho_before", "rho_next"}
    | {"gamma_next_2", "pi_2", "rho_2", "rho_next_2"}
)
"""Numbers that a learner calculates with whose values are at least 0, which decides some comparisons."""

NOTATION: tuple[Symbol, ...] = (
    Symbol("gamma", "scalar in [0, 1]", "discount"),
    Symbol("alpha", "scalar", "step size of w"),
    Symbol("eta", "scalar > 0", "step size of h over that of w"),
    Symbol("beta", "scalar >= 0", "regulariser of h"),
    Symbol("rho", "scalar", "importance ratio pi(a|s) / b(a|s)"),
    Symbol("rho_before", "scalar", "importance ratio of the step that led here; 1 at an episode's start"),
    Symbol("rho_next", "scalar", "importance ratio of the next action, for action values"),
    Symbol("pi", "scalar in [0, 1]", "probability pi(a|s) of the action taken under the target policy"),
    Symbol("gamma_next", "scalar in [0, 1]", "discount of this transition"),
    Symbol("interest", "scalar >= 0", "interest in the state"),
    Symbol("lam", "scalar in [0, 1]", "decay of a trace"),
    Symbol("mu", "scalar", "rate at which a velocity follows its direction"),
    Symbol("x", "(k,)", "features of the state, x(s)"),
    Symbol("x_next", "(k,)", "features of the next state; zero where the episode ended"),
    Symbol("x_bar", "(k,)", "sum_a pi(a|s') x(s', a), for action values; zero at the end"),
    Symbol("x_next_2", "(k,)", "features of the next state in a second transition from the state"),
    Symbol("x_bar_2", "(k,)", "x_bar of a second transition from the state and action"),
    Symbol("rho_2", "scalar", "importance ratio of the second transition"),
    Symbol("rho_next_2", "scalar", "importance ratio of the action after it"),
    Symbol("pi_2", "scalar in [0, 1]", "probability under the target policy of the action of the second transition"),
    Symbol("gamma_next_2", "scalar in [0, 1]", "discount of the second transition"),
    Symbol("R", "scalar", "reward"),
    Symbol("R_2", "scalar", "reward of the second transition"),
    Symbol("w", "(k,)", "weights of the value estimate w.x"),
    Symbol("h", "(k,)", "secondary weights"),
    Symbol("delta", "scalar", "TD error R + gamma w.x' - w.x"),
    Symbol("delta_bar", "scalar", "TD error of action values, R + gamma w.x_bar - w.x"),
    Symbol("delta_hat", "scalar", "its estimate h.x"),
    Symbol("d", "(S,)", "weight of each state"),
    Symbol("A", "(k, k)", "E[rho x (x - gamma x')^T]"),
    Symbol("b", "(k,)", "E[rho R x]"),
    Symbol("A_b", "(k, k)", "E[x (x - gamma x')^T], under the behaviour policy without importance ratios"),
    Symbol("b_b", "(k,)", "E[R x], likewise"),
    Symbol("C", "(k, k)", "E[x x^T]"),
    Symbol("MSPBE", "scalar", "mean squared projected Bellman error, (b - A w)^T C^+ (b - A w)"),
    Symbol("I", "(k, k)", "identity"),
    Symbol("C_beta", "(k, k)", "C + beta I"),
    Symbol("H", "(k, k)", "(A + A^T) / 2"),
    Symbol("varrho", "(2k,) or (k,)", "all weights: h above w, or w where there is no h"),
    Symbol("G", "(2k, 2k) or (k, k)", "expected update: E[step] = alpha (G varrho + g)"),
    Symbol("g", "(2k,) or (k,)", "its constant part"),
    Symbol("z", "(k,), complex", "test vector of the conditions C1, C2, C3"),
    Symbol("b_c", "scalar", "z*Cz / z*z"),
    Symbol("b_a", "scalar", "z*AA^Tz / z*z"),
    Symbol("lambda_r", "scalar", "real part of z*Az / z*z"),
    Symbol("lambda_c", "scalar", "imaginary part of z*Az / z*z"),
    Symbol("lambda", "scalar, complex", "eigenvalue of G"),
    Symbol("Omega", "scalar", "eta (beta + b_c) + lambda_r"),
    Symbol("Xi", "scalar", "lambda_c^2 + 4 eta (beta lambda_r + b_a)"),
    Symbol("Upsilon", "scalar", "twice the square of Re(2 lambda) + Omega"),
)


def notation(name: str) -> Symbol:
    """Return the row of a symbol.

    >>> notation("delta_hat").latex
    '\\\\hat{\\\\delta}'
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

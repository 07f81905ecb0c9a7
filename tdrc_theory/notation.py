r"""The one table of symbols: what the paper writes, what the code calls it, what shape it has, what it is.

How a symbol is drawn: a letter or a word, bold where it is a vector or matrix, with marks and scripts. LaTeX is written
here, MathML in `reports.page.mathml`; nothing reads either of them back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from tdrc_theory.registry import named

_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho varrho sigma tau phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
GREEK = dict(zip(_NAMES.split(), "αβγδϵζηθικλμνξπρϱστϕχψωΓΔΘΛΞΠΣΥΦΨΩ", strict=True))
"""The Greek letters by their names, which are those of LaTeX too."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """What a symbol looks like.

    Attributes:
        letter: one letter or digit, the name of a Greek letter, or a word.
        bold: whether it is of a vector or a matrix.
        mark: `hat` or `bar` above the letter.
        prime: whether a prime follows.
        below: what stands below: letters, numbers, signs and words.
        above: what stands above, in the same way.
        change: whether a Delta stands in front.
    """

    letter: str
    bold: bool = False
    mark: str = ""
    prime: bool = False
    below: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    change: bool = False

    @classmethod
    def of(cls, name: str, bold: bool = False) -> Glyph:
        r"""Return how a name is drawn: a letter with what follows it below, anything else as the word that it is.

        >>> print(Glyph.of("lambda_r").latex, Glyph.of("s1").latex, Glyph.of("step_size", bold=True).latex)
        \lambda_r s_1 \mathbf{step\_size}
        """
        parts = re.fullmatch(r"([^\W\d_]+)((?:_?\d+|_[^\W_]+|\[\d+\])*)", name)
        if parts is None or (len(parts[1]) > 1 and parts[1] not in GREEK):
            return cls(name, bold)
        below = re.findall(r"[^\W_]+", parts[2])
        return cls(parts[1], bold, below=tuple(token for part in below for token in (",", part))[1:])

    def at(self, time: tuple[str, ...]) -> Glyph:
        """Return it with a time below, if there is one, behind what stands there."""
        return replace(self, below=(*self.below, *([","] if self.below and time else []), *time))

    @property
    def latex(self) -> str:
        r"""LaTeX, without the surrounding dollars.

        >>> print(Glyph("x", bold=True, mark="bar", prime=True).latex)
        \bar{\mathbf{x}}'
        """
        written = _letter(self.letter, self.bold)
        written = rf"\{self.mark}{{{written}}}" if self.mark else written
        written = f"{written}{_script('_', self.below)}{self.prime * chr(39)}"  # so that a transpose may follow
        written = f"{{{written}{_script('^', self.above)}}}" if self.above else written
        return rf"\Delta{written}" if self.change else written


_DRAWN = {
    "rho_before": Glyph("rho", below=("t", "-", "1")),
    "rho_next": Glyph("rho", below=("t", "+", "1")),
    "gamma_next": Glyph("gamma", below=("t", "+", "1")),
    "interest": Glyph("i"),
    "interest_t": Glyph("i", below=("t",)),
    "interests": Glyph("i", bold=True),
    "lam": Glyph("lambda", below=("e",)),
    "x'": Glyph("x", bold=True, prime=True),
    "x_next": Glyph("x", bold=True, prime=True),
    "x_bar": Glyph("x", bold=True, mark="bar", prime=True),
    "x_next_2": Glyph("x", bold=True, prime=True, below=("2",)),
    "x_bar_2": Glyph("x", bold=True, mark="bar", prime=True, below=("2",)),
    "rho_next_2": Glyph("rho", below=("t", "+", "1", ",", "2")),
    "gamma_next_2": Glyph("gamma", below=("t", "+", "1", ",", "2")),
    "delta_bar": Glyph("delta", mark="bar"),
    "delta_hat": Glyph("delta", mark="hat"),
    "d": Glyph("d"),
    "I_2d": Glyph("I", bold=True),
    "eta_0": Glyph("eta"),
    "ones": Glyph("1", bold=True),
    "P_lambda": Glyph("P", bold=True, below=("pi",), above=("lambda",)),
    "f_0": Glyph("f", bold=True),
    "A_m": Glyph("A", bold=True),
    "b_m": Glyph("b", bold=True),
}


def drawn(name: str, bold: bool) -> Glyph:
    """Return how a symbol of the project is drawn: by its name, but for a few that papers write in another way."""
    return _DRAWN.get(name) or Glyph.of(name, bold)


def _letter(letter: str, bold: bool) -> str:
    if letter in GREEK:
        return rf"\{letter}" if not bold else rf"\{'mathbf' if letter[0].isupper() else 'boldsymbol'}{{\{letter}}}"
    written = letter.replace("_", r"\_")
    if len(letter) == 1 and not bold:
        return written
    return rf"\{'mathbf' if bold else 'operatorname'}{{{written}}}"


def _script(sign: str, tokens: tuple[str, ...]) -> str:
    if not tokens:
        return ""
    parts = [_letter(token, bold=False) if len(token) == 1 or token in GREEK else _word(token) for token in tokens]
    alone = len(parts) == 1 and (len(tokens[0]) == 1 or tokens[0] in GREEK)
    return f"{sign}{parts[0]}" if alone else f"{sign}{{{''.join(parts)}}}"


def _word(token: str) -> str:
    return token if token.isdigit() else rf"\text{{{token}}}"


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

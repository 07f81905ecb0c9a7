"""The expected update of an algorithm by the expectation table, with symbols instead of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from tdrc_theory.derive import letters
from tdrc_theory.derive.letters import Letter, MatrixSum, joined
from tdrc_theory.form import Exponents
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.notation import notation, sympy_symbols

RHO, GAMMA, ETA = sympy_symbols("rho", "gamma", "eta")

_VECTORS = {"x": notation("x"), "x_next": notation("x_next")}
_ERRORS = ((2, "h"), (3, "delta"), (4, "delta_hat"))


@dataclass(frozen=True)
class SymbolicUpdate:
    """What follows from an algorithm's function for every problem and dimension.

    Attributes:
        algorithm: whose it is.
        directions: {"w": ..., "h": ...}, each {exponents: coefficient in rho, gamma, beta}.
        G: rows of blocks, ordered (h, w); one block where there is no h.
        g: one vector a row.
    """

    algorithm: Algorithm
    directions: dict[str, dict[Exponents, Any]]
    G: tuple[tuple[MatrixSum, ...], ...]
    g: tuple[MatrixSum, ...]

    def update_latex(self) -> dict[str, str]:
        """Return the update of w, and of h if there is one, as LaTeX."""
        lines = {}
        for name in ("w", "h") if self.algorithm.has_h else ("w",):
            weight = notation(name).latex
            step = r"\alpha" if name == "w" else r"\eta\alpha"
            direction = joined((c, _sample_latex(key), None) for key, c in _ordered(self.directions[name]))
            lines[name] = rf"{weight}_{{t+1}} = {weight}_t + {step}\left[{direction}\right]"
        return lines

    def update_text(self) -> dict[str, str]:
        """Return the update of w, and of h if there is one, as plain text."""
        lines = {}
        for name in ("w", "h") if self.algorithm.has_h else ("w",):
            step = "alpha" if name == "w" else "eta alpha"
            direction = joined((c, _sample_text(key), "*") for key, c in _ordered(self.directions[name]))
            lines[name] = f"{name} += {step} [{direction}]"
        return lines

    def G_latex(self) -> str:
        """Return G as a LaTeX block matrix."""
        return _matrix(" & ".join(block.latex() for block in row) for row in self.G)

    def g_latex(self) -> str:
        """Return g as a LaTeX block vector."""
        return _matrix(block.latex() for block in self.g)

    def __str__(self) -> str:
        names = ("h", "w") if self.algorithm.has_h else ("w",)
        lines = [
            f"{self.algorithm.name} ({self.algorithm.source})",
            *(f"  {line}" for line in self.update_text().values()),
        ]
        for name, row, constant in zip(names, self.G, self.g, strict=True):
            parts = [f"({block}) {column}" for block, column in zip(row, names, strict=True) if block.parts]
            parts += [f"({constant})"] if constant.parts else []
            lines.append(f"  E[d{name}] = {' + '.join(parts) or '0'}")
        return "\n".join(lines)


def derive(algorithm: Algorithm) -> SymbolicUpdate:
    """Return an algorithm's equation, expected update, G and g with symbols.

    Raises:
        NotAffine: the update is not affine in (w, h).

    >>> from tdrc_theory.algorithms import TD
    >>> print(derive(TD))
    td (eq. 2, with importance sampling)
      w += alpha [rho*delta*x]
      E[dw] = (-A) w + (b)
    """
    directions = _merged(algorithm.symbolic_terms())
    of_h, of_w, constant = _expected(directions["w"])
    if not algorithm.has_h:
        return SymbolicUpdate(algorithm, directions, ((of_w,),), (constant,))
    eta = algorithm.fixed.get("eta", ETA)
    h_of_h, h_of_w, h_constant = _expected(directions["h"])
    return SymbolicUpdate(
        algorithm,
        directions,
        ((h_of_h * eta, h_of_w * eta), (of_h, of_w)),
        (h_constant * eta, constant),
    )


def _merged(paths: list[tuple[list[Any], Terms]]) -> dict[str, dict[Exponents, Any]]:
    """Return one coefficient a term: piecewise where the function branches, as min or max where it is one."""
    merged: dict[str, dict[Exponents, Any]] = {}
    for name in ("w", "h"):
        branches = [(conditions, getattr(terms, name)) for conditions, terms in paths]
        keys = {key for _, terms in branches for key in terms}
        merged[name] = {key: _one([(c, sympy.sympify(terms.get(key, 0))) for c, terms in branches]) for key in keys}
        merged[name] = {key: c for key, c in merged[name].items() if c != 0}
    return merged


def _one(branches: list[tuple[list[Any], Any]]) -> Any:
    first = branches[0][1]
    if all(sympy.expand(value - first) == 0 for _, value in branches):
        return sympy.expand(first)
    if len(branches) == 2:
        (condition,), low, high = branches[0][0], *(value for _, value in branches)
        sides = condition.args
        for clip in (sympy.Min(*sides), sympy.Max(*sides)):
            for side, other in (sides, sides[::-1]):
                if not side.is_Symbol:
                    continue
                clipped = high.subs(side, clip) if high.has(side) else low.subs(side, clip)
                ends = {sympy.expand(clipped.subs(clip, end)) for end in (side, other)}
                agrees = _agrees(clipped, condition, low, high)
                if ends == {sympy.expand(low), sympy.expand(high)} and agrees:
                    return clipped
    return sympy.Piecewise(*((value, sympy.And(*conditions)) for conditions, value in branches))


def _agrees(clipped: Any, condition: Any, low: Any, high: Any) -> bool:
    """Return whether a clipped form takes the right branch on both sides of the condition, at sample points."""
    free = sorted(condition.free_symbols | low.free_symbols | high.free_symbols, key=str)
    for shift in (sympy.Rational(1, 7), sympy.Rational(3, 2), sympy.Integer(5)):
        point = {symbol: shift + sympy.Rational(i, 11) for i, symbol in enumerate(free)}
        expected = low if condition.subs(point) == sympy.true else high
        if sympy.expand((clipped - expected).subs(point)) != 0:
            return False
    return True


def _expected(direction: dict[Exponents, Any]) -> tuple[MatrixSum, MatrixSum, MatrixSum]:
    """Return what multiplies h and w, and the constant, in the expectation of a direction."""
    of_h, of_w, constant = MatrixSum(), MatrixSum(), MatrixSum()
    for key, coefficient in direction.items():
        powers = key[:2]
        for scale, ratio in _by_ratio(coefficient):
            if key[3]:
                of_w += MatrixSum({_td_letter(ratio, powers): -scale})
                constant += MatrixSum({_reward_letter(ratio, powers): scale})
            elif key[4]:
                of_h += _correction(scale, ratio, powers)
            elif key[2]:
                of_h += MatrixSum({_diagonal_letter(ratio, powers): scale})
            else:
                constant += MatrixSum({_expectation(_state_ratio(ratio, powers), _phi(powers), None): scale})
    return of_h, of_w, constant


def _by_ratio(coefficient: Any) -> list[tuple[Any, Any]]:
    """Split a coefficient into (factor free of rho, function of rho) pairs that add up to it."""
    parts: dict[Any, Any] = {}
    for term in sympy.Add.make_args(sympy.expand(coefficient)):
        scale, ratio = term.as_independent(RHO)
        parts[ratio] = parts.get(ratio, 0) + scale
    return [(scale, ratio) for ratio, scale in parts.items()]


def _td_letter(ratio: Any, powers: tuple[int, int]) -> Letter:
    """E[c(rho) phi (x - gamma x')^T]."""
    if powers == (1, 0) and ratio in (RHO, 1):
        return letters.A if ratio == RHO else letters.A_B
    return _expectation(ratio, _phi(powers), ("(x - gamma x')^T", r"(\mathbf{x} - \gamma \mathbf{x}')^\top"))


def _reward_letter(ratio: Any, powers: tuple[int, int]) -> Letter:
    if powers == (1, 0) and ratio in (RHO, 1):
        return letters.B if ratio == RHO else letters.B_B
    return _expectation(ratio, _phi(powers), ("R", "R"))


def _correction(scale: Any, ratio: Any, powers: tuple[int, int]) -> MatrixSum:
    """E[c(rho) phi x^T]: gamma E[rho x' x^T] is C - A^T, and without rho it is C - A_b^T."""
    ratio = _state_ratio(ratio, powers)
    if powers == (1, 0) and ratio == 1:
        return MatrixSum({letters.C: scale})
    without_gamma = sympy.cancel(scale / GAMMA)
    if powers == (0, 1) and ratio in (RHO, 1) and sympy.denom(without_gamma).is_number:
        transpose = letters.A_T if ratio == RHO else letters.A_B_T
        return MatrixSum({letters.C: without_gamma, transpose: -without_gamma})
    return MatrixSum({_expectation(ratio, _phi(powers), ("x^T", r"\mathbf{x}^\top")): scale})


def _diagonal_letter(ratio: Any, powers: tuple[int, int]) -> Letter:
    ratio = _state_ratio(ratio, powers)
    if powers == (0, 0) and ratio == 1:
        return letters.I
    inner = _expectation(ratio, _phi(powers), None)
    return Letter(f"diag {inner.name}", rf"\operatorname{{diag}} {inner.latex}")


def _state_ratio(ratio: Any, powers: tuple[int, int]) -> Any:
    """E[rho | s] = 1, so a lone rho drops out of what depends on the state only."""
    return sympy.Integer(1) if ratio == RHO and powers[1] == 0 else ratio


def _expectation(ratio: Any, phi: tuple[str, str], psi: tuple[str, str] | None) -> Letter:
    factors = [] if ratio == 1 else [(str(ratio), sympy.latex(ratio))]
    factors += [phi] if phi[0] else []
    factors += [psi] if psi else []
    if not factors:
        return Letter("1", r"\mathbf{1}")
    name = " ".join(name for name, _ in factors)
    latex = r"\,".join(latex for _, latex in factors)
    return Letter(f"E[{name}]", rf"\mathbb{{E}}\left[{latex}\right]")


def _phi(powers: tuple[int, int]) -> tuple[str, str]:
    """Return the componentwise product x^a x'^b as (text, LaTeX)."""
    names, latex = [], []
    for symbol, plain, power in zip(_VECTORS.values(), ("x", "x'"), powers, strict=True):
        if power:
            names.append(plain if power == 1 else f"{plain}^{power}")
            latex.append(symbol.latex if power == 1 else rf"{{{symbol.latex}}}^{{\circ {power}}}")
    return "*".join(names), r" \circ ".join(latex)


def _sample_text(key: Exponents) -> str:
    errors = [name for place, name in _ERRORS if key[place]]
    return "*".join([part for part in (*errors, _phi(key[:2])[0]) if part]) or "1"


def _sample_latex(key: Exponents) -> str:
    errors = [notation(name).latex for place, name in _ERRORS if key[place]]
    return " ".join(part for part in (*errors, _phi(key[:2])[1]) if part) or r"\mathbf{1}"


def _ordered(direction: dict[Exponents, Any]) -> list[tuple[Exponents, Any]]:
    """The TD error first, then the correction, then h; x before x'."""
    return sorted(direction.items(), key=lambda item: (-item[0][3], -item[0][4], -item[0][2], item[0][1]))


def _matrix(rows: Any) -> str:
    return r"\begin{bmatrix} " + r" \\ ".join(rows) + r" \end{bmatrix}"
